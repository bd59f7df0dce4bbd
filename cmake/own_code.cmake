# What holds for every target of our own: warnings are errors, includes start at the root, sanitizers reach all.
if(SLUICE_SANITIZERS)
  add_compile_options("-fsanitize=${SLUICE_SANITIZERS}" -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options("-fsanitize=${SLUICE_SANITIZERS}")
  if(SLUICE_SANITIZERS MATCHES "undefined")
    set(ignored "${PROJECT_SOURCE_DIR}/scripts/ubsan_ignore")
    add_compile_options("-fsanitize-ignorelist=${ignored}")
    if(SLUICE_CCACHE) # which does not look into that file by itself
      set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_EXTRAFILES=${ignored};${SLUICE_CCACHE}")
    endif()
  endif()
endif()

function(sluice_own_code target)
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
  # clang blames us for the deprecated function inside libstdc++ 12's own stable_sort; g++ looks after our uses.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
endfunction()

# sluice_library(folder LINK_PUBLIC … LINK_PRIVATE …): library sluice_<folder> of the folder's sources.
# A folder of headers alone becomes an interface library; main.cpp is never part of one.
function(sluice_library folder)
  cmake_parse_arguments(arg "" "" "LINK_PUBLIC;LINK_PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(sources)
    add_library(sluice_${folder} STATIC ${sources})
    sluice_own_code(sluice_${folder})
    target_link_libraries(sluice_${folder} PUBLIC ${arg_LINK_PUBLIC} PRIVATE ${arg_LINK_PRIVATE})
  else()
    add_library(sluice_${folder} INTERFACE)
    target_include_directories(sluice_${folder} INTERFACE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(sluice_${folder} INTERFACE ${arg_LINK_PUBLIC} ${arg_LINK_PRIVATE})
  endif()
endfunction()
