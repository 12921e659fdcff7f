#include "run/wanted_places.h"

#include <array>
#include <utility>

namespace cudalabs::runner {

void WantedPlaces::want(std::span<const std::uint64_t> addresses, Take take) {
  addresses_.insert(addresses_.end(), addresses.begin(), addresses.end());
  wishes_.push_back({addresses.size(), std::move(take)});
}

void WantedPlaces::want(std::uint64_t address, SourcePlace& place) {
  want(std::span(&address, 1), [&place](std::span<const SourcePlace> found) { place = found[0]; });
}

void WantedPlaces::want(const vgpu::CallOrigin& call, SourcePlace& place) {
  want(std::array{call.address, call.outer},
       [&place](std::span<const SourcePlace> found) { place = vgpu::outside_headers(found[0], found[1]); });
}

void WantedPlaces::look_up(SourceLines& lines, const std::filesystem::path& program) {
  const std::vector<SourcePlace> places = lines.places(program, addresses_);
  std::size_t first = 0;
  for (const Wish& wish : wishes_) {
    wish.take(std::span(places).subspan(first, wish.count));
    first += wish.count;
  }
}

}  // namespace cudalabs::runner
