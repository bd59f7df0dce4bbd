#pragma once

#include "harness/mock.hpp"
#include "messages/alarm.hpp"
#include "messages/breaker.hpp"
#include "messages/courier.hpp"
#include "messages/dispatcher.hpp"
#include "messages/fan_out.hpp"
#include "messages/notification_dispatcher.hpp"
#include "messages/notifier.hpp"
#include "messages/push_dispatcher.hpp"
#include "messages/reader.hpp"
#include "messages/reconciler.hpp"
#include "messages/recorder.hpp"
#include "messages/replayer.hpp"
#include "messages/subscription.hpp"
#include "messages/sync_rule.hpp"
#include "messages/throttle.hpp"
#include "messages/token_keeper.hpp"

/// A mock of each interface.
namespace sluice::harness {

using mock_alarm = mock<messages::alarm>;
using mock_alarm_listener = mock<messages::alarm_listener>;
using mock_breaker = mock<messages::breaker>;
using mock_call_asker = mock<messages::call_asker>;
using mock_courier = mock<messages::courier>;
using mock_dispatcher = mock<messages::dispatcher>;
using mock_fan_out = mock<messages::fan_out>;
using mock_notification_dispatcher = mock<messages::notification_dispatcher>;
using mock_notifier = mock<messages::notifier>;
using mock_projection_listener = mock<messages::projection_listener>;
using mock_push_dispatcher = mock<messages::push_dispatcher>;
using mock_reader = mock<messages::reader>;
using mock_reconciler = mock<messages::reconciler>;
using mock_recorder = mock<messages::recorder>;
using mock_replayer = mock<messages::replayer>;
using mock_subscription = mock<messages::subscription>;
using mock_sync_rule = mock<messages::sync_rule>;
using mock_throttle = mock<messages::throttle>;
using mock_token_keeper = mock<messages::token_keeper>;

} // namespace sluice::harness
