#include "providers/rest_writer.hpp"

#include "crypto/encoding.hpp"
#include "providers/call_outcome.hpp"
#include "providers/oauth2.hpp"
#include "providers/text_encoding.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

void set_header(named_headers& headers, std::string_view name, std::string value) {
  const auto same = [name](const auto& header) { return same_name(header.first, name); };
  std::erase_if(headers, same);
  headers.emplace_back(name, std::move(value));
}

void set_authorization(named_headers& headers, const rest_auth& auth) {
  if (auth.type == rest_auth::kind::bearer) {
    set_header(headers, "Authorization", "Bearer " + auth.token);
  } else if (auth.type == rest_auth::kind::basic) {
    set_header(headers, "Authorization", "Basic " + crypto::to_base64(auth.username + ":" + auth.password));
  } else if (auth.type == rest_auth::kind::api_key && !auth.header.empty()) {
    set_header(headers, auth.header, auth.prefix + auth.key);
  } else if (auth.type == rest_auth::kind::oauth2_client_credentials) {
    std::erase_if(headers, [](const auto& header) { return same_name(header.first, "Authorization"); });
  }
}

/// The settings' headers win over the defaults, the operation's over the connection's, the credentials over
/// all.
core::header_lines header_lines_of(const rest_settings& settings, const operation_settings& operation) {
  named_headers headers{{"Accept", "application/json"}, {"User-Agent", "sluice/0.1"}};
  if (operation.body != body_form::none) {
    headers.emplace_back("Content-Type", "application/json");
  }
  for (const auto* given : {&settings.headers, &operation.headers}) {
    for (const auto& [name, value] : *given) {
      set_header(headers, name, value);
    }
  }
  set_authorization(headers, settings.auth);
  core::header_lines lines;
  for (const auto& [name, value] : headers) {
    lines.push_back(std::string{name}.append(": ").append(value));
  }
  return lines;
}

core::outcome accepted(std::string remote_id) {
  return {core::outcome_kind::accepted, std::move(remote_id), {}, {}, {}};
}

template_values values_of(const write_order& order) {
  return {order.source_id, order.remote_id, order.anchor_id};
}

bool takes_anchor(const operation_settings& operation) {
  return operation.path.uses(placeholder::anchor_id)
         || (operation.body_json && operation.body_json->uses(placeholder::anchor_id));
}

} // namespace

rest_writer::prepared_operation::prepared_operation(operation_settings from)
    : settings{std::move(from)}, uses_anchor{takes_anchor(settings)} {}

rest_writer::rest_writer(rest_settings settings) : settings_{std::move(settings)} {
  secrets_ = settings_.auth.secrets();
  if (!settings_.idempotency_header.empty()) {
    idempotency_prefix_ = settings_.idempotency_header + ": ";
  }
  for (std::size_t i = 0; i < settings_.operations.size(); ++i) {
    if (auto& operation = settings_.operations[i]) {
      prepare(static_cast<core::operation>(i), std::move(*operation));
    }
  }
  settings_.operations = {};
  traits_.requests_per_minute = settings_.requests_per_minute;
  traits_.has_lookup = supports(core::operation::lookup);
  traits_.honours_key = !settings_.idempotency_header.empty();
  traits_.key_lifetime = settings_.key_lifetime;
  traits_.needs_token = settings_.auth.type == rest_auth::kind::oauth2_client_credentials;
  traits_.create_repeatable = repeatable(core::operation::create);
}

void rest_writer::prepare(core::operation op, operation_settings from) {
  auto& made = operations_[static_cast<std::size_t>(op)].emplace(std::move(from));
  traits_.uses_anchor = traits_.uses_anchor || made.uses_anchor;
  auto& path = made.settings.path;
  path.prepend(settings_.base_url);
  if (settings_.auth.type == rest_auth::kind::api_key && !settings_.auth.query.empty()) {
    path.add_query(settings_.auth.query, settings_.auth.key);
  }
  made.common_headers = std::make_shared<const core::header_lines>(header_lines_of(settings_, made.settings));
  if (op == core::operation::create) {
    made.id.emplace(made.settings.id);
  }
  if (op == core::operation::lookup) {
    made.matches.emplace(made.settings.matches);
  }
}

bool rest_writer::supports(core::operation op) const noexcept {
  return of(op).has_value();
}

bool rest_writer::repeatable(core::operation op) const noexcept {
  return of(op) && of(op)->settings.repeatable;
}

bool rest_writer::uses_anchor(core::operation op) const noexcept {
  return of(op) && of(op)->uses_anchor;
}

std::string rest_writer::render_body(const write_order& order, std::string projection) const {
  const auto& operation = of(order.op);
  if (!operation || operation->settings.body == body_form::none) {
    return {};
  }
  if (operation->settings.body == body_form::from_template) {
    return operation->settings.body_json->render(values_of(order), projection);
  }
  return projection.empty() ? std::string{"{}"} : projection;
}

core::http_request rest_writer::build(const write_order& order, std::string body,
                                      std::string_view token) const {
  core::http_request request;
  const auto& operation = of(order.op);
  // Without its parent's id the request would name another resource, or another parent.
  const bool incomplete = operation && operation->uses_anchor && order.anchor_id.empty();
  auto url = operation && !incomplete ? operation->settings.path.fill_in(values_of(order)) : std::nullopt;
  if (!url) {
    return request;
  }
  request.method = operation->settings.method;
  request.url = std::move(*url);
  request.common_headers = operation->common_headers;
  request.body = std::move(body);
  request.http2 = settings_.http2;
  if (!idempotency_prefix_.empty() && !order.idempotency_key.empty()) {
    request.headers.emplace_back(idempotency_prefix_).append(order.idempotency_key);
  }
  if (!token.empty()) {
    request.headers.emplace_back("Authorization: Bearer ").append(token);
  }
  return request;
}

core::outcome rest_writer::read(const write_order& order, const core::http_answer& answer) const {
  const auto& operation = of(order.op);
  const answer_context context{order.op, repeatable(order.op), traits_.has_lookup};
  const bool has_status =
      answer.error == core::call_error::none || answer.error == core::call_error::answer_too_large;
  if (!has_status || answer.status == 0) {
    return outcome_without_answer(answer, context, secrets_);
  }
  const auto& rules = operation ? operation->settings.answers : settings_.answers;
  const auto kind = kind_of(rules.meaning(answer.status, answer.body), context);
  if (kind == core::outcome_kind::accepted && operation) {
    return read_success(order, context, answer);
  }
  return kind == core::outcome_kind::accepted ? accepted({}) : outcome_of_refusal(answer, kind, secrets_);
}

core::outcome rest_writer::read_success(const write_order& order, const answer_context& context,
                                        const core::http_answer& answer) const {
  using core::outcome_kind;
  const auto& operation = *of(order.op);
  const bool cut = answer.error == core::call_error::answer_too_large;
  if (operation.id) {
    auto id = operation.id->read(answer, order.source_id);
    if (id) {
      return accepted(std::move(*id));
    }
    return {context.doubtful() ? outcome_kind::ambiguous : outcome_kind::transient,
            {},
            cut ? "answer_too_large" : "no_id_in_answer",
            std::move(id.error()),
            {}};
  }
  if (!operation.matches) {
    return accepted({});
  }
  auto found = operation.matches->read(answer.body, order.source_id);
  switch (found.what) {
  case match_reader::found::one:
    return accepted(std::move(found.remote_id));
  case match_reader::found::none:
    return {outcome_kind::gone, {}, "not_found", "the lookup found no match", {}};
  case match_reader::found::several:
    return {outcome_kind::several, {}, "several_matches", std::move(found.error), {}};
  case match_reader::found::unreadable:
    break;
  }
  return {
      outcome_kind::rejected, {}, cut ? "answer_too_large" : "unreadable_answer", std::move(found.error), {}};
}

std::optional<core::http_request> rest_writer::token_request() const {
  if (!traits_.needs_token) {
    return std::nullopt;
  }
  return client_credentials_request(settings_.auth, settings_.http2);
}

std::expected<writer::access_token, core::outcome>
rest_writer::read_token(const core::http_answer& answer) const {
  return read_client_credentials(answer, secrets_);
}

} // namespace sluice::providers
