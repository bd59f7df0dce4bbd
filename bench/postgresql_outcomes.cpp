#include "bench/outcome_writer.hpp"
#include "bench/records.hpp"

#include <array>
#include <libpq-fe.h>
#include <memory>

namespace sluice::bench {
namespace {

constexpr const char* schema = R"(
    DROP TABLE IF EXISTS ceiling_outcomes;
    CREATE TABLE ceiling_outcomes(
        rule_id bigint NOT NULL, source_id text COLLATE "C" NOT NULL, remote_id text NOT NULL, version bigint NOT NULL,
        status text NOT NULL, PRIMARY KEY (rule_id, source_id)))";

constexpr const char* insert_name = "ceiling_insert";
constexpr const char* insert_sql = "INSERT INTO ceiling_outcomes SELECT 1, s, r, v, 'delivered' "
                                   "FROM unnest($1::text[], $2::text[], $3::bigint[]) AS t(s, r, v)";

using result_owner = std::unique_ptr<PGresult, decltype(&PQclear)>;

result_owner own(PGresult* result) {
  return {result, &PQclear};
}

/// A group is one statement with one array a column, which is its own transaction: one round trip, one flush
/// of the log.
class postgresql_outcomes final : public outcome_store {
public:
  explicit postgresql_outcomes(PGconn* connection) : connection_(connection) {}
  ~postgresql_outcomes() override { PQfinish(connection_); }
  postgresql_outcomes(const postgresql_outcomes&) = delete;
  postgresql_outcomes& operator=(const postgresql_outcomes&) = delete;

  bool prepare() {
    if (PQstatus(connection_) != CONNECTION_OK) {
      return false;
    }
    PQsetNoticeProcessor(connection_, [](void*, const char*) {}, nullptr);
    return PQresultStatus(own(PQexec(connection_, schema)).get()) == PGRES_COMMAND_OK
           && PQresultStatus(own(PQprepare(connection_, insert_name, insert_sql, 3, nullptr)).get())
                  == PGRES_COMMAND_OK;
  }

  std::expected<void, std::string> write(std::span<const outcome> outcomes) override {
    source_ids_.assign(1, '{');
    remote_ids_.assign(1, '{');
    versions_.assign(1, '{');
    for (const auto& one : outcomes) {
      append(source_ids_, make_source_id(one.number));
      append(remote_ids_, one.remote_id);
      append(versions_, std::to_string(one.version));
    }
    source_ids_.back() = '}';
    remote_ids_.back() = '}';
    versions_.back() = '}';
    const std::array<const char*, 3> values{source_ids_.c_str(), remote_ids_.c_str(), versions_.c_str()};
    const auto result = own(PQexecPrepared(connection_, insert_name, 3, values.data(), nullptr, nullptr, 0));
    if (PQresultStatus(result.get()) != PGRES_COMMAND_OK) {
      return failure();
    }
    return {};
  }

  [[nodiscard]] std::unexpected<std::string> failure() const {
    return std::unexpected(std::string("PostgreSQL: ") + PQerrorMessage(connection_));
  }

private:
  // Ids here are letters and digits, which an array literal takes unquoted.
  static void append(std::string& array, const std::string& element) {
    array += element;
    array += ',';
  }

  PGconn* connection_;
  std::string source_ids_;
  std::string remote_ids_;
  std::string versions_;
};

} // namespace

std::expected<std::unique_ptr<outcome_store>, std::string>
open_postgresql_outcomes(const std::string& conninfo) {
  auto store = std::make_unique<postgresql_outcomes>(PQconnectdb(conninfo.c_str()));
  if (!store->prepare()) {
    return store->failure();
  }
  return store;
}

} // namespace sluice::bench
