#pragma once

#include "storage/session.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

// The one place where the two engines' SQL differs.

namespace sluice::storage::dialect {

enum class column_type : std::uint8_t { integer, text };

struct json_column {
  std::string_view name;
  column_type type = column_type::text;
};

/// A FROM item that unpacks the parameter `:parameter`, a JSON array of arrays, into one row an element: the
/// named columns in the inner arrays' order (JSON null is NULL) and `ord`, the element's place from 1.
[[nodiscard]] std::string json_rows(engine kind, std::string_view parameter,
                                    std::initializer_list<json_column> columns, std::string_view alias);

/// A subquery of one column `value` over `:parameter`, a JSON array of texts or integers:
/// "x IN (" + json_values(…) + ")".
[[nodiscard]] std::string json_values(engine kind, std::string_view parameter, column_type type);

/// Neither takes NULL for an answer: PostgreSQL passes over it, SQLite returns it. Give both a value.
[[nodiscard]] std::string_view least(engine kind);    ///< name of the function: "min" or "least"
[[nodiscard]] std::string_view greatest(engine kind); ///< name of the function: "max" or "greatest"

/// Locks the rows read until the transaction ends; SQLite's writer holds the whole database already.
[[nodiscard]] std::string_view for_key_share(engine kind); ///< against those who lock for update alone
[[nodiscard]] std::string_view for_update(engine kind);

/// How many bytes a text column's value has.
[[nodiscard]] std::string text_bytes(engine kind, std::string_view column);

/// Microseconds of UTC by the database's own clock (SQLite's counts milliseconds).
[[nodiscard]] std::string_view clock(engine kind);

/// Puts the engine's words for the schema's markers into a migration's text:
///   {id}             a growing integer key, never given twice
///   {key}            the type of a text identity: sorted and compared by bytes
///   {now}            `clock`
///   {without_rowid}  the table is its own key's tree, where the engine has such tables
///   {covering A, B}  closes an index's column list; A and B are carried along for index-only reads
[[nodiscard]] std::string schema_text(engine kind, std::string_view text);

} // namespace sluice::storage::dialect
