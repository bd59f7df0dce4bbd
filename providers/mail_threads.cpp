#include "providers/mail_threads.hpp"

#include <pthread.h>
#include <system_error>
#include <utility>

namespace sluice::providers {

mail_threads::mail_threads(const transport_settings& settings, const dial_guard& guard,
                           const core::time_source& time, std::function<void()> tell)
    : settings_(settings), guard_(guard), time_(time), tell_(std::move(tell)) {}

mail_threads::~mail_threads() {
  give_up();
}

void mail_threads::send(core::outbound_call call) {
  auto& mine = sessions_.emplace_back();
  mine.mail = std::make_unique<curl_mail>(settings_, guard_, time_, std::move(call));
  try {
    mine.thread = std::thread([this, &mine] { run(mine); });
  } catch (const std::system_error&) {
    mine.answer =
        core::call_answer{.id = mine.mail->call().id, .owner = mine.mail->call().owner, .answer = {}};
    mine.answer->answer.error = core::call_error::not_connected;
    mine.answer->answer.detail = "the system gave no thread to send it on";
    mine.answer->answer.started_at = mine.answer->answer.ended_at = time_.wall();
    tell_();
  }
}

void mail_threads::run(session& mine) {
  ::pthread_setname_np(::pthread_self(), "sluice.mail");
  auto answer = mine.mail->send();
  {
    const std::lock_guard lock(mutex_);
    mine.answer = std::move(answer);
  }
  tell_();
}

std::vector<mail_threads::sent> mail_threads::collect() {
  std::list<session> ended;
  {
    const std::lock_guard lock(mutex_);
    for (auto at = sessions_.begin(); at != sessions_.end();) {
      const auto here = at++;
      if (here->answer)
        ended.splice(ended.end(), sessions_, here);
    }
  }
  std::vector<sent> answers;
  for (auto& one : ended) {
    if (one.thread.joinable())
      one.thread.join();
    answers.push_back({.connection = one.mail->call().connection, .answer = *std::move(one.answer)});
  }
  return answers;
}

void mail_threads::give_up() {
  for (const auto& one : sessions_)
    one.mail->give_up();
  for (auto& one : sessions_)
    if (one.thread.joinable())
      one.thread.join();
}

} // namespace sluice::providers
