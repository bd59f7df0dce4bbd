#pragma once

#include "actors/rule_links.hpp"
#include "core/callback_audit.hpp"
#include "messages/callback_intake.hpp"
#include "messages/callback_records.hpp"

#include <caf/error.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace sluice::actors {

/// Refused callbacks on their way into the security audit; a part of the callback intake. Anybody may post,
/// so what waits is bounded, one batch is out at a time, and nobody waits for it.
class callback_audit {
public:
  callback_audit(messages::callback_intake::pointer self, std::shared_ptr<const node_links> node,
                 messages::callback_recorder recorder)
      : self_(self), node_(std::move(node)), recorder_(std::move(recorder)) {}

  void add(core::refused_callback refused);

private:
  void write();
  void on_failed(std::size_t lost, const caf::error& error);

  messages::callback_intake::pointer self_;
  std::shared_ptr<const node_links> node_;
  messages::callback_recorder recorder_;
  std::vector<core::refused_callback> waiting_;
  std::size_t dropped_ = 0; ///< since a batch was last written
  bool writing_ = false;
};

} // namespace sluice::actors
