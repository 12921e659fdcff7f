// What the first line of a sample submission expects of its grading, and whether a report meets it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>

namespace cudalabs::lint {

struct Expectation {
  enum class Kind {
    full_marks,        // every check passes, no finding is an error, and `names`: exactly these ids are warnings
    errors,            // `names`: exactly these ids are errors, and points are lost
    failed_checks,     // `names`: exactly these checks fail, and no finding but result-mismatch is an error
    builds_and_fails,  // of a skeleton: it compiles, and earns points for nothing else
    right_results,     // of a step of a ladder: what is correctness passes, and no finding is an error
    all_but_speed      // every check but those of speed passes, and no finding is an error
  };
  Kind kind = Kind::full_marks;
  std::set<std::string> names;

  bool operator==(const Expectation&) const = default;
};

/// Of a second line, "// ON CUDA: full marks": what grading on a real GPU makes of it where that is something else;
/// "// ON CUDA: full marks but for speed" where some GPUs are fast enough for full marks and others are not.
std::optional<Expectation> parse_expectation_on_cuda(const std::string& second_line);

/// Of a second line, "// BY NVCC: full marks": what grading on the virtual GPU makes of nvcc's code, where that is
/// something else. Only modelled speeds depend on the compiler.
std::optional<Expectation> parse_expectation_by_nvcc(const std::string& second_line);

/// Of a further line, "// OR: time-budget": what is as good. Which limit of time an attack meets first may depend on
/// the machine.
std::optional<Expectation> parse_alternative(const std::string& line);

/// Of a second line, "// AT MOST: 5 points": what an attack may earn; nothing for anything else.
std::optional<double> parse_most_points(const std::string& second_line);

/// Of a further line, "// DIFFERS: it keeps all times in a list": why a wrong sample differs from every right one in
/// more than its bug; nothing for anything else.
std::optional<std::string> parse_reason_for_difference(const std::string& line);

/// Reads "// EXPECT: full marks", "// EXPECT: full marks with shared-race", "// EXPECT: shared-race, unwritten-output"
/// or "// EXPECT: score < max [edges, complete]"; nothing for anything else.
std::optional<Expectation> parse_expectation(const std::string& first_line);

/// "shared-race, unwritten-output": the expectation as its line has it.
std::string describe(const Expectation& expectation);

/// Empty when the report (version 1) and the exit code meet the expectation, else what was got instead.
std::string objection(const Expectation& expectation, const nlohmann::json& report, int exit_code);

}  // namespace cudalabs::lint
