#include "app/mailbox.hpp"

#include <algorithm>
#include <string_view>

namespace sluice::app {
namespace {

constexpr std::string_view separator = "From ";

bool is_blank(std::string_view line) {
  return line == "\n" || line == "\r\n";
}

/// One ">" less, where a line of the mail began as the separator does.
std::string_view unquoted(std::string_view line) {
  const auto behind = line.find_first_not_of('>');
  const bool quoted =
      behind != 0 && behind != std::string_view::npos && line.substr(behind).starts_with(separator);
  return quoted ? line.substr(1) : line;
}

/// Takes the empty line before the next mail, which is the mailbox's.
void drop_last_blank(std::string& mail) {
  if (mail.ends_with("\n\n"))
    mail.pop_back();
  else if (mail.ends_with("\n\r\n"))
    mail.resize(mail.size() - 2);
}

} // namespace

std::string read_mail(byte_source& source, std::size_t bytes_max) {
  byte_reader bytes{source};
  if (bytes.skip_prefix(separator))
    for (int byte = bytes.next(); byte != byte_reader::end && byte != '\n';)
      byte = bytes.next();
  std::string mail;
  while (bytes.peek() != byte_reader::end) {
    const auto byte = static_cast<char>(bytes.next());
    if (mail.size() < bytes_max)
      mail += byte;
  }
  return mail;
}

bool mailbox::read_line() {
  line_.clear();
  int byte = 0;
  while (byte != '\n' && bytes_.peek() != byte_reader::end) {
    byte = bytes_.next();
    if (line_.size() < bytes_max_)
      line_ += static_cast<char>(byte);
  }
  return byte != 0 || !line_.empty();
}

void mailbox::append(std::string& mail) const {
  const auto line = unquoted(line_);
  mail.append(line.substr(0, bytes_max_ - std::min(bytes_max_, mail.size())));
}

std::expected<std::optional<std::string>, std::string> mailbox::next() {
  while (!separated_) {
    if (!read_line())
      return std::nullopt;
    separated_ = line_.starts_with(separator);
    if (!separated_ && !is_blank(line_))
      return std::unexpected{
          std::string{"it is no mailbox: it does not begin with a line \"From …\" (mboxrd)"}};
  }
  std::string mail;
  separated_ = false;
  while (!separated_ && read_line()) {
    separated_ = line_.starts_with(separator);
    if (!separated_)
      append(mail);
  }
  drop_last_blank(mail);
  return mail;
}

} // namespace sluice::app
