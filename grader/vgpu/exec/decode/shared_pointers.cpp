#include "vgpu/exec/decode/shared_pointers.h"

#include <algorithm>
#include <span>

#include "vgpu/exec/decode/translator.h"
#include "vgpu/memory/address_space.h"
#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu::exec {

SharedAddresses addresses_of_shared(const Surroundings& surroundings) {
  SharedAddresses found;
  for (const SharedPointer& pointer : surroundings.shared_pointers) {
    const auto placed = surroundings.shared.find(pointer.of.symbol);
    if (placed == surroundings.shared.end()) continue;
    const std::uint64_t offset = placed->second + static_cast<std::uint64_t>(pointer.of.addend);
    found[pointer.address] = pointer.of.generic ? kSharedBase + offset : offset;
  }
  return found;
}

bool add_addresses(SharedAddresses& all, const SharedAddresses& wanted) {
  const bool fits = std::ranges::all_of(wanted, [&](const auto& each) {
    const auto known = all.find(each.first);
    return known == all.end() || known->second == each.second;
  });
  if (fits) all.insert(wanted.begin(), wanted.end());
  return fits;
}

void write_addresses(GlobalMemory& memory, const SharedAddresses& all) {
  for (const auto& [place, value] : all) memory.copy_in(place, std::as_bytes(std::span(&value, 1)));
}

}  // namespace cudalabs::vgpu::exec
