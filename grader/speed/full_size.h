// Whether a function is right at the size that its time is modelled at.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "run/run.h"
#include "speed/model_case.h"

namespace cudalabs::speed {

/// What is wrong with a run of all blocks on `data`, of which a sample of the elements is looked at, the last ones
/// among them; nothing where they are right, or where the run did not come to an end. `size` for people: "n = 1024".
std::optional<Finding> wrong_at_full_size(const ModelCase& data, const Observation& observed, const std::string& size);

}  // namespace cudalabs::speed
