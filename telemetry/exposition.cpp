#include "telemetry/exposition.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <limits>
#include <utility>
#include <vector>

namespace sluice::telemetry {

namespace {

using prometheus::ClientMetric;

prometheus::MetricType library_type(metric_type type) {
  switch (type) {
  case metric_type::counter:
    return prometheus::MetricType::Counter;
  case metric_type::gauge:
    return prometheus::MetricType::Gauge;
  case metric_type::histogram:
    return prometheus::MetricType::Histogram;
  }
  return prometheus::MetricType::Untyped;
}

ClientMetric::Histogram library_histogram(const histogram::reading& from) {
  ClientMetric::Histogram made;
  for (std::size_t at = 0; at < from.counts.size(); ++at) {
    made.sample_count += static_cast<std::uint64_t>(from.counts[at]);
    const auto bound = at < from.bounds.size() ? from.bounds[at] : std::numeric_limits<double>::infinity();
    made.bucket.push_back({made.sample_count, bound});
  }
  made.sample_sum = from.sum;
  return made;
}

ClientMetric library_metric(metric_type type, sample&& from) {
  ClientMetric made;
  for (auto& [name, value] : from.labels)
    made.label.push_back({std::move(name), std::move(value)});
  if (type == metric_type::histogram)
    made.histogram = library_histogram(std::get<histogram::reading>(from.value));
  else if (type == metric_type::counter)
    made.counter.value = std::get<double>(from.value);
  else
    made.gauge.value = std::get<double>(from.value);
  return made;
}

} // namespace

std::string exposition_of(const metrics& of) {
  std::vector<prometheus::MetricFamily> families;
  for (const auto* family : of.catalogue()) {
    auto& made = families.emplace_back();
    made.name = family->description().name;
    made.help = family->description().help;
    made.type = library_type(family->type());
    for (auto& each : family->samples())
      made.metric.push_back(library_metric(family->type(), std::move(each)));
  }
  return prometheus::TextSerializer{}.Serialize(families);
}

} // namespace sluice::telemetry
