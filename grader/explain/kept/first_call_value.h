// A `static` variable of a function that is computed from what the first call was given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "static const int blocks = (n + 255) / 256;"
struct FirstCallValue {
  Setting declared;
  std::string copy;  // "cudaMemcpyToSymbol", which its initialiser calls; empty: none
  /// Its function returns a reference to it, or its address: "const Shape&", and that line. 0: it does not.
  std::string result = {};
  std::uint32_t result_line = 0;

  bool operator==(const FirstCallValue&) const = default;
};

/// The only one of the host's functions that nothing assigns to later. Its initialiser has a parameter of the function
/// that is called from outside of the source, or a variable that is set from one; or a parameter of a function that
/// this one gives such a value. No pointers and references: what they lead to may be meant to stay.
std::optional<FirstCallValue> only_first_call_value(std::string_view source);

/// Places what is right at the first call and wrong at the second, which had other sizes, at such a declaration.
void show_first_call_values(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                            const SubmissionRun& submission_run);

}  // namespace cudalabs
