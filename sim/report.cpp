#include "sim/report.hpp"

#include <algorithm>
#include <numeric>

namespace sluice::sim {

std::int64_t report::faults_in_all() const {
  return std::accumulate(faults.begin(), faults.end(), std::int64_t{0});
}

void report::add(const report& other) {
  hours += other.hours;
  messages += other.messages;
  calls += other.calls;
  changes += other.changes;
  acts += other.acts;
  observations += other.observations;
  most_waiting = std::max(most_waiting, other.most_waiting);
  for (std::size_t i = 0; i < fault_count; ++i)
    faults[i] += other.faults[i];
}

std::string summary(const report& of) {
  auto line = [](std::string_view name, std::int64_t count) {
    std::string text{name};
    text.append(name.size() < 24 ? 24 - name.size() : 1, ' ');
    return text + std::to_string(count) + '\n';
  };
  auto text = line("hours", of.hours) + line("messages", of.messages) + line("calls", of.calls)
              + line("source_changes", of.changes) + line("operators_acts", of.acts)
              + line("observations", of.observations) + line("most_messages_waiting", of.most_waiting)
              + line("faults", of.faults_in_all());
  for (std::size_t i = 0; i < fault_count; ++i)
    text += "  " + line(to_string(static_cast<fault>(i)), of.faults[i]);
  return text;
}

std::string verdict(const report& of) {
  auto text = "seed " + std::to_string(of.seed);
  if (!of.found)
    return text + ": ok";
  text += of.found->property > 0 ? " violates property " + std::to_string(of.found->property)
                                 : " ended the world";
  text +=
      of.found_in_hour > of.hours ? " in the quiet phase" : " in hour " + std::to_string(of.found_in_hour);
  return text + ": " + of.found->what;
}

} // namespace sluice::sim
