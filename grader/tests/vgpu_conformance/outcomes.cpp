// The virtual GPU's answers beside those of a device.
#include "outcomes.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include "error_bounds.h"

namespace cudalabs::conformance {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Error {
  double ulps = 0, of_bound = 0;
};

Error error_between(const RealValue& ours, const RealValue& theirs, const ErrorBound& bound) {
  const bool nan = std::isnan(ours.value);
  if (nan || std::isnan(theirs.value)) {
    return nan && std::isnan(theirs.value) ? Error{} : Error{kInfinity, kInfinity};
  }
  if (ours.place == theirs.place) return {};
  const auto [low, high] = std::minmax(ours.place, theirs.place);
  const auto ulps = static_cast<double>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
  // A unit more: the virtual GPU rounds, too.
  double of_bound = bound.exact() ? kInfinity : ulps / (bound.ulps + 1);
  if (bound.absolute == kInfinity) of_bound = 0;
  if (std::isfinite(ours.value) && std::isfinite(theirs.value)) {
    const double distance = std::fabs(ours.value - theirs.value);
    if (bound.absolute > 0) of_bound = std::min(of_bound, distance / bound.absolute);
    if (bound.relative > 0 && theirs.value != 0) {
      of_bound = std::min(of_bound, distance / (bound.relative * std::fabs(theirs.value)));
    }
  }
  return {ulps, of_bound};
}

/// The greatest error of what one register holds; integers are equal or not.
Error error_of(const Slot& slot, std::uint64_t ours, std::uint64_t theirs, const ErrorBound& bound) {
  const std::vector<RealValue> mine = real_values(slot, ours), device = real_values(slot, theirs);
  if (mine.empty()) return ours == theirs ? Error{} : Error{kInfinity, kInfinity};
  Error worst;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const Error error = error_between(mine[i], device[i], bound);
    if (bound.absolute != kInfinity) worst.ulps = std::max(worst.ulps, error.ulps);
    worst.of_bound = std::max(worst.of_bound, error.of_bound);
  }
  return worst;
}

std::string row_in_words(const OperandTable& operands, std::size_t row, const FormResult& ours,
                         const FormResult& theirs) {
  std::string text = "operands";
  for (const std::vector<std::uint64_t>& column : operands.columns) text += fmt::format(" {:x}", column[row]);
  return text + fmt::format(": {:x} {:x}, the device {:x} {:x}", ours.first, ours.second, theirs.first, theirs.second);
}

using Sorts = std::array<bool, kSorts>;

std::string words_of(const Sorts& sorts) {
  std::string text;
  for (std::size_t sort = 0; sort < kSorts; ++sort) {
    if (sorts[sort]) text += (text.empty() ? "" : ", ") + std::string(name_of(static_cast<Sort>(sort)));
  }
  return text;
}

Sorts differing_sorts(const std::string& ours, const std::string& theirs) {
  Sorts sorts{};
  std::istringstream mine(ours), device(theirs);
  std::string left, right;
  for (bool& differs : sorts) {
    mine >> left;
    device >> right;
    differs = left != right;
  }
  return sorts;
}

void compare_samples(const InstructionForm& form, const OperandTable& operands, const std::vector<FormResult>& results,
                     const std::string& samples, Outcome& outcome) {
  std::vector<Slot> slots;
  if (form.result.bits != 0) slots.push_back(form.result);
  slots.insert(slots.end(), form.stores.begin(), form.stores.end());
  const std::vector<FormResult> recorded = read_samples(form, operands, samples);
  const std::vector<std::size_t> rows = sampled_rows(form, operands);
  Sorts sorts{};
  double worst = 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t row = rows[i];
    const ErrorBound bound = error_bound(form, operands, row);
    Error error = error_of(slots[0], results[row].first, recorded[i].first, bound);
    if (slots.size() > 1) {
      const Error second = error_of(slots[1], results[row].second, recorded[i].second, bound);
      error = {std::max(error.ulps, second.ulps), std::max(error.of_bound, second.of_bound)};
    }
    if (error.of_bound <= 1) {
      outcome.ulps = std::max(outcome.ulps, error.ulps);
      continue;
    }
    sorts[static_cast<std::size_t>(sort_of(form, operands, row))] = true;
    if (error.of_bound <= worst) continue;
    worst = error.of_bound;
    outcome.what =
        fmt::format("{:.3g} times the bound; {}", worst, row_in_words(operands, row, results[row], recorded[i]));
  }
  outcome.rows = words_of(sorts);
  outcome.agreement = outcome.rows.empty() ? Agreement::within_bound : Agreement::differs;
}

bool exact(const InstructionForm& form, const OperandTable& operands) {
  return !form.approximate() || error_bound(form, operands, 0).exact();
}

}  // namespace

Outcome compare_form(const InstructionForm& form, const OperandTable& operands,
                     const std::optional<std::vector<FormResult>>& results, const Record& record) {
  Outcome outcome{.key = form.key()};
  const auto recorded = record.forms.find(outcome.key);
  if (recorded == record.forms.end()) {
    outcome.agreement = Agreement::not_recorded;
    return outcome;
  }
  if (!results) {
    outcome.agreement = Agreement::no_answer;
    return outcome;
  }
  const Sorts sorts = differing_sorts(digests_of(form, operands, *results), recorded->second);
  outcome.rows = words_of(sorts);
  if (outcome.rows.empty()) return outcome;
  outcome.agreement = Agreement::differs;
  outcome.what = "the digests differ";
  const auto samples = record.samples.find(outcome.key);
  if (samples == record.samples.end()) return outcome;
  if (!exact(form, operands)) {
    compare_samples(form, operands, *results, samples->second, outcome);
    return outcome;
  }
  const std::vector<std::size_t> rows = sampled_rows(form, operands);
  const std::vector<FormResult> answers = read_samples(form, operands, samples->second);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const FormResult &ours = (*results)[rows[i]], &theirs = answers[i];
    if (ours.first == theirs.first && ours.second == theirs.second) continue;
    outcome.what = row_in_words(operands, rows[i], ours, theirs);
    break;
  }
  return outcome;
}

Outcome compare_program(const std::string& name, const std::optional<std::vector<std::byte>>& output,
                        const Record& record) {
  Outcome outcome{.key = name};
  const auto recorded = record.programs.find(name);
  if (recorded == record.programs.end()) {
    outcome.agreement = Agreement::not_recorded;
  } else if (!output) {
    outcome.agreement = Agreement::no_answer;
  } else if (digest_of(*output) != recorded->second) {
    outcome.agreement = Agreement::differs;
    outcome.what = "another output";
  }
  return outcome;
}

std::vector<std::string> complaints(const std::vector<Outcome>& outcomes, std::span<const KnownDeviation> known) {
  std::vector<std::string> lines;
  std::vector<bool> met(known.size());
  const auto say = [&](const Outcome& outcome, const std::string& text) {
    lines.push_back(outcome.key + (outcome.rows.empty() ? "" : " (rows with " + outcome.rows + ")") + ": " + text);
  };
  for (const Outcome& outcome : outcomes) {
    const bool differs = outcome.agreement == Agreement::differs;
    const bool compared = differs || outcome.agreement <= Agreement::within_bound;
    const auto row = std::ranges::find_if(known, [&](const KnownDeviation& deviation) {
      return fnmatch(deviation.keys.c_str(), outcome.key.c_str(), 0) == 0;
    });
    if (row != known.end() && compared) {
      met[static_cast<std::size_t>(row - known.begin())] = true;
      if (!differs) say(outcome, "agrees; take it out of the known deviations");
      if (differs && outcome.rows != row->rows) {
        say(outcome, "another deviation than the known one, in rows with " + row->rows + "; " + outcome.what);
      }
    } else if (differs) {
      say(outcome, outcome.what);
    }
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!met[i]) lines.push_back(known[i].keys + ": a known deviation of nothing that the record has");
  }
  return lines;
}

}  // namespace cudalabs::conformance
