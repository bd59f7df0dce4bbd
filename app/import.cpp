#include "app/import.hpp"

#include "app/progress.hpp"
#include "app/refused_lines.hpp"
#include "storage/mirror.hpp"
#include "storage/rules.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace sluice::app {
namespace {

constexpr std::size_t batch_bytes_max = std::size_t{16} << 20;
constexpr int busy_repeats_max = 5;

/// Which ids came more than once: by a 64-bit digest each, so that ten million ids take 80 MB and not a
/// gigabyte.
class repeated_ids {
public:
  void add(std::string_view id) { digests_.push_back(std::hash<std::string_view>{}(id)); }

  std::int64_t count() {
    std::ranges::sort(digests_);
    const auto repeated = std::ranges::unique(digests_);
    return static_cast<std::int64_t>(repeated.size());
  }

private:
  std::vector<std::size_t> digests_;
};

/// One run of the command on an opened file.
class import_run {
public:
  import_run(const command_context& context, const import_options& options, storage::session& db,
             core::connection_id source, file_source& file)
      : context_{context}, options_{options}, db_{db}, source_{source}, file_{file},
        refused_{options.file == "-" ? "stdin.rejected" : options.file + ".rejected", options.skip_invalid} {}

  int run() {
    if (!options_.skip_invalid) {
      if (const int code = pass("check", [](import_record&) { return exit_ok; }); code != exit_ok) {
        return code;
      }
      if (refused_.count() > 0) {
        return refuse();
      }
      records_ = 0;
      ids_ = {};
      file_.rewind();
    }
    int code = pass("import", [this](import_record& record) { return take(record); });
    if (code == exit_ok && !options_.skip_invalid && refused_.count() > 0) {
      print_error(options_.file + " changed while it was imported", refused_.first(),
                  "import it again when it is complete");
      code = exit_refused;
    }
    if (code == exit_ok) {
      code = flush();
    }
    return code == exit_ok ? finish() : stopped(code);
  }

private:
  /// Reads the whole file once; a record that is well goes to `use`, which returns an exit code.
  template <class Use>
  int pass(std::string_view label, Use use) {
    std::string head(4096, '\0');
    head.resize(file_.read(head));
    file_.rewind();
    const auto reader = make_record_reader(file_, options_.format.value_or(guess_format(options_.file, head)),
                                           options_.id_field);
    if (!reader) {
      print_error("nothing was imported from " + options_.file, reader.error(),
                  "correct the file or the options");
      return exit_refused;
    }
    progress bar{label, file_.size()};
    import_record record;
    while ((*reader)->next(record)) {
      bar.show(file_.position());
      if (!record.fault.empty()) {
        if (const auto kept = refused_.add(record, (*reader)->header()); !kept) {
          print_error("the refused lines cannot be kept", kept.error(), "make room or choose another folder");
          return exit_refused;
        }
        continue;
      }
      ++records_;
      ids_.add(record.source_id);
      if (const int code = use(record); code != exit_ok) {
        return code;
      }
    }
    if (file_.failed()) {
      print_error(options_.file + " could not be read to its end", "the system reported a read error",
                  "try again");
      return exit_refused;
    }
    return exit_ok;
  }

  int take(import_record& record) {
    if (options_.deleted) {
      gone_.push_back(std::move(record.source_id));
    } else {
      batch_bytes_ += record.payload.size();
      batch_.push_back({std::move(record.source_id), std::move(record.payload)});
    }
    const bool full = static_cast<std::int64_t>(batch_.size() + gone_.size()) >= options_.batch
                      || batch_bytes_ >= batch_bytes_max;
    return full ? flush() : exit_ok;
  }

  int flush() {
    if (batch_.empty() && gone_.empty()) {
      return exit_ok;
    }
    auto written = write_batch();
    for (int repeat = 0;
         repeat < busy_repeats_max && !written && written.error().code == storage::error::busy; ++repeat) {
      written = write_batch();
    }
    if (!written) {
      return report("the import stopped", written.error());
    }
    counts_.inserted += written->inserted;
    counts_.changed += written->changed;
    counts_.unchanged += written->unchanged;
    counts_.restored += written->restored;
    batch_.clear();
    gone_.clear();
    batch_bytes_ = 0;
    return exit_ok;
  }

  storage::result<storage::upsert_counts> write_batch() {
    return storage::transact(db_, [&](storage::session& db) { return write_batch(db); });
  }

  storage::result<storage::upsert_counts> write_batch(storage::session& db) {
    if (!options_.deleted) {
      return storage::upsert_records(db, source_, options_.domain, batch_, wall_now());
    }
    const auto buried = storage::delete_records(db, source_, options_.domain, gone_, wall_now());
    if (!buried) {
      return std::unexpected{buried.error()};
    }
    return storage::upsert_counts{.changed = *buried, .unchanged = std::ssize(gone_) - *buried};
  }

  int refuse() const {
    auto reasons = refused_.first();
    if (const auto more = refused_.count() - static_cast<std::int64_t>(reasons.size()); more > 0) {
      reasons.push_back("and " + grouped(more) + " more");
    }
    print_error("nothing was imported: " + grouped(refused_.count()) + " of "
                    + grouped(records_ + refused_.count()) + " records of " + options_.file + " are refused",
                reasons, "correct these lines, or import the rest with --skip-invalid");
    return exit_refused;
  }

  int stopped(int code) const {
    const auto there = counts_.inserted + counts_.changed + counts_.unchanged + counts_.restored;
    print_note("  " + grouped(there) + " records were done before; run it again, they stay as they are");
    return code;
  }

  void show_counts(std::int64_t repeated) {
    nlohmann::ordered_json document;
    std::string line;
    if (options_.deleted) {
      document = {{"deleted", counts_.changed}, {"not_there", counts_.unchanged - repeated}};
      line = grouped(counts_.changed) + " deleted, " + grouped(counts_.unchanged - repeated)
             + " not there or deleted before";
    } else {
      document = {{"inserted", counts_.inserted},
                  {"changed", counts_.changed},
                  {"unchanged", counts_.unchanged},
                  {"restored", counts_.restored}};
      line = grouped(counts_.inserted) + " inserted, " + grouped(counts_.changed) + " changed, "
             + grouped(counts_.unchanged) + " unchanged"
             + (counts_.restored > 0 ? ", " + grouped(counts_.restored) + " restored" : "");
    }
    if (!context_.style.json) {
      print_line(line);
      return;
    }
    document["repeated"] = repeated;
    document["refused"] = refused_.count();
    document["rejected_file"] = refused_.count() > 0 ? refused_.path() : "";
    print_json(document);
  }

  int finish() {
    if (const auto kept = refused_.close(); !kept) {
      print_error("the refused lines could not be kept", kept.error(), "make room, then import again");
      return exit_refused;
    }
    const auto repeated = ids_.count();
    show_counts(repeated);
    if (repeated > 0) {
      print_note("warning: " + grouped(repeated)
                 + " records name an id that stands in the file before; the last one counts");
    }
    if (refused_.count() > 0) {
      print_note("warning: " + grouped(refused_.count()) + " records were refused; they are in "
                 + refused_.path());
      for (const auto& line : refused_.first()) {
        print_note("  " + printable(line));
      }
    }
    return exit_ok;
  }

  const command_context& context_;
  const import_options& options_;
  storage::session& db_;
  core::connection_id source_;
  file_source& file_;
  refused_lines refused_;
  repeated_ids ids_;
  std::vector<storage::incoming_record> batch_;
  std::vector<std::string> gone_; ///< instead of it, with options_.deleted
  std::size_t batch_bytes_ = 0;
  storage::upsert_counts counts_;
  std::int64_t records_ = 0;
};

} // namespace

int import_records(const command_context& context, const import_options& options) {
  auto db = open_session(context, storage::access::write);
  if (!db) {
    return db.error();
  }
  const auto source = storage::find_connection(*db, options.connection);
  if (!source) {
    return report("the connection cannot be looked up", source.error());
  }
  if (!*source) {
    return report_missing("connection", options.connection, "name one that `sluice apply` has made");
  }
  if ((*source)->driver != "mirror") {
    print_error("records cannot be imported into " + options.connection,
                "it is a connection of the driver " + (*source)->driver + ", not a source's mirror",
                "name a connection whose driver is mirror");
    return exit_refused;
  }
  auto file = file_source::open(options.file);
  if (!file) {
    print_error("nothing was imported", file.error(), "check the path");
    return exit_refused;
  }
  return import_run{context, options, *db, (*source)->id, *file}.run();
}

} // namespace sluice::app
