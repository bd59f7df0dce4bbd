#include "providers/body_template.hpp"

#include "core/payload.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sluice::providers {

using json = nlohmann::ordered_json;

std::expected<body_template, std::string> body_template::compile(const json& value, std::string_view domain) {
  body_template made;
  if (auto added = made.add(value, domain, ""); !added) {
    return std::unexpected{std::move(added.error())};
  }
  return made;
}

std::string& body_template::literal() {
  if (parts_.empty() || parts_.back().json.empty()) {
    parts_.emplace_back();
  }
  return parts_.back().json;
}

std::expected<void, std::string> body_template::add(const json& value, std::string_view domain,
                                                    const std::string& path) {
  if (value.is_string()) {
    return add_string(value.get_ref<const std::string&>(), domain, path);
  }
  if (!value.is_structured()) {
    literal() += value.dump();
    return {};
  }
  const bool object = value.is_object();
  literal() += object ? '{' : '[';
  std::size_t index = 0;
  for (auto member = value.begin(); member != value.end(); ++member, ++index) {
    if (index > 0) {
      literal() += ',';
    }
    if (object) {
      core::append_json_string(literal(), member.key());
      literal() += ':';
    }
    auto place = path + "/" + (object ? member.key() : std::to_string(index));
    if (auto added = add(*member, domain, place); !added) {
      return added;
    }
  }
  literal() += object ? '}' : ']';
  return {};
}

std::expected<void, std::string> body_template::add_string(const std::string& text, std::string_view domain,
                                                           const std::string& path) {
  if (text == "{mapping}") {
    parts_.emplace_back();
    uses_mapping_ = true;
    return {};
  }
  auto pieces = split_template(text, domain);
  if (!pieces) {
    return std::unexpected{"at " + (path.empty() ? "its start" : path) + " " + pieces.error()
                           + "; the whole string \"{mapping}\" stands for the mapping's object"};
  }
  const bool fixed =
      std::ranges::none_of(*pieces, [](const template_piece& piece) { return piece.value.has_value(); });
  if (fixed) {
    core::append_json_string(literal(), fill_in(*pieces, {}));
    return {};
  }
  parts_.push_back({{}, std::move(*pieces)});
  return {};
}

bool body_template::uses(placeholder which) const noexcept {
  return std::ranges::any_of(parts_, [which](const part& x) { return providers::uses(x.text, which); });
}

std::string body_template::render(const template_values& values, std::string_view projection) const {
  std::string out;
  out.reserve(projection.size() + 128);
  for (const auto& piece : parts_) {
    if (!piece.json.empty()) {
      out += piece.json;
    } else if (!piece.text.empty()) {
      core::append_json_string(out, fill_in(piece.text, values));
    } else {
      out += projection.empty() ? std::string_view{"{}"} : projection;
    }
  }
  return out;
}

} // namespace sluice::providers
