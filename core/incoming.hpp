#pragma once

#include <cstdint>
#include <string>

/// What a source tells of its records, on its way into the mirror.
namespace sluice::core {

/// A record as a source tells it. Checked before it gets here: valid JSON, UTF-8, no NUL, a source id of 1 to
/// 512 bytes.
struct incoming_record {
  std::string source_id;
  std::string payload;
};

/// One step of what a source tells.
struct incoming_change {
  incoming_record record; ///< without a payload where it is …
  bool gone = false;      ///< … deleted at the source
};

/// What became of changes in the mirror, each record counted once.
struct incoming_counts {
  std::int64_t inserted = 0;
  std::int64_t changed = 0;
  std::int64_t unchanged = 0; ///< same payload, still live: neither row nor change signal is touched
  std::int64_t restored = 0;  ///< was a tombstone, came back
  std::int64_t deleted = 0;
  std::int64_t not_there = 0; ///< deleted at the source, and not live in the mirror

  incoming_counts& operator+=(const incoming_counts& more) noexcept;

  friend bool operator==(const incoming_counts&, const incoming_counts&) = default;
};

inline incoming_counts& incoming_counts::operator+=(const incoming_counts& more) noexcept {
  inserted += more.inserted;
  changed += more.changed;
  unchanged += more.unchanged;
  restored += more.restored;
  deleted += more.deleted;
  not_there += more.not_there;
  return *this;
}

template <class Inspector>
auto inspect(Inspector& f, incoming_record& x) {
  return f(x.source_id, x.payload);
}

template <class Inspector>
auto inspect(Inspector& f, incoming_change& x) {
  return f(x.record, x.gone);
}

template <class Inspector>
auto inspect(Inspector& f, incoming_counts& x) {
  return f(x.inserted, x.changed, x.unchanged, x.restored, x.deleted, x.not_there);
}

} // namespace sluice::core
