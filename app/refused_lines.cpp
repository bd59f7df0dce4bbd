#include "app/refused_lines.hpp"

#include <cerrno>
#include <cstring>

namespace sluice::app {
namespace {

std::unexpected<std::string> file_fault(const std::string& path) {
  return std::unexpected{path + ": " + std::strerror(errno)};
}

} // namespace

std::expected<void, std::string> refused_lines::add(const import_record& record, const std::string& header) {
  ++count_;
  if (first_.size() < shown_max) {
    first_.push_back("line " + std::to_string(record.line) + ": " + record.fault);
  }
  if (!keep_) {
    return {};
  }
  if (!file_) {
    file_.reset(std::fopen(path_.c_str(), "wb"));
    if (!file_) {
      return file_fault(path_);
    }
    if (!header.empty()) {
      if (auto written = write(header); !written) {
        return written;
      }
    }
  }
  return write(record.raw);
}

std::expected<void, std::string> refused_lines::close() {
  if (file_ && std::fclose(file_.release()) != 0) {
    return file_fault(path_);
  }
  return {};
}

std::expected<void, std::string> refused_lines::write(const std::string& line) {
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size()
      || std::fputc('\n', file_.get()) == EOF) {
    return file_fault(path_);
  }
  return {};
}

} // namespace sluice::app
