#include "telemetry/metric_family.hpp"

namespace sluice::telemetry {

std::string_view to_string(metric_type type) noexcept {
  switch (type) {
  case metric_type::counter:
    return "counter";
  case metric_type::gauge:
    return "gauge";
  case metric_type::histogram:
    return "histogram";
  }
  return "unknown";
}

metric_family::metric_family(list& all, metric_description description, metric_type type,
                             std::vector<label_description> labels)
    : description_(description), type_(type), labels_(std::move(labels)) {
  all.push_back(this);
}

void metric_family::add_sample(std::vector<sample>& to, label_values labels, const counter& of) {
  to.push_back({std::move(labels), static_cast<double>(of.value())});
}

void metric_family::add_sample(std::vector<sample>& to, label_values labels, const gauge& of) {
  if (const auto value = of.value())
    to.push_back({std::move(labels), *value});
}

void metric_family::add_sample(std::vector<sample>& to, label_values labels, const histogram& of) {
  to.push_back({std::move(labels), of.value()});
}

label_description describe(const enum_label& label) {
  label_description made{label.name, {}, {}};
  for (std::size_t value = 0; value < label.count; ++value)
    made.words.push_back(label.word(value));
  return made;
}

label_values words_at(std::span<const enum_label> labels, std::size_t place) {
  label_values words(labels.size());
  for (auto at = labels.size(); at > 0; --at) {
    const auto& label = labels[at - 1];
    words[at - 1] = {std::string{label.name}, std::string{label.word(place % label.count)}};
    place /= label.count;
  }
  return words;
}

} // namespace sluice::telemetry
