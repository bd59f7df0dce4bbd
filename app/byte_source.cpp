#include "app/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>

namespace sluice::app {
namespace {

/// Copies a stream that cannot be read twice; the copy has no name and goes with its handle.
std::FILE* spool(std::FILE* from) {
  std::FILE* copy = std::tmpfile();
  if (copy == nullptr) {
    return nullptr;
  }
  std::string block(std::size_t{256} << 10, '\0');
  bool written = true;
  while (const auto count = std::fread(block.data(), 1, block.size(), from)) {
    written = written && std::fwrite(block.data(), 1, count, copy) == count;
  }
  if (!written || std::ferror(from) != 0 || std::fflush(copy) != 0 || std::fseek(copy, 0, SEEK_SET) != 0) {
    std::fclose(copy);
    return nullptr;
  }
  return copy;
}

bool is_regular(std::FILE* file) {
  struct stat status{};
  return ::fstat(::fileno(file), &status) == 0 && S_ISREG(status.st_mode);
}

bool is_directory(std::FILE* file) {
  struct stat status{};
  return ::fstat(::fileno(file), &status) == 0 && S_ISDIR(status.st_mode);
}

int keep_open(std::FILE*) {
  return 0;
}

} // namespace

std::size_t text_source::read(std::span<char> out) {
  const auto count = std::min({rest_.size(), out.size(), piece_max_});
  std::ranges::copy(rest_.substr(0, count), out.begin());
  rest_.remove_prefix(count);
  return count;
}

file_source::file_source(handle file) : file_{std::move(file)} {
  struct stat status{};
  size_ = ::fstat(::fileno(file_.get()), &status) == 0 ? static_cast<std::int64_t>(status.st_size) : 0;
}

std::expected<file_source, std::string> file_source::open(const std::string& path) {
  handle file =
      path == "-" ? handle{stdin, &keep_open} : handle{std::fopen(path.c_str(), "rb"), &std::fclose};
  if (!file) {
    return std::unexpected{path + " cannot be opened: " + std::strerror(errno)};
  }
  if (is_directory(file.get())) {
    return std::unexpected{path + " is a directory; allowed is a file, or - for standard input"};
  }
  if (!is_regular(file.get()) || path == "-") {
    file = handle{spool(file.get()), &std::fclose};
    if (!file) {
      return std::unexpected{path + " cannot be copied to a temporary file: " + std::strerror(errno)};
    }
  }
  return file_source{std::move(file)};
}

std::size_t file_source::read(std::span<char> out) {
  const auto count = std::fread(out.data(), 1, out.size(), file_.get());
  failed_ = failed_ || std::ferror(file_.get()) != 0;
  position_ += static_cast<std::int64_t>(count);
  return count;
}

void file_source::rewind() {
  failed_ = std::fseek(file_.get(), 0, SEEK_SET) != 0 || failed_;
  position_ = 0;
}

std::string_view byte_reader::take_until(char stop, char other_stop, char third_stop) {
  const auto begin = at_;
  while (at_ < filled_ && block_[at_] != stop && block_[at_] != other_stop && block_[at_] != third_stop) {
    ++at_;
  }
  return std::string_view{block_}.substr(begin, at_ - begin);
}

bool byte_reader::skip_prefix(std::string_view prefix) {
  if (peek() == end || !std::string_view{block_}.substr(at_, filled_ - at_).starts_with(prefix)) {
    return false;
  }
  at_ += prefix.size();
  return true;
}

/// A block is filled whole, however small the pieces are that the source hands out.
bool byte_reader::fill() {
  at_ = 0;
  filled_ = 0;
  while (filled_ < block_.size()) {
    const auto count = source_.read(std::span{block_}.subspan(filled_));
    if (count == 0) {
      break;
    }
    filled_ += count;
  }
  return filled_ != 0;
}

} // namespace sluice::app
