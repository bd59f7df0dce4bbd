#include "actors/verifier.hpp"

#include <algorithm>
#include <utility>

/// The third part of the verifier: one row, from the ledger to the report.
namespace sluice::actors {

namespace m = messages;

void verifier_state::look_up(core::ledger_row row) {
  if (auto judged = core::judged_without_lookup(row))
    conclude(row, std::move(*judged));
  else if (hand_->delivery->lookup_needs_anchor())
    find_parent(std::move(row));
  else
    hand_->desk->add(std::move(row), {});
}

namespace {

m::read_record question_about(const core::sync_rule& rule, const core::ledger_row& row) {
  return {rule.id, rule.source, rule.domain, row.source_id};
}

core::comparison without_parent(std::string sentence) {
  return {core::drift::unknown, {}, "no_parent", std::move(sentence)};
}

} // namespace

void verifier_state::find_parent(core::ledger_row row) {
  const auto question = question_about(hand_->context.rule, row);
  ask<m::record_read>(resources_.reader, question, [this, row](m::record_read& found) {
    auto parent = hand_->delivery->parent_of(found.about.record);
    if (parent.empty())
      conclude(row, without_parent("the lookup needs the id of its parent, and its record names none"));
    else
      find_anchor(row, std::move(parent));
  });
}

void verifier_state::find_anchor(core::ledger_row row, std::string parent) {
  if (!hand_->context.parent) {
    conclude(row, without_parent("no rule delivers its parent " + parent + ", whose id the lookup needs"));
    return;
  }
  m::read_anchors question{*hand_->context.parent, {parent}};
  ask<m::anchors_read>(resources_.reader, std::move(question), [this, row, parent](m::anchors_read& found) {
    if (found.anchors.empty()) {
      conclude(row, without_parent("the lookup needs the id of its parent " + parent
                                   + ", which the target does not hold"));
      return;
    }
    hand_->desk->add(row, std::move(found.anchors.front().remote_id));
    hand_->desk->pump();
  });
}

void verifier_state::on_told(core::ledger_row row, const core::outcome& said) {
  auto compared = core::compare_with_target(row, said);
  if (core::is_drift(compared.finding))
    read_again(std::move(row), std::move(compared));
  else
    conclude(row, std::move(compared));
}

/// The row may be of before what the target was asked: only one that still stands is held against it.
void verifier_state::read_again(core::ledger_row row, core::comparison compared) {
  const auto question = question_about(hand_->context.rule, row);
  ask<m::record_read>(resources_.reader, question, [this, row, compared](m::record_read& now) {
    const auto written = !now.about.row || now.about.row->row_version != row.row_version;
    const auto stands = !written && !now.intent && !now.call_out;
    if (stands) {
      conclude(row, compared);
    } else {
      report_->add_changed();
      row_done();
    }
  });
}

void verifier_state::conclude(const core::ledger_row& row, core::comparison compared) {
  report_->add(row, std::move(compared));
  row_done();
}

void verifier_state::row_done() {
  report_->total = std::max(report_->total, report_->examined);
  if (--hand_->open == 0)
    next_page();
}

} // namespace sluice::actors
