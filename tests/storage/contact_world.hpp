#pragma once

#include "core/contact_record.hpp"
#include "core/profile_record.hpp"
#include "storage/audit.hpp"
#include "storage/contact_points.hpp"
#include "storage/provider_profiles.hpp"
#include "storage/rules.hpp"
#include "tests/storage/world.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sluice::tests {

/// Keys by name; what they are made of follows from the name alone.
inline crypto::key_ring ring_of(const std::vector<std::string>& names) {
  std::vector<crypto::named_key> keys;
  for (const auto& name : names) {
    std::string text;
    for (std::size_t at = 0; text.size() < 64; ++at)
      text += "0123456789abcdef"[static_cast<unsigned char>(name[at % name.size()]) % 16];
    keys.push_back({name, text});
  }
  auto ring = crypto::key_ring::read(keys);
  if (!ring)
    FAIL(ring.error());
  return std::move(*ring);
}

/// A world whose tenants "acme" and "globex" have contact points and profiles. Each step is a transaction of
/// its own.
struct contact_world : world {
  explicit contact_world(storage::engine kind) : world(kind) {
    storage::configuration plan;
    plan.tenants = {"acme", "globex"};
    committed(db(),
              [&](storage::session& in) { return storage::apply_configuration(in, plan, {}, at(), true); });
  }

  crypto::key_ring sealing = ring_of({"seal-a"});
  crypto::key_ring fingerprints = ring_of({"find-b"});

  [[nodiscard]] storage::contact_keys rings() const { return {sealing, fingerprints}; }

  static core::contact_wish wish(const std::string& address, std::string tenant = "acme",
                                 core::contact_kind kind = core::contact_kind::email) {
    core::contact_wish made;
    made.tenant = std::move(tenant);
    made.address = {kind, address};
    made.by = "ada";
    return made;
  }

  storage::result<core::found_contact> try_contact(const core::contact_wish& what,
                                                   core::timestamp now = at()) {
    return storage::transact(db(), [&](storage::session& in) {
      return storage::find_or_create_contact_point(in, what, rings(), now);
    });
  }

  core::found_contact contact(const core::contact_wish& what, core::timestamp now = at()) {
    return must(try_contact(what, now));
  }

  core::contact_record contact(const std::string& address) { return contact(wish(address)).record; }

  std::optional<std::string> address_of(const core::contact_record& of) {
    const auto opened = must(storage::open_contact_point(db(), of.id, sealing));
    return opened ? std::optional(opened->address.text) : std::nullopt;
  }

  std::optional<core::contact_record> stored(const core::contact_record& of) {
    return must(storage::find_contact_point(db(), of.public_id, {}));
  }

  static core::contact_suppression told(core::suppression_reason reason, core::timestamp when = at(10)) {
    core::contact_suppression made;
    made.reason = reason;
    made.detail = "550 5.1.1";
    made.at = when;
    made.by = "mail";
    return made;
  }

  bool suppress(const core::contact_record& of, const core::contact_suppression& what) {
    return committed(db(),
                     [&](storage::session& in) { return storage::suppress_contact_point(in, of.id, what); });
  }

  bool lift(const core::contact_record& of, core::timestamp now = at(20)) {
    return committed(db(), [&](storage::session& in) {
      return storage::lift_suppression(in, {of.id, "ada", "She asked for it."}, now);
    });
  }

  bool remove(const core::contact_record& of, core::timestamp now = at(30)) {
    return committed(db(),
                     [&](storage::session& in) { return storage::remove_contact_point(in, of.id, now); });
  }

  std::vector<core::audit_entry> audit(const std::string& subject) {
    core::audit_page page;
    page.subject = subject;
    return must(storage::list_audit(db(), page));
  }

  static core::provider_profile profile(const std::string& name, std::string tenant = "acme") {
    core::provider_profile made;
    made.tenant = std::move(tenant);
    made.name = name;
    made.provider = core::provider_kind::smtp;
    made.settings = R"({"host":"mail.example.com"})";
    made.credentials = R"({"password":"pw-)" + name + "\"}";
    return made;
  }

  storage::result<core::profile_record> try_profile(const core::provider_profile& what,
                                                    core::timestamp now = at()) {
    return storage::transact(
        db(), [&](storage::session& in) { return storage::make_profile(in, what, sealing, now); });
  }

  core::profile_record make(const core::provider_profile& what) { return must(try_profile(what)); }

  std::optional<core::provider_profile> loaded(const core::profile_record& of) {
    return must(storage::load_profile(db(), of.profile.id, sealing));
  }

  /// How many rows of the database hold the text in any column.
  [[nodiscard]] std::int64_t rows_with(const std::string& text) const;
};

} // namespace sluice::tests
