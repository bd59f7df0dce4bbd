#pragma once

#include "telemetry/connection_labels.hpp"
#include "telemetry/instruments.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// A metric: what it is called and means, and its instruments, one for each combination of its labels.
namespace sluice::telemetry {

enum class metric_type : std::uint8_t { counter, gauge, histogram };

[[nodiscard]] std::string_view to_string(metric_type type) noexcept;

struct label_description {
  std::string_view name;
  std::vector<std::string_view> words; ///< all there can be; empty: `bound` says what keeps them few
  std::string_view bound;
};

struct metric_description {
  std::string_view name; ///< as Prometheus has it: base unit, `_total` for a counter
  std::string_view unit;
  std::string_view help; ///< a sentence
};

using label_values = std::vector<std::pair<std::string, std::string>>;

struct sample {
  label_values labels;
  std::variant<double, histogram::reading> value;
};

class metric_family {
public:
  using list = std::vector<const metric_family*>;

  /// Puts itself into the list.
  metric_family(list& all, metric_description description, metric_type type,
                std::vector<label_description> labels);
  virtual ~metric_family() = default;
  metric_family(const metric_family&) = delete;
  metric_family& operator=(const metric_family&) = delete;

  [[nodiscard]] const metric_description& description() const noexcept { return description_; }
  [[nodiscard]] metric_type type() const noexcept { return type_; }
  [[nodiscard]] const std::vector<label_description>& labels() const noexcept { return labels_; }

  /// What is known now.
  [[nodiscard]] virtual std::vector<sample> samples() const = 0;

protected:
  static void add_sample(std::vector<sample>& to, label_values labels, const counter& of);
  static void add_sample(std::vector<sample>& to, label_values labels, const gauge& of);
  static void add_sample(std::vector<sample>& to, label_values labels, const histogram& of);

private:
  metric_description description_;
  metric_type type_;
  std::vector<label_description> labels_;
};

template <class Instrument>
inline constexpr metric_type type_of = metric_type::histogram;
template <>
inline constexpr metric_type type_of<counter> = metric_type::counter;
template <>
inline constexpr metric_type type_of<gauge> = metric_type::gauge;

/// The label an enum's values are: `name`, and `count` of them, which begin at 0 and have a word each.
template <class Enum>
struct label_of;

struct enum_label {
  std::string_view name;
  std::size_t count;
  std::string_view (*word)(std::size_t);
};

template <class Enum>
inline constexpr enum_label enum_label_of{label_of<Enum>::name, label_of<Enum>::count, [](std::size_t value) {
                                            return to_string(static_cast<Enum>(value));
                                          }};

[[nodiscard]] label_description describe(const enum_label& label);
/// The words of the combination at `place`, where the last label's values lie side by side.
[[nodiscard]] label_values words_at(std::span<const enum_label> labels, std::size_t place);

/// An instrument for each combination of values of these enums, found by arithmetic.
template <class Instrument, class... Enums>
class cells {
public:
  static constexpr std::array<enum_label, sizeof...(Enums)> axes{enum_label_of<Enums>...};
  static constexpr std::size_t count = (std::size_t{1} * ... * label_of<Enums>::count);

  [[nodiscard]] Instrument& operator()(Enums... values) noexcept {
    std::size_t place = 0;
    ((place = place * label_of<Enums>::count + static_cast<std::size_t>(values)), ...);
    return all_[place];
  }

  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t place = 0; place < count; ++place)
      visit(words_at(axes, place), all_[place]);
  }

private:
  std::array<Instrument, count> all_{};
};

/// A metric without labels.
template <class Instrument>
class single final : public metric_family, public Instrument {
public:
  template <class... Arguments>
  single(list& all, const metric_description& description, Arguments&&... arguments)
      : metric_family(all, description, type_of<Instrument>, {}),
        Instrument(std::forward<Arguments>(arguments)...) {}

  [[nodiscard]] std::vector<sample> samples() const override {
    std::vector<sample> found;
    add_sample(found, {}, static_cast<const Instrument&>(*this));
    return found;
  }
};

/// A metric whose labels are enums.
template <class Instrument, class... Enums>
class labelled final : public metric_family, public cells<Instrument, Enums...> {
public:
  labelled(list& all, const metric_description& description)
      : metric_family(all, description, type_of<Instrument>, {describe(enum_label_of<Enums>)...}) {}

  [[nodiscard]] std::vector<sample> samples() const override {
    std::vector<sample> found;
    this->each([&](label_values words, const Instrument& of) { add_sample(found, std::move(words), of); });
    return found;
  }
};

/// A metric with a connection's label, and perhaps labels that are enums. Whoever counts asks once for what
/// it counts with.
template <class Instrument, class... Enums>
class by_connection final : public metric_family {
public:
  using row = cells<Instrument, Enums...>;

  by_connection(list& all, const metric_description& description, connection_labels& names)
      : metric_family(all, description, type_of<Instrument>,
                      {names.describe(), telemetry::describe(enum_label_of<Enums>)...}),
        names_(names) {}

  /// Of this connection, or of all that are one too many. Stays valid.
  [[nodiscard]] row& of(core::connection_id connection) {
    const auto place = names_.place_of(connection);
    const std::lock_guard guard{mutex_};
    return rows_[place];
  }

  [[nodiscard]] std::vector<sample> samples() const override {
    std::vector<sample> found;
    const std::lock_guard guard{mutex_};
    for (const auto& [place, its_row] : rows_) {
      const label_values first{{std::string{connection_labels::name}, names_.name_at(place)}};
      its_row.each([&](const label_values& words, const Instrument& of) {
        auto labels = first;
        labels.insert(labels.end(), words.begin(), words.end());
        add_sample(found, std::move(labels), of);
      });
    }
    return found;
  }

private:
  connection_labels& names_;
  mutable std::mutex mutex_;
  std::map<std::size_t, row> rows_; ///< by the connection's place
};

} // namespace sluice::telemetry
