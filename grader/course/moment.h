// Points in time, as seconds since 1970, and as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalabs::course {

/// "2026-11-20T23:59:00+01:00", with a space for the T, a fraction of a second, and Z or " -0800" for the offset.
/// Without an offset there is no telling: nothing, as for anything else.
std::optional<std::int64_t> parse_moment(std::string_view text);

/// In UTC: "2026-11-20 22:59 UTC".
std::string shown_moment(std::int64_t moment);

/// "2026-11-20", of a number of days since 1970.
std::string shown_day(std::int64_t days);

/// In UTC, without saying so: "2026-11-20 22:59:00".
std::string bare_moment(std::int64_t moment);

/// "3 days", "5 h", "12 min", rounded up: how long something is late.
std::string shown_span(std::int64_t seconds);

}  // namespace cudalabs::course
