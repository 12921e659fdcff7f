// From call-site addresses to source lines.
#include "vgpu/cudart/origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "vgpu/check/allocation_place.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::vgpu {
namespace {

/// nvcc gives the code of function templates the name of a file of its own, "/tmp/tmpxft_4_0-6_sum.cudafe1.cpp", and
/// the lines of the source it was made from: "sum.cu".
std::string name_of_source(std::string_view file) {
  constexpr std::string_view kEnd = ".cudafe1.cpp";
  std::string_view name = file.substr(file.rfind('/') + 1);
  const auto number = name.find('-'), stem = name.find('_', number);
  if (!name.starts_with("tmpxft_") || !name.ends_with(kEnd) || stem == std::string_view::npos) return std::string(file);
  name.remove_suffix(kEnd.size());
  return std::string(name.substr(stem + 1)) + ".cu";
}

/// "/path/file.cu:12", "file.cu:12 (discriminator 3)", "??:0", "??:?".
SourcePlace parse_place(std::string_view line) {
  line = line.substr(0, line.find(" ("));
  const auto colon = line.rfind(':');
  if (colon == std::string_view::npos || line.starts_with("??")) return {};
  const std::string_view number = line.substr(colon + 1);
  SourcePlace place;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), place.line);
  if (error != std::errc{} || end != number.data() + number.size() || place.line == 0) return {};
  place.file = name_of_source(line.substr(0, colon));
  return place;
}

bool in_cuda_header(const SourcePlace& place) {
  const std::string_view file = place.file;
  return file.substr(file.rfind('/') + 1) == "cuda_runtime.h";
}

/// How near a place is to what the program's author wrote: code of his own that is inlined in a library's says where
/// the library was called.
int nearness(const SourcePlace& place) {
  if (!place.known()) return 0;
  if (in_cuda_header(place)) return 1;
  return place.file.starts_with("/usr/") ? 2 : 3;
}

}  // namespace

std::vector<std::string> addr2line_command(const std::string& program, std::span<const std::uint64_t> addresses) {
  std::vector<std::string> command = {"addr2line", "-a", "-i", "-e", program};
  for (const std::uint64_t address : addresses) command.push_back(fmt::format("{:#x}", address));
  return command;
}

namespace {

/// For each address its places, innermost first.
std::vector<std::vector<SourcePlace>> places_of_addresses(std::string_view output, std::size_t addresses) {
  std::vector<std::vector<SourcePlace>> places;
  while (!output.empty()) {
    const auto end = output.find('\n');
    const std::string_view line = output.substr(0, end);
    output = end == std::string_view::npos ? std::string_view{} : output.substr(end + 1);
    if (line.starts_with("0x")) {  // the address itself; its places follow
      if (places.size() == addresses) break;
      places.emplace_back();
    } else if (!places.empty()) {
      places.back().push_back(parse_place(line));
    }
  }
  places.resize(addresses);
  return places;
}

/// The first of the nearest; the end where none is known.
std::vector<SourcePlace>::const_iterator nearest_of(const std::vector<SourcePlace>& places) {
  const auto best = std::ranges::max_element(places, {}, nearness);
  return best == places.end() || !best->known() ? places.end() : best;
}

}  // namespace

std::vector<SourcePlace> parse_addr2line(std::string_view output, std::size_t addresses) {
  std::vector<SourcePlace> found;
  for (const std::vector<SourcePlace>& places : places_of_addresses(output, addresses)) {
    const auto nearest = nearest_of(places);
    found.push_back(nearest == places.end() ? SourcePlace{} : *nearest);
  }
  return found;
}

std::vector<SourcePlace> parse_inlined_calls(std::string_view output, std::size_t addresses) {
  std::vector<SourcePlace> found;
  for (const std::vector<SourcePlace>& places : places_of_addresses(output, addresses)) {
    const auto nearest = nearest_of(places);
    const bool inlined = nearest != places.end() && nearest + 1 != places.end();
    found.push_back(inlined ? nearest[1] : SourcePlace{});
  }
  return found;
}

std::vector<std::uint64_t> origin_addresses(const ServerReport& report) {
  std::vector<std::uint64_t> addresses;
  for (const FindingOrigin& finding : report.origins) {
    addresses.push_back(finding.origin.address);
    addresses.push_back(finding.origin.outer);
  }
  return addresses;
}

const SourcePlace& outside_headers(const SourcePlace& own, const SourcePlace& outer) {
  return in_cuda_header(own) && outer.known() ? outer : own;
}

void place_findings(ServerReport& report, std::span<const SourcePlace> places) {
  for (std::size_t i = 0; i < std::min(places.size() / 2, report.origins.size()); ++i) {
    Finding& finding = report.findings[report.origins[i].finding];
    const SourcePlace &own = places[2 * i], &outer = places[2 * i + 1];
    // The library's code that touches memory for the program was called by it.
    const bool in_library = finding.id == finding_ids::kHostRace;
    const bool is_callers = in_library && nearness(own) < nearness(outer);
    const SourcePlace& place = is_callers ? outer : outside_headers(own, outer);
    if (!place.known() && allocation_place(finding) != AllocationPlace::none) {
      forget_allocation_place(finding);
      continue;
    }
    if (report.origins[i].of_launch) {
      finding.launch.where = place;
    } else if (report.origins[i].of_cause) {
      if (finding.cause) finding.cause->place = place;
    } else if (!report.origins[i].of_other) {
      finding.where = place;
    } else if (finding.other) {
      finding.other->place = place;
      const bool freed = finding.id == finding_ids::kUseAfterFree && nearness(outer) == nearness(own);
      if (freed) finding.cause = OtherPlace{"the call that freed it", outer, {}, {}};
    }
  }
}

}  // namespace cudalabs::vgpu
