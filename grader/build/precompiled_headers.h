// The headers that every submission includes, compiled once for all submissions and kept in the cache.
#pragma once

#include <optional>
#include <string>

#include "build/cache.h"
#include "build/job_inputs.h"
#include "build/recipe.h"

namespace cudalabs::sandbox {
class Budget;
}  // namespace cudalabs::sandbox

namespace cudalabs::builder {

/// What clang made of headers.
struct Headers {
  std::string host, device;  // of each pass
  std::string included;      // the rules of make for both
};

/// The headers of `precompile_script(recipe)`, compiled now in a sandbox that has nothing of a submission but names of
/// headers. Nothing where they cannot be made. Throws what the sandbox throws.
std::optional<Headers> compiled_headers(const Inputs& inputs, const Recipe& recipe, sandbox::Budget* budget);

/// Adds them to the files of a job, as `kHostHeaders` and `kDeviceHeaders`.
void add_headers(Inputs& inputs, const Headers& headers);

/// Adds `kHostHeaders` and `kDeviceHeaders` for `recipe`, which is clang's, to the files of a job that has the
/// runtime's headers already: out of the cache, or compiled now in a sandbox that has nothing of a submission. False,
/// and nothing added, when they cannot be made. Throws what the sandbox throws.
bool add_precompiled_headers(Inputs& inputs, const Recipe& recipe, const Cache& cache);

}  // namespace cudalabs::builder
