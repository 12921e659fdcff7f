// From instructions to lines, and from parameters to the arrays that were given.
#include "vgpu/origin_places.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cudalabs::vgpu {
namespace {

/// The input that the kernel's parameter points to; empty: none, or not known.
std::string input_given(std::uint32_t parameter, const KernelInfo& kernel, std::span<const std::byte> parameters,
                        const ProgramNames& names) {
  if (parameter >= kernel.parameters.size()) return {};
  const ParameterInfo& given = kernel.parameters[parameter];
  std::uint64_t address = 0;
  if (given.size != sizeof address || std::size_t{given.offset} + sizeof address > parameters.size()) return {};
  std::memcpy(&address, parameters.data() + given.offset, sizeof address);
  const auto input = names.input(address, 1);
  return input ? input->name : std::string();
}

}  // namespace

std::vector<OriginPlace> origins_of(std::uint32_t store, const LoadedModule& module, const KernelInfo& kernel,
                                    std::span<const std::byte> parameters, const ProgramNames& names) {
  constexpr std::size_t kMost = 40;  // far more than a finding can name
  std::vector<OriginPlace> places;
  const auto known = module.origins.of_stores.find(code_place(*module.program, store));
  if (known == module.origins.of_stores.end()) return places;
  for (const ValueOrigin& origin : known->second) {
    OriginPlace place{origin.kind, names.place(instruction_at(*module.program, origin.place)), {}};
    if (origin.parameter) place.array = input_given(*origin.parameter, kernel, parameters, names);
    if (!place.where.known() || places.size() == kMost) continue;
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
  }
  return places;
}

std::optional<SourcePlace> endless_loop_around(const LoadedModule& module, std::uint32_t instruction) {
  const auto found = module.origins.endless.find(code_place(*module.program, instruction));
  if (found == module.origins.endless.end()) return std::nullopt;
  SourcePlace place = module.program->location(instruction_at(*module.program, found->second));
  return place.known() ? std::optional(std::move(place)) : std::nullopt;
}

void blame_endless_loop(Finding& finding, const SourcePlace& condition) {
  if (finding.where.known() && finding.where.line != condition.line)
    finding.other = OtherPlace{"threads were here", finding.where, {}, {}};
  finding.where = condition;
  finding.help =
      "nothing in this loop changes what its condition compares: once entered it never ends; count on, or change the "
      "condition";
}

}  // namespace cudalabs::vgpu
