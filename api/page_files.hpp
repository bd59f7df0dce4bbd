#pragma once

#include "api/router.hpp"

#include <span>
#include <string_view>

/// The operator page, which the build puts into the program (web/).
namespace sluice::api {

struct page_file {
  std::string_view path; ///< "index.html", "assets/index-4f2a91c0.js"
  std::string_view content_type;
  std::string_view bytes;
};

/// Those of this build, sorted by path; none where the page was not built.
[[nodiscard]] std::span<const page_file> page_files();

/// The page's routes, for anyone: what it shows it asks the API for, with the sign-in of whoever looks. Only
/// the names in `files` are served.
void add_page_files(router& to, std::span<const page_file> files);

} // namespace sluice::api
