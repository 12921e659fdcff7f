// The headers that every submission includes, compiled once for all submissions and kept in the cache.
#pragma once

#include "build/cache.h"
#include "build/job_inputs.h"
#include "build/recipe.h"

namespace cudalabs::builder {

/// Adds `kHostHeaders` and `kDeviceHeaders` for `recipe`, which is clang's, to the files of a job that has the
/// runtime's headers already: out of the cache, or compiled now in a sandbox that has nothing of a submission. False,
/// and nothing added, when they cannot be made. Throws what the sandbox throws.
bool add_precompiled_headers(Inputs& inputs, const Recipe& recipe, const Cache& cache);

}  // namespace cudalabs::builder
