// Speeds drawn: what was measured between the thresholds, and the steps of a ladder as bars.
#pragma once

#include <string_view>

#include "page/markup.h"
#include "speed/speed_result.h"

namespace cudalabs::page {

/// The ratio with its interval and the ratio of each pair on an axis with the thresholds, whose colours the page's
/// style sheet gives; empty where nothing is known.
Markup speed_plot(const SpeedResult& result);

/// A bar of `share` of the whole, 0 to 1, that takes the colours of the class `name`. `label` is read out; empty: the
/// text beside it says the same.
Markup share_bar(double share, std::string_view name, std::string_view label);

}  // namespace cudalabs::page
