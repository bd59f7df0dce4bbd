#include "api/connection.hpp"
#include "api/text_match.hpp"

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include <algorithm>

// What is read of a request that comes whole, and why it cannot be.

namespace sluice::api {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

std::string text_of(beast::string_view text) {
  return {text.data(), text.size()};
}

} // namespace

/// Idle until its first byte, then within the head's time: a byte now and then does not prolong it.
asio::awaitable<error_code> connection::read_head() {
  const auto& settings = hall_.how.settings;
  if (hall_.closing)
    co_return asio::error::operation_aborted;
  start_waiting();
  is_head_ = false;
  parser_.emplace();
  asked_for_ = nullptr;
  parser_->header_limit(static_cast<std::uint32_t>(settings.header_bytes_max));
  parser_->body_limit({}); // the gate decides by the route
  if (buffer_.size() == 0) {
    stream_.expires_after(settings.idle_timeout);
    auto [failed, count] = co_await stream_.async_read_some(buffer_.prepare(1024), awaited);
    if (failed)
      co_return failed;
    buffer_.commit(count);
  }
  stream_.expires_after(settings.header_timeout);
  auto [failed, count] = co_await http::async_read_header(stream_, buffer_, *parser_, awaited);
  stop_waiting();
  co_return failed;
}

asio::awaitable<error_code> connection::read_body(const request_head& head) {
  if (parser_->is_done())
    co_return error_code{};
  parser_->body_limit(hall_.checks.limit_of(*asked_for_).bytes_max);
  stream_.expires_after(asked_for_->raw ? asked_for_->raw->body_timeout : hall_.how.settings.body_timeout);
  if (!head.expect.empty()) {
    http::response<http::empty_body> go_on{http::status::continue_, 11};
    auto [failed, count] = co_await http::async_write(stream_, go_on, awaited);
    if (failed)
      co_return failed;
  }
  auto [failed, count] = co_await http::async_read(stream_, buffer_, *parser_, awaited);
  co_return failed;
}

std::shared_ptr<const raw_request> connection::raw_asked() {
  const auto& from = parser_->get();
  auto made = std::make_shared<raw_request>();
  made->target = text_of(from.target());
  made->source = from_.address;
  for (const auto& field : from) {
    auto name = text_of(field.name_string());
    std::ranges::transform(name, name.begin(), lower);
    made->headers.emplace_back(std::move(name), text_of(field.value()));
  }
  return made;
}

/// The problem of a head or body that could not be read; nothing where the client is gone.
std::optional<problem> connection::problem_of(error_code failed) const {
  if (failed == http::error::header_limit || failed == http::error::buffer_overflow)
    return head_too_large(static_cast<std::uint64_t>(hall_.how.settings.header_bytes_max));
  if (failed == http::error::body_limit && asked_for_)
    return body_too_large(hall_.checks.limit_of(*asked_for_));
  if (failed == http::error::end_of_stream || failed == http::error::partial_message)
    return std::nullopt;
  if (failed.category() == make_error_code(http::error::bad_version).category())
    return bad_request("this is not HTTP/1.1: " + failed.message());
  return std::nullopt;
}

} // namespace sluice::api
