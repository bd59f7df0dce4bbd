#include "actors/record_delivery.hpp"

#include "providers/idempotency_key.hpp"

#include <utility>

namespace sluice::actors {

using core::action;
using core::operation;
using core::outcome_kind;

namespace {

std::string listed(const std::vector<std::string>& faults) {
  std::string text;
  for (const auto& fault : faults)
    text += (text.empty() ? "" : "; ") + fault;
  return text;
}

operation operation_of(action decided, core::delete_policy deletes) {
  switch (decided) {
  case action::update:
    return operation::update;
  case action::reactivate:
    return operation::reactivate;
  case action::withdraw:
    return deletes == core::delete_policy::delete_record ? operation::remove : operation::deactivate;
  default:
    return operation::create;
  }
}

/// The row says already that this very version is at the target: writing it again would change nothing.
bool says_so_already(const core::candidate& candidate, std::int64_t revision) {
  const auto& row = *candidate.row;
  auto looked_at =
      row.seen_content_changed_at == candidate.record.content_changed_at && row.seen_revision == revision;
  return looked_at && !row.next_attempt_at
         && (row.status == core::delivery_status::delivered
             || row.status == core::delivery_status::suppressed);
}

/// The target holds the record, as far as its row says.
bool holds(const core::candidate& candidate) {
  return candidate.row && candidate.row->target != core::target_state::absent;
}

std::int32_t generation_of(const core::candidate& candidate) {
  return candidate.row ? candidate.row->create_generation : 0;
}

/// The create waits for what its lookup finds; only then does it need its intent.
void look_before(order& create) {
  create.op = operation::lookup;
  create.looks_first = true;
  create.needs_intent = false;
  create.body_of_create = std::exchange(create.body, {});
}

} // namespace

std::expected<std::unique_ptr<record_delivery>, std::string>
record_delivery::make(core::sync_rule rule, const core::connection& target,
                      const config::delivery_settings& settings, std::uint32_t seed) {
  auto writer = providers::make_writer(target, rule.domain);
  if (!writer)
    return std::unexpected{"connection " + target.name + ": " + listed(writer.error())};
  auto mapping = core::mapping::compile(rule.mapping);
  if (!mapping)
    return std::unexpected{"mapping: " + listed(mapping.error())};
  std::optional<core::filter> filter;
  if (!rule.filter.empty()) {
    auto compiled = core::filter::compile(rule.filter);
    if (!compiled)
      return std::unexpected{"filter: " + listed(compiled.error())};
    filter.emplace(std::move(*compiled));
  }
  std::optional<core::payload_reader> parent;
  if (rule.dependent()) {
    auto compiled = core::payload_reader::compile({rule.anchor_pointer});
    if (!compiled)
      return std::unexpected{"anchor_pointer: " + compiled.error()};
    parent.emplace(std::move(*compiled));
  }
  std::unique_ptr<record_delivery> made{
      new record_delivery(std::move(rule), std::move(*writer), settings, seed)};
  made->mapping_.emplace(std::move(*mapping));
  made->filter_ = std::move(filter);
  made->parent_ = std::move(parent);
  return made;
}

record_delivery::record_delivery(core::sync_rule rule, std::shared_ptr<const providers::writer> writer,
                                 const config::delivery_settings& settings, std::uint32_t seed)
    : rule_(std::move(rule)), writer_(std::move(writer)), retries_{settings.retry_schedule},
      settle_after_(settings.settle_after), jitter_(seed) {}

bool record_delivery::passes_filter(const core::mirror_record& record) {
  // A payload that cannot be read passes here: its projection then fails and names the fault.
  return filter_->passes(record.payload).value_or(true);
}

/// A dependent record that names no parent can wait for none.
bool record_delivery::projects(const core::candidate& candidate, const judge_facts& with) {
  if (rule_.dependent() && with.parent.empty() && (!holds(candidate) || needs_anchor())) {
    projection_fault_ = "the record names no parent at " + rule_.anchor_pointer;
    return false;
  }
  auto projected = mapping_->project(candidate.record, projection_, with.anchor_id);
  if (!projected)
    projection_fault_ = projected.error().field.empty()
                            ? projected.error().what
                            : projected.error().field + ": " + projected.error().what;
  return projected.has_value();
}

bool record_delivery::needs_anchor() const noexcept {
  return traits().uses_anchor || !mapping_->anchors().empty();
}

std::string record_delivery::parent_of(const core::mirror_record& record) {
  if (!parent_ || !parent_->read(record.payload, parent_value_))
    return {};
  auto& found = parent_value_.front();
  auto names = found.kind == core::value_kind::string || found.kind == core::value_kind::number;
  return names ? std::move(found.text) : std::string{};
}

core::booking record_delivery::booking(core::timestamp now) {
  auto jitter = std::uniform_real_distribution<double>{0, 1}(jitter_);
  return {rule_.revision, &retries_, now, jitter};
}

/// Holds on to both arguments.
core::decide_facts record_delivery::facts_of(const core::candidate& candidate, const judge_facts& with) {
  core::decide_facts facts;
  facts.step = with.step;
  facts.updates = rule_.updates;
  facts.deletes = rule_.deletes;
  facts.revision = rule_.revision;
  facts.dependent = rule_.dependent();
  facts.anchor_known = with.parent.empty() || !with.anchor_id.empty(); // none to wait for: see projects
  facts.anchor_needed = needs_anchor();
  facts.hold_live = with.hold_live;
  facts.withdrawal_allowed = with.withdrawal_allowed;
  facts.resend = with.resend;
  if (filter_)
    facts.filter_passes = [&] { return passes_filter(candidate.record); };
  facts.projects = [&] { return projects(candidate, with); };
  return facts;
}

judged record_delivery::judge(core::candidate candidate, const judge_facts& with, core::timestamp now) {
  auto left_the_mirror = !candidate.record.id; // only a drain meets it: it reads ledger rows
  if (left_the_mirror)
    candidate.record.source_id = candidate.row->source_id;
  auto decided = left_the_mirror ? action::skip : core::decide(candidate, facts_of(candidate, with), now);
  judged result;
  result.decided = decided;
  if (decided == action::suppress && says_so_already(candidate, rule_.revision))
    return result;
  switch (decided) {
  case action::skip:
    if (with.step != core::step_kind::drain || !candidate.row)
      return result;
    [[fallthrough]];
  case action::suppress:
  case action::filter:
  case action::refuse:
  case action::await:
  case action::hold:
    result.row = unsent(candidate, decided, with.parent, now);
    break;
  default:
    return order_for(std::move(candidate), with, decided, now);
  }
  result.what = judged::kind::booked;
  return result;
}

/// The row of what was decided without a call.
core::ledger_row record_delivery::unsent(const core::candidate& candidate, action decided,
                                         const std::string& parent, core::timestamp now) {
  switch (decided) {
  case action::await:
    return core::book_await(candidate, booking(now), parent,
                            "Waits until the target holds its parent in " + rule_.anchor_domain + ".");
  case action::refuse:
    return core::book_local(candidate, decided, booking(now), "projection", std::move(projection_fault_));
  default:
    return core::book_local(candidate, decided, booking(now), {}, {});
  }
}

/// Its address at the target holds the id of a parent the target does not hold: no call could be made. It
/// counts as one that was rejected, and finds the parent there again on a later attempt.
core::ledger_row record_delivery::unaddressed(const core::candidate& candidate, const judge_facts& with,
                                              operation op, core::timestamp now) {
  core::outcome none{outcome_kind::rejected,
                     {},
                     "no_parent",
                     "its address at the target needs the id of its parent " + with.parent + " in "
                         + rule_.anchor_domain + ", which the target does not hold",
                     {}};
  return core::book_outcome(candidate, op, none, candidate.record.content_changed_at, booking(now));
}

judged record_delivery::order_for(core::candidate candidate, const judge_facts& with, action decided,
                                  core::timestamp now) {
  judged result;
  result.decided = decided;
  const auto op = operation_of(decided, rule_.deletes);
  auto updates_after = op == operation::reactivate && rule_.updates == core::update_mode::overwrite;
  if (!writer_->supports(op) || (updates_after && !writer_->supports(operation::update))) {
    result.what = judged::kind::fault;
    result.reason = "record " + candidate.record.source_id + " asks for " + std::string{to_string(op)}
                    + ", which the writer of the target connection has no operation for";
    return result;
  }
  if (op != operation::create && writer_->uses_anchor(op) && with.anchor_id.empty()) {
    result.what = judged::kind::booked;
    result.row = unaddressed(candidate, with, op, now);
    return result;
  }
  result.what = judged::kind::ordered;
  auto& next = result.next;
  next.held_before = holds(candidate);
  next.about = std::move(candidate);
  next.step = with.step;
  next.op = op;
  next.anchor_id = with.anchor_id;
  next.version = next.about.record.content_changed_at;
  next.then_update = updates_after;
  next.needs_intent = op == operation::create ? !writer_->repeatable(op) : op != operation::update;
  if (next.needs_intent && op == operation::create && traits().honours_key)
    next.key =
        providers::idempotency_key(rule_.public_id, next.about.record.source_id, generation_of(next.about));
  auto carries_fields = op == operation::create || op == operation::update;
  next.body =
      writer_->render_body(write_order_of(next), carries_fields ? std::exchange(projection_, {}) : "");
  if (!next.then_update)
    next.about.record.payload = {};
  if (op == operation::create && with.look_first && traits().has_lookup)
    look_before(next);
  return result;
}

core::http_request record_delivery::request(order& order, std::string_view access_token) const {
  order.token = access_token;
  return writer_->build(write_order_of(order), order.body, access_token); // a copy: it may have to go again
}

} // namespace sluice::actors
