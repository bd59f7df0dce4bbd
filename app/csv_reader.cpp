#include "app/csv_reader.hpp"

#include <algorithm>

namespace sluice::app {

namespace {

constexpr int end = byte_reader::end;

std::int64_t line_ends(std::string_view text) {
  return std::ranges::count(text, '\n');
}

} // namespace

bool csv_reader::next(csv_record& record) {
  record.raw.clear();
  record.fault.clear();
  record.field_count = 0;
  if (!skip_blank()) {
    return false;
  }
  record.line = line_;
  while (read_field(record) == ending::field) {
  }
  return true;
}

/// Passes over blank lines and, at the start, the byte order mark; false at the end.
bool csv_reader::skip_blank() {
  if (!started_) {
    started_ = true;
    in_.skip_prefix("\xEF\xBB\xBF");
  }
  while (in_.peek() == '\n' || in_.peek() == '\r') {
    line_ += in_.next() == '\n' ? 1 : 0;
  }
  return in_.peek() != end;
}

csv_reader::ending csv_reader::read_field(csv_record& record) {
  if (record.field_count == limits_.fields_max) {
    return refuse(record, "it has more than " + std::to_string(limits_.fields_max) + " fields");
  }
  if (record.field_count == record.fields.size()) {
    record.fields.emplace_back();
  }
  auto& field = record.fields[record.field_count++];
  field.clear();
  if (in_.peek() == '"') {
    take(record);
    return read_quoted(record, field);
  }
  return read_plain(record, field);
}

csv_reader::ending csv_reader::read_quoted(csv_record& record, std::string& field) {
  for (;;) {
    const auto piece = in_.take_until('"', '"', '"');
    field += piece;
    record.raw += piece;
    line_ += line_ends(piece);
    if (!within_limit(record)) {
      return refuse(record, "it is longer than " + std::to_string(limits_.record_bytes_max)
                                + " bytes; is a quote left open?");
    }
    const int byte = in_.peek();
    if (byte == end) {
      record.fault = "a quote is left open at the end of the file";
      return ending::fault;
    }
    if (byte != '"') {
      continue; // the block ended here, not the field
    }
    take(record);
    if (in_.peek() != '"') {
      return end_of_field(record);
    }
    take(record);
    field += '"';
  }
}

csv_reader::ending csv_reader::read_plain(csv_record& record, std::string& field) {
  for (;;) {
    const auto piece = in_.take_until(',', '\n', '"');
    field += piece;
    record.raw += piece;
    if (!within_limit(record)) {
      return refuse(record, "it is longer than " + std::to_string(limits_.record_bytes_max) + " bytes");
    }
    const int byte = in_.peek();
    if (byte == '"') {
      return refuse(record, "a quote stands inside of a field that does not begin with one");
    }
    if (byte != ',' && byte != '\n' && byte != end) {
      continue;
    }
    if (byte != ',' && field.ends_with('\r')) {
      field.pop_back();
      record.raw.pop_back();
    }
    if (field.contains('\r')) {
      return refuse(record, "a carriage return stands inside of a field without quotes");
    }
    return end_of_field(record);
  }
}

/// Behind a field: a comma, a line end or the end.
csv_reader::ending csv_reader::end_of_field(csv_record& record) {
  int byte = in_.peek();
  if (byte == ',') {
    take(record);
    return ending::field;
  }
  if (byte == '\r') {
    in_.next();
    byte = in_.peek();
    if (byte != '\n' && byte != end) {
      record.raw += '\r';
      return refuse(record, "a carriage return stands behind a field and ends no line");
    }
  }
  if (byte == '\n') {
    in_.next();
    ++line_;
    return ending::record;
  }
  return byte == end ? ending::record : refuse(record, "text stands behind a closing quote");
}

/// Notes the fault and passes over the rest of the line; the raw text keeps at most the limit.
csv_reader::ending csv_reader::refuse(csv_record& record, std::string_view why) {
  record.fault = why;
  for (;;) {
    const auto piece = in_.take_until('\n', '\n', '\n');
    if (within_limit(record)) {
      record.raw += piece;
    }
    const int byte = in_.peek();
    if (byte == end) {
      return ending::fault;
    }
    if (byte == '\n') {
      in_.next();
      ++line_;
      if (record.raw.ends_with('\r')) {
        record.raw.pop_back();
      }
      return ending::fault;
    }
  }
}

int csv_reader::take(csv_record& record) {
  const int byte = in_.next();
  record.raw += static_cast<char>(byte);
  return byte;
}

} // namespace sluice::app
