// Explains a failed link in terms of the lab's contract: what the header declares and what the student wrote. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "build/diagnostics.h"
#include "lab/lab.h"
#include "vgpu/finding.h"

namespace cudalabs::builder {

/// The declaration of `function` in a header's text, on one line: "void matmul(const float* d_a, …);". Empty when
/// absent.
std::string declaration_of(std::string_view header, std::string_view function);

struct LinkReport {
  std::string_view link_log;     // GNU ld's messages
  std::string_view symbols;      // nm's output for the submission
  std::string_view header;       // text of the contract's header
  std::string_view source = {};  // text of the submission
};

/// One finding a problem; its place is unknown where the problem has none, such as a function that is not there.
std::vector<Finding> explain_link(const Contract& contract, const LinkReport& report);

/// Whether the linker misses a function of the contract, with the parameters that it has there.
bool misses_function(const Contract& contract, std::string_view link_log);

}  // namespace cudalabs::builder
