#include "app/record_reader.hpp"

#include "app/csv_reader.hpp"
#include "app/line_reader.hpp"
#include "core/payload.hpp"
#include "core/source_id.hpp"

#include <algorithm>
#include <vector>

namespace sluice::app {
namespace {

std::string as_json_string(std::string_view text) {
  std::string out;
  core::append_json_string(out, text);
  return out;
}

/// A name or value for a sentence: at most 60 bytes of it.
std::string shown(std::string_view text) {
  return "\"" + std::string{text.substr(0, 60)} + (text.size() > 60 ? "…\"" : "\"");
}

class csv_records final : public record_reader {
public:
  explicit csv_records(byte_source& source) : rows_{source} {}

  std::expected<void, std::string> read_header(const std::string& id_field) {
    if (!rows_.next(row_)) {
      return std::unexpected{std::string{"the file is empty; its first line names the columns"}};
    }
    if (!row_.fault.empty()) {
      return std::unexpected{"the header line is not CSV: " + row_.fault};
    }
    header_ = row_.raw;
    names_.assign(row_.fields.begin(), row_.fields.begin() + static_cast<std::ptrdiff_t>(row_.field_count));
    for (auto name = names_.begin(); name != names_.end(); ++name) {
      if (auto fault = header_fault(*name, std::find(names_.begin(), name, *name) != name); !fault.empty()) {
        return std::unexpected{"column " + std::to_string(name - names_.begin() + 1) + " of the header "
                               + fault};
      }
      keys_.push_back(as_json_string(*name) + ":");
    }
    const auto id = std::ranges::find(names_, id_field);
    if (id == names_.end()) {
      return std::unexpected{"the file has no column " + shown(id_field) + "; its columns are "
                             + column_list()};
    }
    id_column_ = static_cast<std::size_t>(id - names_.begin());
    return {};
  }

  bool next(import_record& record) override {
    if (!rows_.next(row_)) {
      return false;
    }
    record.line = row_.line;
    record.source_id.clear();
    record.payload.clear();
    std::swap(record.raw, row_.raw);
    record.fault = judge(record);
    return true;
  }

  const std::string& header() const noexcept override { return header_; }

private:
  static std::string header_fault(std::string_view name, bool twice) {
    if (name.empty()) {
      return "has no name";
    }
    if (!core::check_payload(as_json_string(name))) {
      return "is not UTF-8 text without NUL bytes";
    }
    return twice ? shown(name) + " stands there twice" : std::string{};
  }

  std::string judge(import_record& record) {
    if (!row_.fault.empty()) {
      return row_.fault;
    }
    if (row_.field_count != names_.size()) {
      return "it has " + std::to_string(row_.field_count) + " fields; the header has "
             + std::to_string(names_.size());
    }
    record.source_id = row_.fields[id_column_];
    if (auto fault = core::source_id_fault(record.source_id)) {
      return std::move(*fault);
    }
    write_payload(record.payload);
    const auto checked = core::check_payload(record.payload);
    return checked ? std::string{} : name_column(checked.error());
  }

  void write_payload(std::string& out) const {
    out = "{";
    for (std::size_t column = 0; column < names_.size(); ++column) {
      out += column == 0 ? "" : ",";
      out += keys_[column];
      core::append_json_string(out, row_.fields[column]);
    }
    out += '}';
  }

  /// Finds the column a refused payload is refused for.
  std::string name_column(const std::string& fault) const {
    for (std::size_t column = 0; column < names_.size(); ++column) {
      if (const auto alone = core::check_payload(as_json_string(row_.fields[column])); !alone) {
        return "column " + shown(names_[column]) + ": " + alone.error();
      }
    }
    return fault;
  }

  std::string column_list() const {
    std::string out;
    for (const auto& name : names_) {
      out += (out.empty() ? "" : ", ") + name;
    }
    return out;
  }

  csv_reader rows_;
  csv_record row_;
  std::string header_;
  std::vector<std::string> names_;
  std::vector<std::string> keys_; ///< "\"name\":", escaped once
  std::size_t id_column_ = 0;
};

class ndjson_records final : public record_reader {
public:
  ndjson_records(byte_source& source, core::payload_reader id) : lines_{source}, id_{std::move(id)} {}

  bool next(import_record& record) override {
    bool whole = true;
    if (!lines_.next(record.raw, whole)) {
      return false;
    }
    record.line = lines_.line();
    record.source_id.clear();
    record.payload.clear();
    record.fault = whole ? judge(record) : "the line is longer than 4194304 bytes";
    return true;
  }

  const std::string& header() const noexcept override { return header_; }

private:
  std::string judge(import_record& record) {
    if (const auto read = id_.read(record.raw, values_); !read) {
      return read.error();
    }
    const auto first = record.raw.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || record.raw[first] != '{') {
      return "the line is not a JSON object";
    }
    if (auto fault = core::source_id_fault(values_.front(), id_.pointers().front())) {
      return std::move(*fault);
    }
    record.source_id = values_.front().text;
    record.payload = record.raw;
    return {};
  }

  line_reader lines_;
  core::payload_reader id_;
  std::vector<core::value> values_;
  std::string header_;
};

/// A member's name as a JSON pointer (RFC 6901 section 3); a pointer stays one.
std::string as_pointer(const std::string& field) {
  if (field.starts_with('/')) {
    return field;
  }
  std::string out = "/";
  for (const char c : field) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

} // namespace

std::optional<record_format> parse_record_format(std::string_view text) noexcept {
  if (text == "csv") {
    return record_format::csv;
  }
  return text == "ndjson" ? std::optional{record_format::ndjson} : std::nullopt;
}

record_format guess_format(std::string_view path, std::string_view first_bytes) {
  if (path.ends_with(".csv")) {
    return record_format::csv;
  }
  if (path.ends_with(".ndjson") || path.ends_with(".jsonl")) {
    return record_format::ndjson;
  }
  const auto first = first_bytes.find_first_not_of(" \t\r\n");
  const bool braced = first != std::string_view::npos && first_bytes[first] == '{';
  return braced ? record_format::ndjson : record_format::csv;
}

std::expected<std::unique_ptr<record_reader>, std::string>
make_record_reader(byte_source& source, record_format format, const std::string& id_field) {
  if (format == record_format::csv) {
    auto reader = std::make_unique<csv_records>(source);
    if (auto header = reader->read_header(id_field); !header) {
      return std::unexpected{header.error()};
    }
    return reader;
  }
  auto id = core::payload_reader::compile({as_pointer(id_field)});
  if (!id) {
    return std::unexpected{"--id-field: " + id.error()};
  }
  return std::make_unique<ndjson_records>(source, std::move(*id));
}

} // namespace sluice::app
