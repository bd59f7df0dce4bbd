#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sluice::app {

/// Bytes that can be read from the front, and again from the start.
class byte_source {
public:
  virtual ~byte_source() = default;
  /// Up to out.size() bytes; 0 at the end or after a read error.
  [[nodiscard]] virtual std::size_t read(std::span<char> out) = 0;
};

/// A text in memory, handed out in pieces of at most `piece_max` bytes.
class text_source final : public byte_source {
public:
  explicit text_source(std::string_view text, std::size_t piece_max = SIZE_MAX)
      : rest_{text}, piece_max_{piece_max} {}
  [[nodiscard]] std::size_t read(std::span<char> out) override;

private:
  std::string_view rest_;
  std::size_t piece_max_;
};

/// A file. What cannot be read twice (standard input as "-", a pipe) is copied to an unnamed temporary file
/// first.
class file_source final : public byte_source {
public:
  /// The error is a sentence that names the path.
  [[nodiscard]] static std::expected<file_source, std::string> open(const std::string& path);

  [[nodiscard]] std::size_t read(std::span<char> out) override;
  void rewind();

  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] std::int64_t position() const noexcept { return position_; }
  [[nodiscard]] bool failed() const noexcept { return failed_; } ///< a read ended in an error, not at the end

private:
  using handle = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  explicit file_source(handle file);

  handle file_;
  std::int64_t size_ = 0;
  std::int64_t position_ = 0;
  bool failed_ = false;
};

/// Reads one byte at a time out of blocks.
class byte_reader {
public:
  explicit byte_reader(byte_source& source, std::size_t block_bytes = std::size_t{256} << 10)
      : source_{source}, block_(block_bytes, '\0') {}

  static constexpr int end = -1;
  [[nodiscard]] int peek() { return at_ < filled_ || fill() ? static_cast<unsigned char>(block_[at_]) : end; }
  int next() {
    const int byte = peek();
    at_ += byte == end ? 0 : 1;
    return byte;
  }

  /// Takes `prefix` if that is what comes next. Only before anything was taken, and no longer than a block.
  bool skip_prefix(std::string_view prefix);

  /// Takes what is in hand without another read, up to but not including the first stop. Ends at the end of a
  /// block too, so the caller looks at what comes next and goes on.
  [[nodiscard]] std::string_view take_until(char stop, char other_stop, char third_stop);

private:
  bool fill();

  byte_source& source_;
  std::string block_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
};

} // namespace sluice::app
