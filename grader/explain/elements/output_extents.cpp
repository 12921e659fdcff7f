#include "explain/elements/output_extents.h"

#include <algorithm>
#include <iterator>

namespace cudalabs {

std::vector<vgpu::StoreExtent> extents_of(std::string_view output, const Observation& observed) {
  const auto whole = [](const std::vector<vgpu::StoreExtent>& extents) {
    return extents.size() < vgpu::StoreExtent::kMost;
  };
  std::vector<vgpu::StoreExtent> found;
  if (std::ranges::find(observed.on_device, output) != observed.on_device.end()) {
    if (whole(observed.extents))
      std::ranges::copy_if(observed.extents, std::back_inserter(found),
                           [&](const vgpu::StoreExtent& extent) { return extent.array == output; });
    return found;
  }
  // With several copies, or several outputs, who knows which one this is.
  if (observed.outputs.size() == 1 && observed.copies.size() == 1 && whole(observed.copies.front().copy.extents))
    found = observed.copies.front().copy.extents;
  return found;
}

}  // namespace cudalabs
