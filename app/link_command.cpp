#include "app/link_command.hpp"

#include "app/node_client.hpp"
#include "app/progress.hpp"

#include <vector>

namespace sluice::app {
namespace {

using document = node_client::document;

constexpr std::size_t batch_links_max = 10'000; ///< the node's
constexpr std::size_t shown_max = 20;
constexpr std::size_t body_frame_bytes = 1024; ///< what stands around the links of a body, at the most

/// The target's id of the record, as its line gives it.
std::expected<std::string, std::string> remote_id_of(const std::string& payload) {
  const auto line = nlohmann::json::parse(payload, nullptr, false);
  const auto found = line.is_object() ? line.find("remote_id") : line.end();
  if (found == line.end()) {
    return std::unexpected{std::string{"it has no remote_id"}};
  }
  if (found->is_string()) {
    return found->get<std::string>();
  }
  if (found->is_number_integer()) {
    return found->dump();
  }
  return std::unexpected{std::string{"its remote_id is neither a text nor a whole number"}};
}

/// One run of the command on an opened file.
class link_run {
public:
  link_run(const command_context& context, const link_options& options, const node_client& node,
           file_source& file)
      : context_{context}, options_{options}, node_{node}, file_{file},
        body_bytes_max_{static_cast<std::size_t>(context.settings.api.body_bytes_max) - body_frame_bytes} {}

  /// Without --skip-invalid the whole file is read before the first of it is sent.
  int run() {
    if (!options_.skip_invalid) {
      if (const int code = pass("check", [](document) { return exit_ok; }); code != exit_ok) {
        return code;
      }
      if (refused_ > 0) {
        return refuse("nothing was linked");
      }
      file_.rewind();
    }
    int code = pass("link", [this](document link) { return take(std::move(link)); });
    if (code == exit_ok) {
      code = flush();
    }
    return code == exit_ok ? finish() : stopped(code);
  }

private:
  /// Reads the whole file once; a line that is well goes to `use`, which returns an exit code.
  template <class Use>
  int pass(std::string_view label, Use use) {
    std::string head(4096, '\0');
    head.resize(file_.read(head));
    file_.rewind();
    const auto reader =
        make_record_reader(file_, options_.format.value_or(guess_format(options_.file, head)), "source_id");
    if (!reader) {
      print_error("nothing was linked from " + options_.file, reader.error(), "correct the file");
      return exit_refused;
    }
    progress bar{label, file_.size()};
    import_record record;
    while ((*reader)->next(record)) {
      bar.show(file_.position());
      line_ = record.line;
      auto remote_id = record.fault.empty()
                           ? remote_id_of(record.payload)
                           : std::expected<std::string, std::string>{std::unexpect, std::move(record.fault)};
      if (!remote_id) {
        note_refused(record.line, remote_id.error());
      } else if (const int code = use({{"source_id", record.source_id}, {"remote_id", *remote_id}});
                 code != exit_ok) {
        return code;
      }
    }
    return file_.failed() ? unreadable() : exit_ok;
  }

  int unreadable() const {
    print_error(options_.file + " could not be read to its end", "the system reported a read error",
                "try again");
    return exit_refused;
  }

  int take(document link) {
    const auto bytes = link.dump(-1, ' ', false, document::error_handler_t::replace).size() + 1;
    if (!batch_.empty() && (batch_.size() == batch_links_max || batch_bytes_ + bytes > body_bytes_max_)) {
      if (const int code = flush(); code != exit_ok) {
        return code;
      }
    }
    batch_.push_back(std::move(link));
    lines_.push_back(line_);
    batch_bytes_ += bytes;
    return exit_ok;
  }

  int flush() {
    if (batch_.empty()) {
      return exit_ok;
    }
    const auto done =
        node_.post(rule_path(options_.rule, "/links"),
                   {{"links", batch_}, {"skip_invalid", options_.skip_invalid}, {"by", current_user()}},
                   "links_refused");
    if (!done) {
      return done.error();
    }
    for (const auto& each : done->at("refused_lines")) {
      note_refused(lines_.at(each.at("line").get<std::size_t>() - 1), each.at("reason").get<std::string>());
    }
    linked_ += done->at("linked").get<std::int64_t>();
    batch_ = document::array();
    lines_.clear();
    batch_bytes_ = 0;
    if (options_.skip_invalid || done->at("refused") == 0) {
      unchanged_ += done->at("unchanged").get<std::int64_t>();
      return exit_ok;
    }
    return refuse("the batch of " + options_.file + " they stand in was not linked");
  }

  void note_refused(std::int64_t line, const std::string& reason) {
    ++refused_;
    if (listed_.size() < shown_max) {
      listed_.push_back({{"line", line}, {"reason", reason}});
    }
  }

  [[nodiscard]] std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    for (const auto& each : listed_) {
      all.push_back("line " + each.at("line").dump() + ": " + each.at("reason").get<std::string>());
    }
    if (const auto more = refused_ - std::ssize(all); more > 0) {
      all.push_back("and " + grouped(more) + " more");
    }
    return all;
  }

  int refuse(const std::string& what) const {
    print_error(what + ": " + grouped(refused_) + " lines are refused", sentences(),
                "correct these lines, or link the rest with --skip-invalid");
    return exit_refused;
  }

  int stopped(int code) const {
    if (linked_ + unchanged_ > 0) {
      print_note("  " + grouped(linked_ + unchanged_)
                 + " lines were done before; run it again, they stay as they are");
    }
    return code;
  }

  int finish() const {
    if (context_.style.json) {
      print_json({{"linked", linked_},
                  {"unchanged", unchanged_},
                  {"refused", refused_},
                  {"refused_lines", listed_}});
      return exit_ok;
    }
    print_line(grouped(linked_) + " linked, " + grouped(unchanged_) + " linked so before");
    if (refused_ > 0) {
      print_note("warning: " + grouped(refused_) + " lines were refused");
    }
    for (const auto& sentence : sentences()) {
      print_note("  " + printable(sentence));
    }
    return exit_ok;
  }

  const command_context& context_;
  const link_options& options_;
  const node_client& node_;
  file_source& file_;
  std::size_t body_bytes_max_;
  document batch_ = document::array();
  std::vector<std::int64_t> lines_; ///< of the batch's links
  std::size_t batch_bytes_ = 0;
  std::int64_t line_ = 0;
  std::int64_t linked_ = 0;
  std::int64_t unchanged_ = 0;
  std::int64_t refused_ = 0;
  document listed_ = document::array(); ///< the first of the refused lines
};

} // namespace

int link_file(const command_context& context, const link_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  auto file = file_source::open(options.file);
  if (!file) {
    print_error("nothing was linked", file.error(), "check the path");
    return exit_refused;
  }
  return link_run{context, options, *node, *file}.run();
}

} // namespace sluice::app
