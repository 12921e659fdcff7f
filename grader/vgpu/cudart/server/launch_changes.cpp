#include "vgpu/cudart/server/launch_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "vgpu/exec/program.h"

namespace cudalabs::vgpu {
namespace {

std::string text_of(const Index3& extent) {
  return fmt::format("{} x {} x {}", extent[0], extent[1], extent[2]);
}

/// Where a parameter lies in the buffer.
struct Placed {
  std::size_t offset = 0, bytes = 0;
  ptx::Type type = ptx::Type::none;
};

std::vector<Placed> placed_parameters(const ptx::Function& kernel, std::size_t bytes) {
  std::vector<Placed> placed;
  std::size_t end = 0;
  for (const ptx::Variable& parameter : kernel.parameters) {
    const std::size_t alignment = std::max<std::size_t>(parameter.alignment, 1);
    const std::size_t offset = (end + alignment - 1) / alignment * alignment;
    end = offset + parameter.size;
    if (end > bytes) return {};
    placed.push_back({offset, parameter.size, parameter.type});
  }
  return placed;
}

/// The changes of one launch. Every change has a number of its own, whether it is made or not.
class Changes {
 public:
  Changes(const AskedLaunch& launch, std::uint64_t launch_number, std::vector<LaunchMutant>& to)
      : launch_(launch), launch_number_(launch_number), to_(to) {}

  void add_grids() {
    for (const std::size_t axis : {0, 1}) {
      const std::uint32_t blocks = launch_.config.grid[axis];
      add_extent(Mutant::Change::grid, with(launch_.config.grid, axis, blocks + 1));
      add_extent(Mutant::Change::grid, with(launch_.config.grid, axis, 2 * blocks));
      add_extent(Mutant::Change::grid, with(launch_.config.grid, axis, std::max(blocks, 2u) - 1));
    }
  }

  void add_blocks() {
    const Index3& block = launch_.config.block;
    for (const std::size_t axis : {0, 1}) {
      add_extent(Mutant::Change::block, with(block, axis, 2 * block[axis]));
      add_extent(Mutant::Change::block, with(block, axis, std::max(block[axis] / 2, 1u)));
    }
  }

  /// Two are exchanged, or one gets the value of another.
  void add_arguments(const std::vector<Placed>& parameters) {
    const auto bytes_at = [](std::vector<std::byte>& bytes, const Placed& place) {
      return bytes.begin() + static_cast<std::ptrdiff_t>(place.offset);
    };
    for (std::uint32_t i = 0; i < parameters.size(); ++i) {
      for (std::uint32_t j = 0; j < parameters.size(); ++j) {
        const Placed &one = parameters[i], &other = parameters[j];
        if (i == j || one.type != other.type || one.bytes != other.bytes) continue;
        std::vector<std::byte> exchanged = launch_.parameters, copied = launch_.parameters;
        std::swap_ranges(bytes_at(exchanged, one), bytes_at(exchanged, one) + static_cast<std::ptrdiff_t>(one.bytes),
                         bytes_at(exchanged, other));
        std::copy_n(bytes_at(copied, other), one.bytes, bytes_at(copied, one));
        if (i < j) add_argument(std::move(exchanged), i, j, "exchanged");
        add_argument(std::move(copied), i, j, "");
      }
    }
    for (std::uint32_t i = 0; i < parameters.size(); ++i) add_members(parameters[i], i);
  }

 private:
  /// Two words of a small structure that is given by value are exchanged.
  void add_members(const Placed& structure, std::uint32_t parameter) {
    constexpr std::size_t kWord = 4, kMostWords = 8, kLargestScalar = 8;
    const std::size_t words = structure.bytes / kWord;
    const bool of_words = structure.type == ptx::Type::b8 && structure.bytes % kWord == 0;
    if (!of_words || words < 2 || words > kMostWords || structure.bytes < kLargestScalar) return;
    for (std::size_t i = 0; i < words; ++i) {
      for (std::size_t j = i + 1; j < words; ++j) {
        std::vector<std::byte> exchanged = launch_.parameters;
        const auto word = [&](std::size_t number) {
          return exchanged.begin() + static_cast<std::ptrdiff_t>(structure.offset + number * kWord);
        };
        std::swap_ranges(word(i), word(i) + kWord, word(j));
        add_argument(std::move(exchanged), parameter, parameter, std::to_string(j), std::to_string(i));
      }
    }
  }

  static Index3 with(Index3 extent, std::size_t axis, std::uint32_t value) {
    extent[axis] = value;
    return extent;
  }

  LaunchMutant next(Mutant::Change change) {
    constexpr std::uint32_t kFirst = 1'000'000, kMostOfLaunch = 10'000;
    LaunchMutant made;
    made.change = {launch_number_, launch_.config, launch_.parameters};
    made.mutant.number = kFirst + static_cast<std::uint32_t>(launch_number_) * kMostOfLaunch + made_++;
    made.mutant.change = change;
    made.mutant.kernel = display_name(launch_.kernel);
    made.mutant.launch = launch_.origin;
    return made;
  }

  void add_extent(Mutant::Change change, const Index3& extent) {
    LaunchMutant made = next(change);
    Index3& own = change == Mutant::Change::grid ? made.change.config.grid : made.change.config.block;
    constexpr std::uint32_t kMostThreads = 1024;
    made.mutant.original = text_of(own);
    made.mutant.replacement = text_of(extent);
    made.changes = own != extent;
    own = extent;
    if (made.change.config.threads_per_block() <= kMostThreads) to_.push_back(std::move(made));
  }

  void add_argument(std::vector<std::byte> parameters, std::uint32_t original, std::uint32_t replacement,
                    std::string how, std::string member = {}) {
    LaunchMutant made = next(Mutant::Change::argument);
    made.changes = parameters != launch_.parameters;
    made.change.parameters = std::move(parameters);
    made.mutant.original_parameter = original;
    made.mutant.replacement_parameter = replacement;
    made.mutant.original = std::move(member);
    made.mutant.replacement = std::move(how);
    to_.push_back(std::move(made));
  }

  const AskedLaunch& launch_;
  const std::uint64_t launch_number_;
  std::vector<LaunchMutant>& to_;
  std::uint32_t made_ = 0;
};

}  // namespace

std::vector<LaunchMutant> launch_changes(std::span<const AskedLaunch> launches, const ptx::Module& module) {
  std::vector<LaunchMutant> made;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    Changes changes(launches[i], i + 1, made);
    changes.add_grids();
    changes.add_blocks();
    const auto kernel = std::ranges::find(module.functions, launches[i].kernel, &ptx::Function::name);
    if (kernel != module.functions.end())
      changes.add_arguments(placed_parameters(*kernel, launches[i].parameters.size()));
  }
  return made;
}

}  // namespace cudalabs::vgpu
