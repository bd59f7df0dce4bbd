# The API's description becomes a source of sluice_api, so that the program that serves it needs no file.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/api/openapi.json")
file(READ "${PROJECT_SOURCE_DIR}/api/openapi.json" SLUICE_OPENAPI)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/openapi_document.cpp" @ONLY CONTENT [[
#include "api/openapi.hpp"

namespace sluice::api {

std::string_view openapi_document() noexcept {
  return R"openapi(@SLUICE_OPENAPI@)openapi";
}

} // namespace sluice::api
]])
target_sources(sluice_api PRIVATE "${PROJECT_BINARY_DIR}/openapi_document.cpp")
