// What `vgpu run` looks for, in the words of its option --check.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cudalabs::sanitizer {

enum class Check : std::uint8_t { memory, race, initialisation, synchronisation, leak, advice };

struct CheckName {
  Check check;
  std::string_view name;               // "race"
  std::string_view compute_sanitizer;  // the word for the same in compute-sanitizer: "racecheck"; empty: it has none
  std::string_view about;              // what is looked for, for --help
};

/// One for each Check, in its order.
std::span<const CheckName> check_names();

/// Nothing for what keeps a program from running as it was meant to, such as a launch that is refused or an assertion
/// that fails: findings of this kind are always reported.
std::optional<Check> check_of(std::string_view finding_id);

class Checks {
 public:
  static Checks all();
  /// "race,memcheck": names of either kind, "all" or "none", separated by commas. Throws std::invalid_argument that
  /// says which word is none of these.
  static Checks parse(std::string_view list);

  bool has(Check check) const { return (bits_ >> static_cast<unsigned>(check) & 1u) != 0; }
  /// Whether a finding is reported.
  bool report(std::string_view finding_id) const;
  /// The names, separated by ", "; "none".
  std::string text() const;

  bool operator==(const Checks&) const = default;

 private:
  void add(Check check) { bits_ |= 1u << static_cast<unsigned>(check); }

  std::uint32_t bits_ = 0;
};

}  // namespace cudalabs::sanitizer
