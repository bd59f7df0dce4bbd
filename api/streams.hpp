#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// Bodies and answers that come in pieces. The server and whoever serves the request meet here, each on a
/// thread of its own.
namespace sluice::api {

/// A piece of a request's body, or that no more of it comes.
struct body_piece {
  enum class kind : std::uint8_t {
    bytes,
    end,     ///< the body came whole
    cut,     ///< it did not
    closing, ///< the node ends
  };
  kind what = kind::bytes;
  std::string bytes; ///< of a cut: why, as a sentence
};

/// A request's body that the server reads only as far as it is asked to: the rest stays with the client.
class body_source {
public:
  using taker = std::function<void(body_piece)>;

  explicit body_source(std::function<void(taker)> ask) : ask_(std::move(ask)) {}

  /// Any thread. `take` gets the next piece, on the server's thread, which it must not hold up. One piece is
  /// asked for at a time; after one that is not `bytes` nothing comes. A server that is over calls nobody.
  void next(taker take) const { ask_(std::move(take)); }

private:
  std::function<void(taker)> ask_;
};

/// The pieces of an answer that are on their way to the server. A client that reads too slowly is not waited
/// for: when more than `bytes_max` wait, its answer breaks off.
class answer_queue {
public:
  using piece = std::shared_ptr<const std::string>; ///< shared, for many clients may get the same

  explicit answer_queue(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // Whoever answers, on any thread:

  /// False: nobody takes it any more. However large, one piece alone is taken.
  bool push(piece more);
  void end();
  [[nodiscard]] bool over(); ///< nobody takes anything any more

  // The server:

  /// `wake` is called on the pushing thread whenever there is something to take.
  void wake_by(std::function<void()> wake);
  struct waiting {
    std::vector<piece> pieces;
    bool ended = false;      ///< nothing follows them
    bool broken_off = false; ///< too much waited
  };
  [[nodiscard]] waiting take();
  void close(); ///< takes nothing more

private:
  std::mutex mutex_;
  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  waiting waiting_;
  bool closed_ = false;
  std::function<void()> wake_;
};

/// The answering end of a queue: when it goes, the answer ends.
class answer_writer {
public:
  explicit answer_writer(std::shared_ptr<answer_queue> to) : to_(std::move(to)) {}
  ~answer_writer() {
    if (to_)
      to_->end();
  }
  answer_writer(answer_writer&& from) noexcept = default;
  answer_writer& operator=(answer_writer&& from) noexcept {
    std::swap(to_, from.to_);
    return *this;
  }
  answer_writer(const answer_writer&) = delete;
  answer_writer& operator=(const answer_writer&) = delete;

  bool write(answer_queue::piece more) const { return to_->push(std::move(more)); }
  [[nodiscard]] bool over() const { return to_->over(); }
  bool write(std::string more) const { return write(std::make_shared<const std::string>(std::move(more))); }

private:
  std::shared_ptr<answer_queue> to_;
};

} // namespace sluice::api
