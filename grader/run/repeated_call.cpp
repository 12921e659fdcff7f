#include "run/repeated_call.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace cudalabs::runner {
namespace {

/// A loop is taken to make no more different calls in a round, and to have made many rounds.
constexpr std::size_t kMostPlaces = 4;
constexpr std::uint64_t kFewestTimes = 1000;

bool is_question(const vgpu::ApiCall& call) {
  return call.name == "cudaEventQuery" || call.name == "cudaStreamQuery";
}

struct Place {
  const vgpu::ApiCall* last;
  std::uint64_t times;
};

/// The places of the calls that the log ends with.
std::vector<Place> places_at_end(const vgpu::ServerReport& report) {
  std::vector<Place> places;
  for (auto call = report.calls.rbegin(); call != report.calls.rend(); ++call) {
    const auto known = std::ranges::find_if(places, [&](const Place& place) {
      return place.last->origin == call->origin && place.last->name == call->name;
    });
    if (known != places.end()) {
      known->times += call->times;
    } else if (places.size() < kMostPlaces) {
      places.push_back({&*call, call->times});
    } else {
      break;
    }
  }
  return places;
}

void add_facts(RepeatedApiCall& repeated, const vgpu::ServerReport& report) {
  const bool of_event = repeated.call.event != 0;
  for (const vgpu::ApiCall& call : report.calls) {
    if (call.status != 0) continue;
    const vgpu::CallOrigin origin{call.origin, call.outer};
    if (of_event && call.event == repeated.call.event) {
      repeated.created = repeated.created || call.name.starts_with("cudaEventCreate");
      if (call.name.starts_with("cudaEventRecord")) repeated.recorded = origin;
      if (call.name == "cudaEventDestroy") repeated.destroyed = origin;
    }
    const bool same_stream = !of_event && repeated.call.stream != 0 && call.stream == repeated.call.stream;
    if (same_stream && call.name == "cudaStreamDestroy") repeated.destroyed = origin;
  }
}

}  // namespace

std::optional<RepeatedApiCall> repeated_call(const vgpu::ServerReport& report) {
  std::vector<Place> places = places_at_end(report);
  std::erase_if(places, [](const Place& place) { return place.times < kFewestTimes; });
  if (places.empty()) return std::nullopt;
  const auto asked = std::ranges::find_if(places, [](const Place& place) { return is_question(*place.last); });
  const Place& most = asked != places.end() ? *asked : *std::ranges::max_element(places, {}, &Place::times);
  RepeatedApiCall repeated;
  repeated.call = *most.last;
  repeated.times = most.times;
  if (is_question(repeated.call)) add_facts(repeated, report);
  return repeated;
}

}  // namespace cudalabs::runner
