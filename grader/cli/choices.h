// Options that several commands have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "grading/request.h"

namespace cudalabs {

inline const std::map<std::string, DeviceChoice> kDevices{
    {"auto", DeviceChoice::automatic}, {"virtual", DeviceChoice::virtual_gpu}, {"cuda", DeviceChoice::cuda}};
inline const std::map<std::string, LadderChoice> kLadders{
    {"all", LadderChoice::all}, {"last", LadderChoice::last}, {"none", LadderChoice::none}};
inline const std::map<std::string, FrontendChoice> kFrontends{
    {"auto", FrontendChoice::automatic}, {"clang", FrontendChoice::clang}, {"nvcc", FrontendChoice::nvcc}};

inline const std::map<std::string, OutputFormat> kOutputFormats{
    {"text", OutputFormat::text}, {"github", OutputFormat::github}, {"gcc", OutputFormat::gcc}};

/// An option whose value is one of a few words.
template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& value, const std::map<std::string, Value>& words,
                        const std::string& help) {
  std::vector<std::string> known;
  known.reserve(words.size());
  for (const auto& [word, meaning] : words) known.push_back(word);
  return app
      .add_option_function<std::string>(
          name, [&value, &words](const std::string& word) { value = words.at(word); }, help)
      ->check(CLI::IsMember(known))
      ->type_name(CLI::detail::join(known, "|"));
}

/// Of a seed: a text that is no number of 64 bits is refused, and never taken for another number.
inline std::string objection_to_seed(const std::string& typed) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), seed);
  if (error == std::errc() && end == typed.data() + typed.size()) return {};
  return typed + " is no seed: a whole number from 0 to 18446744073709551615";
}

inline CLI::Option* add_seed(CLI::App& app, std::optional<std::uint64_t>& seed,
                             const std::string& help = "Seed of the generated data (default: the lab's)") {
  return app.add_option("--seed", seed, help)->check(&objection_to_seed)->type_name("N");
}

/// Of a file to write: standard output has what a person reads.
inline std::string objection_to_file(const std::string& typed) {
  return typed == "-" ? "the report is printed there: name a file, such as report.json" : "";
}

inline void add_sandbox(CLI::App& command, std::optional<char>& tier) {
  command
      .add_option_function<std::string>(
          "--sandbox", [&tier](const std::string& name) { tier = name.front(); },
          "Run submissions in this tier of isolation (default: the strongest that works here; D: without any)")
      ->check(CLI::IsMember(std::vector<std::string>{"A", "B", "C", "D"}))
      ->type_name("A|B|C|D");
}

}  // namespace cudalabs
