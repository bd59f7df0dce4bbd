#include "providers/rest_settings.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

using core::operation;

std::string_view default_method(operation op) {
  switch (op) {
  case operation::create:
    return "POST";
  case operation::remove:
    return "DELETE";
  case operation::lookup:
    return "GET";
  default:
    return "PATCH";
  }
}

bool may_use_mapping(operation op) {
  return op == operation::create || op == operation::update || op == operation::reactivate;
}

bool read_path(operation op, settings_section& section, std::string_view domain, operation_settings& made) {
  const auto path = section.required_text("path", "it follows base_url, such as /customers/{remote_id}");
  if (path.empty()) {
    return false;
  }
  auto compiled = url_template::compile(path, domain);
  if (!compiled) {
    section.fault("path", compiled.error());
    return false;
  }
  made.path = std::move(*compiled);
  if ((op == operation::create || op == operation::lookup) && made.path.uses(placeholder::remote_id)) {
    section.fault(
        "path", "must not use {remote_id}: nobody knows it yet; allowed: {source_id}, {anchor_id}, {domain}");
  }
  return true;
}

void read_body(operation op, settings_section& section, std::string_view domain, operation_settings& made) {
  const auto found = section.find("body");
  const bool mapped = op == operation::create || op == operation::update;
  if (!found) {
    made.body = mapped ? body_form::mapping : body_form::none;
    return;
  }
  if (*found->value == "none") {
    return;
  }
  if (*found->value == "mapping") {
    made.body = body_form::mapping;
  } else if (!found->value->is_structured()) {
    section.fault("body", R"(must be "mapping", "none" or a JSON object or array that is the template)");
    return;
  } else {
    auto compiled = body_template::compile(*found->value, domain);
    if (!compiled) {
      section.fault("body", compiled.error());
      return;
    }
    made.body = body_form::from_template;
    made.body_json = std::move(*compiled);
  }
  const bool mapping = made.body == body_form::mapping || made.body_json->uses_mapping();
  if (mapping && !may_use_mapping(op)) {
    section.fault("body", "must not use the mapping; only create, update and reactivate have one");
  }
}

/// A write that names no record would reach the same resource for every record, a collection perhaps.
void check_addressed(operation op, settings_section& section, const operation_settings& made) {
  const auto asks = [&made](placeholder which) {
    return made.path.uses(which) || (made.body_json && made.body_json->uses(which));
  };
  if (op != operation::create && !asks(placeholder::source_id) && !asks(placeholder::remote_id)) {
    section.fault("path", op == operation::lookup ? "or the body must use {source_id}"
                                                  : "or the body must use {remote_id} or {source_id}");
  }
  if ((op == operation::create || op == operation::lookup) && made.body_json
      && made.body_json->uses(placeholder::remote_id)) {
    section.fault("body", "must not use {remote_id}: nobody knows it yet");
  }
  if (made.method == "GET" && made.body != body_form::none) {
    section.fault("body", "must be \"none\" for a GET");
  }
}

id_place read_id(operation op, settings_section& section) {
  constexpr std::string_view forms =
      "must be a JSON pointer such as /id, \"{source_id}\" where the target takes "
      "the record's own id, or {\"header\": \"Location\"}";
  id_place made;
  const auto found = section.find("id");
  if (!found) {
    return made;
  }
  if (found->value->is_object() && op == operation::create) {
    auto header = section.section("id");
    (void)header.choice("header", {"Location"}, "Location");
    header.refuse_unknown();
    made.where = id_place::kind::location;
  } else if (*found->value == "{source_id}") {
    made.where = id_place::kind::source_id;
  } else if (found->value->is_string() && is_json_pointer(found->value->get_ref<const std::string&>())) {
    made.pointer = found->value->get<std::string>();
  } else {
    section.fault("id", forms);
  }
  return made;
}

void read_checks(settings_section match, std::string_view domain, match_place& made) {
  for (const auto& pointer : match.keys()) {
    const auto wanted = match.text(pointer);
    auto pieces = split_template(wanted, domain);
    if (!is_json_pointer(pointer) || pointer.empty()) {
      match.fault(pointer, "must be a JSON pointer within a match, such as /external_id");
    } else if (!pieces) {
      match.fault(pointer, pieces.error());
    } else if (uses(*pieces, placeholder::remote_id) || uses(*pieces, placeholder::anchor_id)) {
      match.fault(pointer, "must not use {remote_id} or {anchor_id}; allowed: {source_id}, {domain}");
    } else {
      made.checks.push_back({pointer, std::move(*pieces)});
    }
  }
}

void read_matches(settings_section& section, std::string_view domain, operation_settings& made) {
  made.matches.id = read_id(operation::lookup, section);
  if (const auto list = section.find("matches")) {
    if (list->value->is_string() && is_json_pointer(list->value->get_ref<const std::string&>())) {
      made.matches.list = list->value->get<std::string>();
    } else {
      section.fault("matches",
                    "must be a JSON pointer to the list of matches, \"\" when the answer is the list");
    }
  }
  read_checks(section.section("match"), domain, made.matches);
}

} // namespace

operation_settings read_operation(core::operation op, settings_section& section,
                                  const settings_section& general_answers, std::string_view domain) {
  operation_settings made;
  made.method = section.choice("method", {"GET", "POST", "PUT", "PATCH", "DELETE"}, default_method(op));
  const bool has_path = read_path(op, section, domain, made);
  made.headers = read_headers(section.section("headers"));
  read_body(op, section, domain, made);
  if (has_path) {
    check_addressed(op, section, made);
  }
  made.repeatable = section.flag("repeatable", made.method != "POST" || op == core::operation::lookup);
  if (op == core::operation::create) {
    made.id = read_id(op, section);
  }
  if (op == core::operation::lookup) {
    read_matches(section, domain, made);
  }
  made.answers = answer_rules::read(section.section("answers"), general_answers);
  section.refuse_unknown();
  return made;
}

} // namespace sluice::providers
