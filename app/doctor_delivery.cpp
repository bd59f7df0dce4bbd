#include "app/doctor_delivery.hpp"

#include "app/output.hpp"

#include <map>
#include <string>

namespace sluice::app {
namespace {

using core::connection_status;

std::string named(const storage::rule_between& one) {
  return "rule " + one.rule.name;
}

void judge_end(findings& found, const storage::rule_between& one, const std::string& connection,
               bool connected, connection_status status) {
  if (!connected)
    found.push_back(wrong("rules", named(one) + " needs connection " + connection + ", which is disconnected",
                          "run `sluice connections reconnect " + connection + "`, or switch the rule off"));
  else if (status == connection_status::inactive)
    found.push_back(wrong("rules", named(one) + " needs connection " + connection + ", which is inactive",
                          "make it active with `sluice apply`, or switch the rule off"));
  else if (status == connection_status::error)
    found.push_back(wrong("rules",
                          named(one) + " needs connection " + connection
                              + ", which is in error: " + printable(one.target_reason),
                          "apply the right credentials or settings; delivery goes on where it stopped"));
}

} // namespace

findings judge_credentials(const std::vector<storage::sealed_credentials>& credentials,
                           std::string_view sealing) {
  findings found;
  std::map<std::string, std::int64_t> opened;
  for (const auto& one : credentials) {
    if (one.fault)
      found.push_back(wrong("keys",
                            "the credentials of connection " + one.connection + ", sealed with key \""
                                + one.key + "\", do not open: " + *one.fault,
                            "give that key in keys.keys or keys.keys_file, or apply the credentials anew"));
    else
      ++opened[one.key];
  }
  if (sealing.empty() && credentials.empty())
    found.push_back(noted("keys", "the settings have no key: no connection can have credentials"));
  for (const auto& [key, count] : opened) {
    const auto says = "key \"" + key + "\" opens the credentials of " + grouped(count)
                      + (count == 1 ? " connection" : " connections");
    found.push_back(key == sealing
                        ? well("keys", says + " and seals new ones")
                        : noted("keys", says + "; new ones are sealed with \"" + std::string{sealing}
                                            + "\": keep the old one until they are applied anew"));
  }
  if (credentials.empty() && !sealing.empty())
    found.push_back(
        well("keys", "key \"" + std::string{sealing} + "\" seals; no connection has credentials yet"));
  return found;
}

findings judge_rule(const storage::rule_between& one, const storage::counted_records& late,
                    core::duration overlap) {
  findings found;
  judge_end(found, one, one.source, one.source_connected, one.source_status);
  judge_end(found, one, one.target, one.target_connected, one.target_status);
  if (one.source_connected && !one.has_records)
    found.push_back(noted("rules", named(one) + ": the mirror has no records of domain " + one.rule.domain
                                       + " from source " + one.source));
  if (late.count > 0) {
    const auto more = late.count >= storage::late_records_max ? "at least " : "";
    found.push_back(wrong(
        "late",
        named(one) + ": " + more + grouped(late.count) + " records were committed later than the overlap of "
            + core::to_text(overlap) + " behind its cursor, unnoticed by any trigger: "
            + printable(joined(late.examples, ", ")) + (late.count > 3 ? ", …" : ""),
        "run `sluice backfill start " + one.rule.name
            + "`; keep transactions that write the mirror shorter than delivery.scan_overlap"));
  }
  return found;
}

} // namespace sluice::app
