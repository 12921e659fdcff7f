#include "check/way_out.h"

#include <algorithm>
#include <iterator>

#include "source/call_text.h"
#include "vgpu/cudart/error_text.h"

namespace cudalabs {
namespace {

bool gives_error(const WatchedCall& call) {
  return call.status != 0 && call.status != cudaErrorNotReady && !call.name.starts_with("cudaLaunch");
}

/// 0: not known.
std::uint32_t line_of(const WatchedCall& call, std::string_view code, std::uint32_t anchor) {
  return line_in_function_of(code, anchor, call.where.line, call.outer.line);
}

}  // namespace

const WatchedCall* first_told(const std::vector<WatchedCall>& calls) {
  const auto told = std::ranges::find_if(calls, gives_error);
  return told == calls.end() ? nullptr : &*told;
}

std::optional<WayOut> way_out_of(const std::vector<WatchedCall>& calls, std::string_view code, std::uint32_t anchor,
                                 std::string_view release, std::string_view argument) {
  WayOut out;
  out.told = first_told(calls);
  if (out.told == nullptr) return std::nullopt;
  out.line = line_of(*out.told, code, anchor);
  if (out.line == 0) return std::nullopt;
  const auto releases = [&](const WatchedCall& call) { return call.name == release; };
  const auto after = std::next(calls.begin(), out.told - calls.data() + 1);
  const auto last = std::find_if(calls.rbegin(), std::make_reverse_iterator(after), releases);
  if (last.base() != after) out.freed = line_of(*last, code, anchor);
  out.skipped = later_call(code, out.line, release, argument);
  const auto is_there = [&](const WatchedCall& call) { return releases(call) && call.where.line == out.skipped; };
  if (std::any_of(after, calls.end(), is_there)) out.skipped = 0;
  return out;
}

}  // namespace cudalabs
