// The virtual GPU's answers beside those of a device.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "form_results.h"
#include "record.h"

namespace cudalabs::conformance {

enum class Agreement {
  same,          // bit for bit
  within_bound,  // an approximation, as near as is documented
  differs,
  no_answer,    // the virtual GPU does not execute what the device does
  not_recorded  // the device does not execute it, failed, or was not asked
};

struct Outcome {
  std::string key{};  // of the form, or the program's name
  Agreement agreement = Agreement::same;
  std::string rows{};  // the sorts of rows that differ: "NaN, infinity"; empty for a program
  std::string what{};  // in words, for people
  double ulps = 0;     // the greatest error of an approximation that is bounded
};

/// `results`: none when the virtual GPU does not execute the form.
Outcome compare_form(const InstructionForm& form, const OperandTable& operands,
                     const std::optional<std::vector<FormResult>>& results, const Record& record);
Outcome compare_program(const std::string& name, const std::optional<std::vector<std::byte>>& output,
                        const Record& record);

/// A difference that is known and open.
struct KnownDeviation {
  std::string keys;    // a form's key or a program's name, or several by a pattern of fnmatch(3): "sin.approx*"
  std::string rows;    // as in an outcome
  std::string reason;  // why it is there
};

/// What is wrong, a line each: a difference that is not known, and a known one that is not there any more, or not so.
std::vector<std::string> complaints(const std::vector<Outcome>& outcomes, std::span<const KnownDeviation> known);

}  // namespace cudalabs::conformance
