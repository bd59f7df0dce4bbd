#pragma once

#include "api/posting.hpp"
#include "config/settings.hpp"
#include "messages/recorder.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>

/// The intake: takes the records that sources post, on a thread of its own, and has the recorder store them.
///
/// The desk hands posts over, the server their bytes. A post's bytes are read only while it has no full
/// batch, and of all posts together only so many batches are at the recorder at once, in turn: so neither a
/// fast source nor many of them take more memory, or hold up deliveries for longer than those batches take.
///
///   reading --batch full--> waiting for its turn --> storing (and reading the next) --> … --> answered
///
/// It decides nothing about the records, and never has two batches of one post stored at once.
namespace sluice::api {

/// desk: somebody posts records. Its body is a stream or came whole.
struct take_post {
  wanted_posting wanted;
  request asked;
  responder answer;
};

/// server: a piece of a post's body. Like take_post it is a way onto the intake's thread and goes nowhere
/// else.
struct body_came {
  std::uint64_t post = 0;
  body_piece piece;
};

using intake_actor = caf::typed_actor<caf::reacts_to<take_post>, caf::reacts_to<body_came>>;

struct intake_resources {
  messages::recorder recorder; ///< on PostgreSQL one of its own
  config::intake_settings settings;
  std::int32_t queue_bytes_max = 0; ///< of an answer that comes in pieces
  core::duration request_timeout{};
};

class intake_state {
public:
  static constexpr const char* name = "intake";

  explicit intake_state(intake_actor::pointer self);
  ~intake_state();

  intake_actor::behavior_type behavior(intake_resources resources);

private:
  struct post;

  void on_take_post(take_post& message);
  void on_body_came(body_came& message);

  [[nodiscard]] core::batch_limits limits() const;
  void open(post& opened, take_post& message);
  void go_on(std::uint64_t number);
  void read(post& of);
  void store_ready();
  void store(post& of);
  void on_stored(std::uint64_t number, const messages::changes_recorded& answer);
  void on_not_stored(std::uint64_t number, const caf::error& error);
  void answer(post& of);

  intake_actor::pointer self_;
  intake_resources resources_;
  std::unordered_map<std::uint64_t, std::unique_ptr<post>> posts_;
  std::uint64_t last_number_ = 0;
  std::deque<std::uint64_t> ready_; ///< posts whose batch waits for its turn
  std::int64_t storing_ = 0;        ///< batches at the recorder
};

[[nodiscard]] intake_actor::behavior_type intake(intake_actor::stateful_pointer<intake_state> self,
                                                 intake_resources resources);

} // namespace sluice::api

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sluice::api::take_post)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sluice::api::body_came)
