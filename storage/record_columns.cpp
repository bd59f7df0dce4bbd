#include "storage/record_columns.hpp"

namespace sluice::storage {
namespace {

std::optional<core::timestamp> optional_time(const direct_statement& row, int column) {
  if (row.is_null(column))
    return std::nullopt;
  return core::from_us(row.number(column));
}

core::deletion_reason reason_of(std::string_view text) {
  // Columns of a record that an outer join did not find are NULL.
  return text.empty() ? core::deletion_reason::none
                      : known(core::parse_deletion_reason(text), "deletion_reason");
}

core::ledger_row read_ledger_row(const direct_statement& from) {
  core::ledger_row row;
  row.source_id = from.text(7);
  row.status = known(core::parse_delivery_status(from.text(8)), "status");
  row.target = known(core::parse_target_state(from.text(9)), "target_state");
  row.remote_id = from.text(10);
  row.delivered_content_changed_at = optional_time(from, 11);
  row.seen_content_changed_at = core::from_us(from.number(12));
  row.seen_revision = from.number(13);
  row.attempts = static_cast<std::int32_t>(from.number(14));
  row.next_attempt_at = optional_time(from, 15);
  row.error_class = from.text(16);
  row.error = from.text(17);
  row.create_generation = static_cast<std::int32_t>(from.number(18));
  row.anchor_source_id = from.text(19);
  row.row_version = from.number(20);
  row.trashed = !from.is_null(21);
  return row;
}

} // namespace

std::string mirror_lookup(std::string_view source, std::string_view domain, std::string_view source_id) {
  std::string text =
      "LATERAL (SELECT * FROM mirror_records WHERE (source_connection_id, domain, source_id) >= (";
  text.append(source).append(", ").append(domain).append(", ").append(source_id);
  return text + ") ORDER BY source_connection_id, domain, source_id LIMIT 1)";
}

std::string mirror_lookup(std::string_view source_id) {
  return mirror_lookup(":source", ":domain", source_id);
}

void mirror_target::bind(query& rows) {
  rows.into(record_.id)
      .into(record_.source_id)
      .into(record_.content_changed_at)
      .into(record_.deleted_at)
      .into(reason_)
      .into(record_.payload);
}

core::mirror_record mirror_target::take() {
  record_.reason = reason_of(reason_);
  return std::move(record_);
}

void ledger_target::bind(query& rows) {
  rows.into(rule_)
      .into(row_.source_id)
      .into(status_)
      .into(target_)
      .into(row_.remote_id)
      .into(row_.delivered_content_changed_at)
      .into(row_.seen_content_changed_at)
      .into(row_.seen_revision)
      .into(row_.attempts)
      .into(row_.next_attempt_at)
      .into(row_.error_class)
      .into(row_.error)
      .into(row_.create_generation)
      .into(row_.anchor_source_id)
      .into(row_.row_version)
      .into(deleted_at_);
}

std::optional<core::ledger_row> ledger_target::take() {
  if (!rule_)
    return std::nullopt;
  row_.status = known(core::parse_delivery_status(status_), "status");
  row_.target = known(core::parse_target_state(target_), "target_state");
  row_.trashed = deleted_at_.has_value();
  return std::move(row_);
}

core::candidate read_candidate(const direct_statement& row) {
  core::candidate found;
  auto& record = found.record;
  record.id = core::record_id{row.number(0)};
  record.source_id = row.text(1);
  record.content_changed_at = core::from_us(row.number(2));
  record.deleted_at = optional_time(row, 3);
  record.reason = reason_of(row.text(4));
  record.payload = row.text(5);
  if (!row.is_null(6))
    found.row = read_ledger_row(row);
  return found;
}

} // namespace sluice::storage
