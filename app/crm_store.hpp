#pragma once

#include "core/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sluice::app {

struct crm_request {
  std::string_view method;
  std::string_view target; ///< path and query as they came
  std::string_view body;
  std::string_view idempotency_key; ///< empty: none
  core::timestamp at{};             ///< when it came
};

struct crm_reply {
  int status = 200;
  std::string body; ///< JSON, or empty
};

/// What the stand-in target holds, and how it answers. Not for two threads at once.
class crm_store {
public:
  [[nodiscard]] crm_reply handle(const crm_request& request);

  /// The members of /_state's "collections", as a JSON object.
  [[nodiscard]] std::string state_json() const;
  /// {"items": […], "withdrawals": […]} of a collection; an unknown one is empty. Withdrawals are deletions
  /// and deactivations in the order they came.
  [[nodiscard]] std::string items_json(std::string_view name) const;

private:
  struct object {
    std::string external_id;
    bool active = true;
    std::map<std::string, std::string, std::less<>> fields; ///< name to JSON text
  };
  /// What a body asks for; what it does not name stays.
  struct changes {
    std::string external_id;
    std::optional<bool> active;
    std::map<std::string, std::string, std::less<>> fields;
  };
  struct withdrawal {
    std::int64_t id = 0;
    std::string external_id;
    std::string_view how; ///< "delete" or "deactivate"
    core::timestamp at{};
  };
  struct collection {
    std::map<std::int64_t, object> objects;
    std::unordered_map<std::string, std::vector<std::int64_t>> by_external_id; ///< live ones
    std::set<std::string> created_twice; ///< external ids created while another object had them
    std::int64_t last_id = 0;
    std::int64_t creates = 0;
    std::int64_t updates = 0;
    std::int64_t deletes = 0;
    std::int64_t deactivations = 0;
    std::int64_t reactivations = 0;
    std::vector<withdrawal> withdrawals;
    std::map<std::string, crm_reply, std::less<>> answers; ///< of creates, by idempotency key
  };

  static crm_reply create(collection& into, const crm_request& request);
  static crm_reply change(collection& in, std::int64_t id, const crm_request& request);
  static crm_reply remove(collection& from, std::int64_t id, core::timestamp now);
  static void set_active(collection& in, std::int64_t id, bool active, core::timestamp now);
  static crm_reply find(const collection& in, const std::string& external_id);
  static bool read_changes(std::string_view body, changes& into, crm_reply& fault);
  static void index(collection& in, std::int64_t id, const std::string& external_id);
  static void unindex(collection& in, std::int64_t id, const std::string& external_id);
  static void append_object(std::string& out, std::int64_t id, const object& from);
  static void append_withdrawal(std::string& out, const withdrawal& from);

  std::map<std::string, collection, std::less<>> collections_;
};

} // namespace sluice::app
