#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// MIME as mail servers really write it (RFC 2045, RFC 2046), read without an error: what cannot be read is
/// empty. Lines end with LF or CRLF.
namespace sluice::providers {

inline constexpr std::size_t mime_depth_max = 8;
inline constexpr std::size_t mime_leaves_max = 64;
inline constexpr std::size_t mail_fields_max = 512; ///< of one head; a longer one is read to there

/// A header field, unfolded.
struct mail_field {
  std::string name; ///< lower case
  std::string value;
};

using mail_fields = std::vector<mail_field>;

/// The fields up to the first empty line, which is taken off the text with them.
[[nodiscard]] mail_fields take_fields(std::string_view& text);

/// The first field of that name, or empty.
[[nodiscard]] std::string_view value_of(const mail_fields& fields, std::string_view lower_case_name) noexcept;

/// A message or a part of one.
struct mime_entity {
  mail_fields fields;
  std::string_view body; ///< as it stands

  [[nodiscard]] std::string media_type() const;   ///< lower case; text/plain where none is said
  [[nodiscard]] std::string decoded_body() const; ///< base64 and quoted-printable undone
};

[[nodiscard]] mime_entity read_entity(std::string_view text);

/// The parts that have no parts themselves, in their order, at most mime_leaves_max; the message itself where
/// it is not multipart. A message within the message is a leaf. What is nested deeper than mime_depth_max is
/// left out. They point into the text.
[[nodiscard]] std::vector<mime_entity> leaves_of(std::string_view message);

} // namespace sluice::providers
