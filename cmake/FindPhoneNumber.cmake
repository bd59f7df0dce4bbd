# libphonenumber ships no CMake package. Defines PhoneNumber::PhoneNumber. Debian's development package wants Boost 1.74
# beside it, which the one of Boost 1.81 excludes: scripts/lib.sh unpacks its headers, and the library's own file is
# linked.
find_path(PhoneNumber_INCLUDE_DIR NAMES phonenumbers/phonenumberutil.h
          HINTS "${PROJECT_SOURCE_DIR}/build/headers/usr/include")
find_library(PhoneNumber_LIBRARY NAMES phonenumber libphonenumber.so.8)
find_library(PhoneNumber_PROTOBUF_LIBRARY NAMES protobuf)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PhoneNumber REQUIRED_VARS PhoneNumber_LIBRARY PhoneNumber_PROTOBUF_LIBRARY
                                  PhoneNumber_INCLUDE_DIR)
if(PhoneNumber_FOUND AND NOT TARGET PhoneNumber::PhoneNumber)
  add_library(PhoneNumber::PhoneNumber UNKNOWN IMPORTED)
  set_target_properties(PhoneNumber::PhoneNumber PROPERTIES
                        IMPORTED_LOCATION "${PhoneNumber_LIBRARY}"
                        INTERFACE_LINK_LIBRARIES "${PhoneNumber_PROTOBUF_LIBRARY}")
  target_include_directories(PhoneNumber::PhoneNumber SYSTEM INTERFACE "${PhoneNumber_INCLUDE_DIR}")
endif()
mark_as_advanced(PhoneNumber_INCLUDE_DIR PhoneNumber_LIBRARY PhoneNumber_PROTOBUF_LIBRARY)
