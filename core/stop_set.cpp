#include "core/stop_set.hpp"

namespace sluice::core {

void stop_set::add(const stop_target& where) {
  switch (where.scope) {
  case stop_scope::global:
    global_ = true;
    return;
  case stop_scope::connection:
    connections_.insert(where.connection);
    return;
  case stop_scope::rule:
    owners_.insert(where.rule);
    return;
  case stop_scope::subscription:
    owners_.insert(where.subscription);
    return;
  case stop_scope::profile:
    owners_.insert(where.profile);
    return;
  }
}

void stop_set::remove(const stop_target& where) {
  switch (where.scope) {
  case stop_scope::global:
    global_ = false;
    return;
  case stop_scope::connection:
    connections_.erase(where.connection);
    return;
  case stop_scope::rule:
    owners_.erase(where.rule);
    return;
  case stop_scope::subscription:
    owners_.erase(where.subscription);
    return;
  case stop_scope::profile:
    owners_.erase(where.profile);
    return;
  }
}

} // namespace sluice::core
