#include "providers/answer_id.hpp"

#include "providers/text_encoding.hpp"
#include "providers/visible_text.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

/// A search that answers more than this many candidates for one id is too wide to be trusted.
constexpr std::size_t checked_records_max = 50;

std::expected<std::string, std::string> id_of(const core::value& value) {
  if (value.kind != core::value_kind::string && value.kind != core::value_kind::number) {
    return std::unexpected{std::string{core::to_string(value.kind)}};
  }
  if (const auto fault = fault_of_remote_id(value.text); !fault.empty()) {
    return std::unexpected{std::string{fault}};
  }
  return value.text;
}

std::expected<std::string, std::string> id_in_location(std::string_view location) {
  location = location.substr(0, location.find_first_of("?#"));
  while (location.ends_with('/')) {
    location.remove_suffix(1);
  }
  const auto slash = location.rfind('/');
  const auto scheme = location.find("//");
  const bool host_alone = scheme != std::string_view::npos && slash == scheme + 1;
  if (location.empty() || host_alone) {
    return std::unexpected{"the answer has no Location header that ends in an id"};
  }
  auto id = percent_decoded(slash == std::string_view::npos ? location : location.substr(slash + 1));
  if (const auto fault = fault_of_remote_id(id); !fault.empty()) {
    return std::unexpected{"the id in the answer's Location header " + std::string{fault}};
  }
  return id;
}

std::expected<std::string, std::string> own_id(std::string_view source_id) {
  if (const auto fault = fault_of_remote_id(source_id); !fault.empty()) {
    return std::unexpected{"the record's own id, which is the target's id too, " + std::string{fault}};
  }
  return std::string{source_id};
}

} // namespace

std::string_view fault_of_remote_id(std::string_view id) noexcept {
  if (id.empty()) {
    return "is empty";
  }
  if (id.size() > remote_id_bytes_max) {
    return "is longer than 512 bytes";
  }
  if (id == "." || id == "..") {
    return "is a dot segment, which would change a path";
  }
  while (!id.empty()) {
    const auto length = utf8_sequence_length(id);
    if (length == 0 || is_control(id.substr(0, length))) {
      return "is not printable text";
    }
    id.remove_prefix(length);
  }
  return {};
}

id_reader::id_reader(id_place place) : place_{std::move(place)} {
  if (place_.where == id_place::kind::pointer) {
    readers_ = std::make_shared<reader_pool>(std::vector{place_.pointer});
  }
}

std::expected<std::string, std::string> id_reader::read(const core::http_answer& answer,
                                                        std::string_view source_id) const {
  if (place_.where == id_place::kind::location) {
    return id_in_location(answer.location);
  }
  if (place_.where == id_place::kind::source_id) {
    return own_id(source_id);
  }
  const auto values = readers_->read(answer.body);
  if (!values) {
    return std::unexpected{"the answer is not a readable JSON value"};
  }
  auto id = id_of((*values)[0]);
  if (!id) {
    return std::unexpected{"the answer has no id at " + place_.pointer + " (" + id.error() + ")"};
  }
  return id;
}

match_reader::match_reader(match_place place) : place_{std::move(place)} {
  const bool list = place_.list.has_value();
  const auto root = place_.list.value_or("");
  if (list) {
    records_max_ = place_.checks.empty() ? 2 : checked_records_max;
  }
  // In this order: the list, then for each record itself, its id, its checks; one record more shows that
  // there are too many.
  std::vector<std::string> pointers{root};
  for (std::size_t i = 0; i < records_max_ + (list ? 1 : 0); ++i) {
    const auto record = list ? root + "/" + std::to_string(i) : root;
    pointers.push_back(record);
    pointers.push_back(record + place_.id.pointer);
    for (const auto& check : place_.checks) {
      pointers.push_back(record + check.pointer);
    }
  }
  needs_source_id_ = place_.id.where == id_place::kind::source_id
                     || std::ranges::any_of(place_.checks, [](const match_place::check& check) {
                          return uses(check.wanted, placeholder::source_id);
                        });
  readers_ = std::make_shared<reader_pool>(std::move(pointers));
}

match_reader::result match_reader::read(std::string_view body, std::string_view source_id) const {
  const auto values = readers_->read(body);
  if (!values) {
    return {found::unreadable, {}, "the lookup's answer is not a readable JSON value"};
  }
  auto read_result = place_.list ? read_list(*values, source_id) : read_record(*values, 1, source_id);
  if (read_result.what == found::one && needs_source_id_ && source_id.empty()) {
    return {found::several, {}, "the lookup's match could not be checked against the record's id"};
  }
  return read_result;
}

match_reader::result match_reader::read_record(const reader_pool::reading& values, std::size_t first,
                                               std::string_view source_id) const {
  const template_values wanted{source_id, {}, {}};
  for (std::size_t i = 0; i < place_.checks.size(); ++i) {
    const auto& value = values[first + 2 + i];
    const auto& check = place_.checks[i];
    const bool unseen = source_id.empty() && needs_source_id_;
    if (!unseen && (value.kind == core::value_kind::absent || value.text != fill_in(check.wanted, wanted))) {
      return {found::none, {}, {}};
    }
  }
  if (place_.id.where == id_place::kind::source_id) {
    if (source_id.empty()) {
      return {found::one, {}, {}}; // `read` does not let it pass
    }
    auto id = own_id(source_id);
    return id ? result{found::one, std::move(*id), {}} : result{found::unreadable, {}, std::move(id.error())};
  }
  auto id = id_of(values[first + 1]);
  if (!id) {
    return {found::unreadable,
            {},
            "the lookup's match has no id at " + place_.id.pointer + " (" + id.error() + ")"};
  }
  return {found::one, std::move(*id), {}};
}

match_reader::result match_reader::read_list(const reader_pool::reading& values,
                                             std::string_view source_id) const {
  const auto kind = values[0].kind;
  if (kind == core::value_kind::null) {
    return {found::none, {}, {}};
  }
  if (kind != core::value_kind::array) {
    return {found::unreadable, {}, "the lookup's answer has no list at \"" + *place_.list + "\""};
  }
  const auto stride = 2 + place_.checks.size();
  result sum{found::none, {}, {}};
  for (std::size_t i = 0; i <= records_max_; ++i) {
    const auto first = 1 + i * stride;
    if (values[first].kind == core::value_kind::absent) {
      return sum;
    }
    if (i == records_max_) {
      break;
    }
    auto next = read_record(values, first, source_id);
    if (next.what == found::unreadable) {
      return next;
    }
    if (next.what == found::one && sum.what == found::one && next.remote_id != sum.remote_id) {
      return {found::several, {}, "the lookup found more than one match"};
    }
    if (next.what == found::one) {
      sum = std::move(next);
    }
  }
  return {found::several, {}, "the lookup found more than " + std::to_string(records_max_) + " candidates"};
}

} // namespace sluice::providers
