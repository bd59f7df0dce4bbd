#pragma once

#include "core/time.hpp"
#include "storage/session.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace sluice::storage {

/// The one shard there is: whoever owns it is the node of this database.
inline constexpr const char* node_shard = "node";

/// What an owner shows with every write (D6): the shard it owns and the epoch under which it owns it.
struct fence {
  std::string shard;
  std::int64_t epoch = 0;
};

/// Fails with `fenced` unless the epoch is the shard's current one. Takes the ownership row's lock for the
/// rest of the transaction (PostgreSQL: SELECT … FOR KEY SHARE), so that the epoch cannot be raised before
/// this commits. The owner's own renewals do not wait for it: writes that overlap without end would starve
/// them. SQLite: the file lock below already keeps every other owner out; the epoch is compared all the same.
[[nodiscard]] result<void> check_fence(session& db, const fence& fence);

struct lease_answer {
  bool granted = false;
  fence mine;                 ///< when granted
  std::string holder;         ///< who has it, when not
  core::duration remaining{}; ///< how long the other's lease still runs, by the database's clock
};

/// Takes the shard if its lease has run out (by the database's clock) or was released, raising the epoch; a
/// lease that runs under our own node name is waited for like anyone else's (the caller asks again after
/// `remaining`).
[[nodiscard]] result<lease_answer> acquire_lease(session& db, const std::string& shard,
                                                 const std::string& node, core::duration length);

/// Prolongs a lease still ours; `fenced` when it is not.
[[nodiscard]] result<void> renew_lease(session& db, const fence& fence, core::duration length);

/// Gives it up, so that the next owner need not wait. Not ours any more: nothing happens.
[[nodiscard]] result<void> release_lease(session& db, const fence& fence);

/// Whose a shard is.
struct lease_state {
  std::string node;
  std::int64_t epoch = 0;
  bool released = false;      ///< its owner gave it up in order
  core::duration remaining{}; ///< by the database's clock; below zero: it ran out so long ago
};
[[nodiscard]] result<std::optional<lease_state>> read_lease(session& db, const std::string& shard);

/// SQLite's node lock: an operating-system lock on "<database>.lock" for as long as this lives. A second node
/// is refused with `refused` and told which process holds it.
class file_lock {
public:
  [[nodiscard]] static result<file_lock> take(const std::string& database_path);
  /// The process that holds it ("4711", or "another process" where it names none); nothing where it is free.
  [[nodiscard]] static std::optional<std::string> holder(const std::string& database_path);
  file_lock(file_lock&& other) noexcept;
  file_lock& operator=(file_lock&& other) noexcept;
  ~file_lock();

private:
  explicit file_lock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

} // namespace sluice::storage
