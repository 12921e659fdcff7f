// Wrong results whose cause a lab knows.
#include "check/explanations.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "lab/nearest.h"

namespace cudalabs {
namespace {

struct Registered {
  Detector detector = nullptr;
  std::vector<std::string_view> numbers;
  std::vector<CauseLine> causes;
  Agreement agreement = nullptr;
};

/// Inside a function, so that it exists whichever file's statics come first.
std::map<std::string, Registered, std::less<>>& known_detectors() {
  static std::map<std::string, Registered, std::less<>> detectors;
  return detectors;
}

/// The words with the numbers in their places. Throws fmt::format_error for a place that no number has.
std::string filled(const std::string& words, const std::map<std::string_view, std::int64_t>& numbers) {
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const auto& [name, number] : numbers) arguments.push_back(fmt::arg(std::string(name).c_str(), number));
  return fmt::vformat(words, arguments);
}

}  // namespace

RegisterDetector::RegisterDetector(std::initializer_list<DetectorAnswer> answers, Detector detector,
                                   Agreement agreement) {
  for (const auto& [name, numbers, causes] : answers) {
    if (!known_detectors().emplace(name, Registered{detector, numbers, causes, agreement}).second)
      throw std::logic_error("two detectors are called " + std::string(name));
  }
}

std::vector<std::string> detector_names() {
  std::vector<std::string> names;
  for (const auto& [name, registered] : known_detectors()) names.push_back(name);
  return names;
}

std::span<const CauseLine> causes_of(std::string_view detector) {
  const auto known = known_detectors().find(detector);
  return known == known_detectors().end() ? std::span<const CauseLine>() : known->second.causes;
}

bool leads_to(std::string_view detector, CauseLine::Kind kind) {
  return std::ranges::find(causes_of(detector), kind, &CauseLine::kind) != causes_of(detector).end();
}

bool speaks_of_others(std::string_view detector) {
  const auto known = known_detectors().find(detector);
  return known != known_detectors().end() && known->second.agreement != nullptr;
}

bool agrees_with(std::string_view detector, std::span<const CaseOutput> outputs) {
  return !speaks_of_others(detector) || known_detectors().find(detector)->second.agreement(detector, outputs);
}

std::string fault_of(const Explanation& explanation) {
  const auto known = known_detectors().find(explanation.detector);
  if (known == known_detectors().end())
    return fmt::format("no detector is called `{}`{}", explanation.detector,
                       suggestion(explanation.detector, detector_names()));
  std::map<std::string_view, std::int64_t> numbers;
  for (const std::string_view name : known->second.numbers) numbers[name] = 1;
  for (const std::string& words : {explanation.what, explanation.help}) {
    try {
      filled(words, numbers);
    } catch (const fmt::format_error&) {
      return fmt::format("the words of `{}` hold a {{}} that is none of {{{}}}: {}", explanation.detector,
                         fmt::join(known->second.numbers, "}, {"), words);
    }
  }
  return {};
}

namespace {

/// A run of one element is told in the singular.
std::string what_of(const Explanation& words, const Detected& detected) {
  constexpr std::string_view kRun = "elements {first} to {last} of {n} are ";
  const auto number = [&](std::string_view name) {
    const auto found = detected.numbers.find(name);
    return found == detected.numbers.end() ? -1 : found->second;
  };
  if (!words.what.starts_with(kRun) || number("first") != number("last")) return filled(words.what, detected.numbers);
  return filled("element {first} of {n} is " + words.what.substr(kRun.size()), detected.numbers);
}

}  // namespace

std::optional<ValuePattern> words_for(const Detected& detected, std::span<const Explanation> explanations) {
  const auto words = std::ranges::find(explanations, detected.name, &Explanation::detector);
  if (words == explanations.end()) return std::nullopt;
  if (const std::string fault = fault_of(*words); !fault.empty()) throw std::runtime_error(fault);
  return ValuePattern{ValueKind::known_to_the_lab,
                      what_of(*words, detected),
                      filled(words->help, detected.numbers),
                      detected.sure,
                      std::string(detected.name),
                      {detected.numbers.begin(), detected.numbers.end()}};
}

std::optional<ValuePattern> explain(std::span<const Explanation> explanations, const Comparison& comparison,
                                    const datasets::Case& test, std::optional<BlockShape> block) {
  std::vector<Detector> asked{nullptr};  // one detector may answer with several names
  for (const Explanation& explanation : explanations) {
    if (const std::string fault = fault_of(explanation); !fault.empty()) throw std::runtime_error(fault);
    const Detector detector = known_detectors().find(explanation.detector)->second.detector;
    if (std::ranges::find(asked, detector) != asked.end()) continue;
    asked.push_back(detector);
    const std::optional<Detected> found = detector(comparison, test, block);
    if (!found) continue;
    if (auto pattern = words_for(*found, explanations)) return pattern;
  }
  return std::nullopt;
}

}  // namespace cudalabs
