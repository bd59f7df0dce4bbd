#include "config/text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace sluice::config {

std::expected<std::string, std::string> read_text_file(const std::string& path, std::size_t bytes_max) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::fopen(path.c_str(), "rb"), &std::fclose};
  if (!file) {
    return std::unexpected{"the file " + path + " cannot be opened: " + std::strerror(errno)};
  }
  std::string out;
  std::string block(std::size_t{64} << 10, '\0');
  while (const auto count = std::fread(block.data(), 1, block.size(), file.get())) {
    out.append(block, 0, count);
    if (out.size() > bytes_max) {
      return std::unexpected{"the file " + path + " is longer than the " + std::to_string(bytes_max)
                             + " bytes that are allowed"};
    }
  }
  if (std::ferror(file.get()) != 0) {
    return std::unexpected{"the file " + path + " cannot be read: " + std::strerror(errno)};
  }
  return out;
}

std::expected<std::string, std::string> read_secret_file(const std::string& path) {
  auto secret = read_text_file(path, std::size_t{64} << 10);
  while (secret && (secret->ends_with('\n') || secret->ends_with('\r'))) {
    secret->pop_back();
  }
  return secret;
}

} // namespace sluice::config
