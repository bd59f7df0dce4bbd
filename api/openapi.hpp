#pragma once

#include <string_view>

namespace sluice::api {

/// api/openapi.json, which describes every route (OpenAPI 3.1).
[[nodiscard]] std::string_view openapi_document() noexcept;

} // namespace sluice::api
