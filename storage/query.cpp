#include "storage/soci_session.hpp"

#include <cassert>

namespace sluice::storage {
namespace {

/// Into a target of type T, NULL as T's default.
template <class T, class Slot>
void deliver_number(Slot& from) {
  auto& target = *static_cast<T*>(from.target);
  target = from.indicator == soci::i_null ? T{} : static_cast<T>(from.number);
}

template <class Slot>
core::timestamp time_of(const Slot& from) {
  return core::from_us(from.number);
}

} // namespace

query::query(session& db, std::string_view text) : session_(db.raw()) {
  auto& cache = session_.statements;
  auto found = cache.find(text);
  if (found == cache.end()) {
    std::string key(text);
    auto fresh = std::make_unique<soci::statement>(*session_.sql);
    fresh->alloc();
    fresh->prepare(key);
    found = cache.emplace(std::move(key), std::move(fresh)).first;
  }
  entry_ = cache.extract(found);
  statement_ = entry_.mapped().get();
}

query::~query() {
  try {
    statement_->bind_clean_up();
    // A SELECT that was not read to its end would pin the WAL and block the session's next write.
    if (session_.where.kind == engine::sqlite)
      sqlite_api::sqlite3_reset(
          static_cast<soci::sqlite3_statement_backend*>(statement_->get_backend())->stmt_);
    session_.statements.insert(std::move(entry_)); // where a nested use left one already, this one ends here
  } catch (...) {
    statement_ = nullptr; // goes with its entry and is prepared anew
  }
}

query::slot& query::input() {
  assert(!executed_);
  return slots_.emplace_back();
}

query& query::use(const char* name, std::int64_t value) {
  auto& one = input();
  one.number = value;
  statement_->exchange(soci::use(one.number, one.indicator, name));
  return *this;
}

query& query::use(const char* name, std::string value) {
  auto& one = input();
  one.text = std::move(value);
  statement_->exchange(soci::use(one.text, one.indicator, name));
  return *this;
}

query& query::use_null(const char* name) {
  auto& one = input();
  one.indicator = soci::i_null;
  statement_->exchange(soci::use(one.text, one.indicator, name));
  return *this;
}

query::slot& query::number_output(void* target, void (*deliver)(slot&)) {
  auto& one = input();
  one.target = target;
  one.deliver = deliver;
  outputs_.push_back(&one);
  statement_->exchange(soci::into(one.number, one.indicator));
  return one;
}

query& query::into(std::int64_t& target) {
  number_output(&target, &deliver_number<std::int64_t, slot>);
  return *this;
}

query& query::into(std::int32_t& target) {
  number_output(&target, &deliver_number<std::int32_t, slot>);
  return *this;
}

query& query::into(bool& target) {
  number_output(&target, [](slot& from) {
    *static_cast<bool*>(from.target) = from.indicator != soci::i_null && from.number != 0;
  });
  return *this;
}

query& query::into(core::timestamp& target) {
  number_output(&target, [](slot& from) {
    *static_cast<core::timestamp*>(from.target) =
        from.indicator == soci::i_null ? core::timestamp{} : time_of(from);
  });
  return *this;
}

query& query::into(std::optional<std::int64_t>& target) {
  number_output(&target, [](slot& from) {
    auto& to = *static_cast<std::optional<std::int64_t>*>(from.target);
    to = from.indicator == soci::i_null ? std::nullopt : std::optional<std::int64_t>{from.number};
  });
  return *this;
}

query& query::into(std::optional<core::timestamp>& target) {
  number_output(&target, [](slot& from) {
    auto& to = *static_cast<std::optional<core::timestamp>*>(from.target);
    to = from.indicator == soci::i_null ? std::nullopt : std::optional{time_of(from)};
  });
  return *this;
}

query& query::into(std::string& target) {
  auto& one = input();
  one.target = &target;
  one.deliver = [](slot& from) {
    if (from.indicator == soci::i_null)
      static_cast<std::string*>(from.target)->clear();
  };
  outputs_.push_back(&one);
  statement_->exchange(soci::into(target, one.indicator));
  return *this;
}

query& query::into(std::optional<std::string>& target) {
  auto& one = input();
  one.target = &target;
  one.deliver = [](slot& from) {
    auto& to = *static_cast<std::optional<std::string>*>(from.target);
    to = from.indicator == soci::i_null ? std::nullopt : std::optional{from.text};
  };
  outputs_.push_back(&one);
  statement_->exchange(soci::into(one.text, one.indicator));
  return *this;
}

bool query::next() {
  bool found = false;
  if (executed_) {
    found = statement_->fetch();
  } else {
    statement_->define_and_bind();
    executed_ = true;
    found = statement_->execute(true);
  }
  if (found)
    for (auto* one : outputs_)
      one->deliver(*one);
  return found;
}

std::int64_t query::run() {
  while (next()) {
  }
  return statement_->get_affected_rows();
}

} // namespace sluice::storage
