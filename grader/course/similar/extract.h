// A submission's tokens and optimised PTX, made in a sandbox and kept in the cache.
#pragma once

#include <string>
#include <string_view>

#include "build/builder.h"
#include "lab/lab.h"

namespace cudalabs::similar {

struct Extract {
  std::string tokens;  // as `sim_c++ --` prints them
  std::string ptx;     // empty when it does not compile
};

/// Where similarity-tester's `sim_c++` is; empty where it is not installed.
std::string find_tokenizer();

/// `source`: the bytes of any file that was handed in for `lab`. Of what is too long to be graded, too long for a
/// compiler or does not compile there is what there is; no tokens where `tokenizer` is empty. Throws only for the
/// grader's own failures.
Extract extract(const Lab& lab, const Toolchain& toolchain, const std::string& tokenizer, std::string_view source);

}  // namespace cudalabs::similar
