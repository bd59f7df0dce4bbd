#include "storage/answers.hpp"

#include "crypto/seal.hpp"
#include "storage/soci_session.hpp"

namespace sluice::storage {
namespace {

constexpr std::int64_t removed_in_passing = 10;

std::string place_of(std::string_view key_digest) {
  return "api answer:" + std::string(key_digest);
}

void remove_old(session& db, core::timestamp before) {
  query(db, "DELETE FROM api_answers WHERE key_digest IN (SELECT key_digest FROM api_answers "
            "WHERE begun_at < :before ORDER BY begun_at LIMIT :limit)")
      .use("before", before)
      .use("limit", removed_in_passing)
      .run();
}

} // namespace

result<core::kept_answer> begin_answer(session& db, std::string_view key_digest,
                                       std::string_view request_digest, const crypto::key_ring& keys,
                                       core::timestamp now) {
  return guarded(db, "Looking for a request's earlier answer", [&]() -> core::kept_answer {
    remove_old(db, now - answer_retention);
    const auto inserted = query(db, "INSERT INTO api_answers (key_digest, request_digest, begun_at) "
                                    "VALUES (:key, :request, :now) ON CONFLICT DO NOTHING")
                              .use("key", key_digest)
                              .use("request", request_digest)
                              .use("now", now)
                              .run();
    if (inserted == 1)
      return {core::repetition::fresh, {}};
    std::string request;
    std::string answer;
    query(db, "SELECT request_digest, answer FROM api_answers WHERE key_digest = :key")
        .use("key", key_digest)
        .into(request)
        .into(answer)
        .run();
    if (request != request_digest)
      return {core::repetition::other_request, {}};
    auto opened = answer.empty() ? std::unexpected{crypto::seal_error::malformed}
                                 : crypto::open(keys, answer, place_of(key_digest));
    if (!opened)
      return {core::repetition::under_way, {}};
    return {core::repetition::answered, std::move(*opened)};
  });
}

result<void> keep_answer(session& db, std::string_view key_digest, std::string_view answer,
                         const crypto::key_ring& keys) {
  return guarded(db, "Keeping an answer", [&] {
    query(db, "UPDATE api_answers SET answer = :answer WHERE key_digest = :key AND answer = ''")
        .use("answer", crypto::seal(keys, answer, place_of(key_digest)).value_or("unsealed"))
        .use("key", key_digest)
        .run();
  });
}

result<void> forget_answer(session& db, std::string_view key_digest) {
  return guarded(db, "Forgetting an answer", [&] {
    query(db, "DELETE FROM api_answers WHERE key_digest = :key AND answer = ''").use("key", key_digest).run();
  });
}

} // namespace sluice::storage
