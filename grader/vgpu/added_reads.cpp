#include "vgpu/added_reads.h"

#include <algorithm>
#include <map>

namespace cudalabs::vgpu {
namespace {

std::uint32_t number_of(const SourcePlace& place, std::vector<SourcePlace>& places) {
  const auto known = std::ranges::find(places, place);
  if (known != places.end()) return static_cast<std::uint32_t>(known - places.begin());
  places.push_back(place);
  return static_cast<std::uint32_t>(places.size() - 1);
}

}  // namespace

void add_reads(ArrayReads& array, std::span<const RecordedReads> recorded, const ReadingLaunch& launch) {
  if (array.counts.size() != recorded.size()) {
    array.counts.assign(recorded.size(), 0);
    array.first.assign(recorded.size(), {});
    array.last.assign(recorded.size(), {});
  }
  std::map<std::uint32_t, std::uint32_t> places;  // by instruction
  const auto reader_of = [&](const RecordedReads::Reader& reader) {
    auto place = places.find(reader.instruction);
    if (place == places.end()) {
      const std::uint32_t number = number_of(launch.names.place(reader.instruction), array.places);
      place = places.emplace(reader.instruction, number).first;
    }
    return ElementReader{static_cast<std::uint32_t>(launch.number), coordinates(reader.block, launch.config.grid),
                         coordinates(reader.thread, launch.config.block), place->second};
  };
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (recorded[i].count == 0) continue;
    if (array.counts[i] == 0) array.first[i] = reader_of(recorded[i].first);
    array.last[i] = reader_of(recorded[i].last);
    array.counts[i] += recorded[i].count;
  }
}

}  // namespace cudalabs::vgpu
