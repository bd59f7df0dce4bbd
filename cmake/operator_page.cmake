# The operator page (web/) becomes a source of sluice_api. It is built in the build folder, where what it is built with
# lies too: the sources stay as they are. Without Node the program says that it has no page.
find_program(SLUICE_NODE NAMES node nodejs)
find_program(SLUICE_NPM npm)

set(without_page "${PROJECT_BINARY_DIR}/no_page_files.cpp")
file(CONFIGURE OUTPUT "${without_page}" CONTENT [[
#include "api/page_files.hpp"

namespace sluice::api {

std::span<const page_file> page_files() {
  return {};
}

} // namespace sluice::api
]])

if(NOT SLUICE_WEB OR NOT SLUICE_NODE OR NOT SLUICE_NPM)
  message(STATUS "The operator page is not built")
  target_sources(sluice_api PRIVATE "${without_page}")
  return()
endif()

set(SLUICE_PAGE "${PROJECT_BINARY_DIR}/web")
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/*")
list(FILTER page_sources EXCLUDE REGEX "/node_modules/")
set(build_page "${CMAKE_CURRENT_LIST_DIR}/build_page.cmake")

# Its second output exists once the packages do: until then each build tries again.
add_custom_command(
  OUTPUT "${SLUICE_PAGE}/page_files.cpp" "${SLUICE_PAGE}/installed"
  COMMAND "${CMAKE_COMMAND}" "-DNODE=${SLUICE_NODE}" "-DNPM=${SLUICE_NPM}" "-DSOURCES=${PROJECT_SOURCE_DIR}/web"
          "-DFOLDER=${SLUICE_PAGE}" "-DWITHOUT=${without_page}" -P "${build_page}"
  DEPENDS "${build_page}" "${without_page}" ${page_sources}
  COMMENT "Building the operator page"
  VERBATIM)
target_sources(sluice_api PRIVATE "${SLUICE_PAGE}/page_files.cpp")
