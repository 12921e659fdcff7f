#include "grading/boundary_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "source/size_limits.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

// Cases take time: those of one size with the most to tell. Smaller sizes are among the lab's own.
constexpr std::size_t kMostOfOneSize = 4;
constexpr std::int64_t kSmallest = 5;

using Shape = std::vector<std::int64_t>;  // one for each of the lab's sizes
struct Boundary {
  Shape shape;
  std::string title;
};

/// Its sizes multiplied are no more than `most`. A source may have numbers of which not even two can be multiplied.
bool fits(const Shape& shape, std::int64_t most) {
  std::int64_t work = 1;
  for (const std::int64_t size : shape) {
    if (size > most / work) return false;
    work *= size;
  }
  return true;
}

/// One more than a whole number of what the code counts in. Products, such as what a block does with several elements
/// for each thread, say the most.
std::vector<Boundary> boundaries_of_one_size(const SizeLimits& limits, std::int64_t most_work) {
  std::vector<Boundary> boundaries;
  const auto add = [&](const std::vector<std::int64_t>& numbers, std::size_t most) {
    for (auto number = numbers.rbegin(); number != numbers.rend() && boundaries.size() < most; ++number) {
      if (*number < kSmallest || *number >= most_work) continue;
      boundaries.push_back({{*number + 1}, fmt::format("one more than {} in the code", *number)});
    }
  };
  add(limits.products, kMostOfOneSize - 1);
  add(limits.numbers, kMostOfOneSize);
  return boundaries;
}

/// The largest number with which the shape is still no more than `most_work`; `shape` gives the shape.
template <typename ShapeOf>
std::optional<std::int64_t> largest_that_fits(const std::vector<std::int64_t>& numbers, std::int64_t most_work,
                                              const ShapeOf& shape_of) {
  for (auto number = numbers.rbegin(); number != numbers.rend() && *number >= kSmallest; ++number)
    if (fits(shape_of(*number), most_work)) return *number;
  return std::nullopt;
}

std::vector<std::int64_t> all_of(const SizeLimits& limits) {
  std::vector<std::int64_t> numbers;
  std::ranges::set_union(limits.numbers, limits.products, std::back_inserter(numbers));
  return numbers;
}

/// Each size alone, where the most is done one after the other: a block's share for each block of the largest grid. A
/// grid that ends at the device's own limit ends there for each of the code's numbers.
std::vector<Boundary> boundaries_of_one(const SizeLimits& limits, std::size_t sizes, std::int64_t most_alone) {
  constexpr std::int64_t kLargestGridInY = 65535;
  constexpr std::int64_t kBeyond = 99;  // several warps have something to do there, and the last not all of its lanes
  std::vector<std::int64_t> numbers = all_of(limits);
  if (std::ranges::binary_search(limits.numbers, kLargestGridInY)) {
    for (const std::int64_t number : limits.numbers) numbers.push_back(number * kLargestGridInY);
    std::ranges::sort(numbers);
  }
  const auto number = largest_that_fits(numbers, most_alone, [](std::int64_t size) { return Shape{size + kBeyond}; });
  std::vector<Boundary> boundaries;
  for (std::size_t large = 0; number && large < sizes; ++large) {
    Shape shape(sizes, 1);
    shape[large] = *number + kBeyond;
    boundaries.push_back({std::move(shape), fmt::format("more than {}, as the code's numbers make it", *number)});
  }
  return boundaries;
}

/// Each size is once a large one, with small ones beside it; then all are the same.
std::vector<Boundary> boundaries_of_shapes(const SizeLimits& limits, std::size_t sizes, std::int64_t most_work) {
  const auto small = std::ranges::find_if(limits.numbers, [](std::int64_t number) { return number >= kSmallest; });
  if (small == limits.numbers.end()) return {};
  const std::vector<std::int64_t> numbers = all_of(limits);
  std::vector<Boundary> boundaries;
  const auto add = [&](const auto& shape_of) {
    if (const auto number = largest_that_fits(numbers, most_work, shape_of))
      boundaries.push_back({shape_of(*number), fmt::format("next to {} and {} in the code", *small, *number)});
  };
  for (std::size_t large = 0; large < sizes; ++large) {
    add([&](std::int64_t number) {
      Shape shape;
      for (std::size_t i = 0; i < sizes; ++i)
        shape.push_back(i == large ? number + 1 : (i + large) % 2 == 0 ? *small - 1 : *small + 1);
      return shape;
    });
  }
  add([&](std::int64_t number) { return Shape(sizes, number + 1); });
  return boundaries;
}

/// The first and the last size next to different numbers, the rest 1. With the largest numbers that fit.
std::vector<Boundary> boundaries_of_two(const SizeLimits& limits, std::size_t sizes, std::int64_t most_of_two) {
  const std::vector<std::int64_t> numbers = all_of(limits);
  const auto shape_of = [sizes](std::int64_t first, std::int64_t last) {
    Shape shape(sizes, 1);
    shape.front() = first + 1;
    shape.back() = last + 1;
    return shape;
  };
  std::optional<std::pair<std::int64_t, std::int64_t>> best;
  for (auto number = numbers.begin(); number != numbers.end(); ++number) {
    const std::int64_t smaller = *number;
    if (smaller < kSmallest || !fits(shape_of(smaller, smaller), most_of_two)) continue;
    const std::vector<std::int64_t> larger(std::next(number), numbers.end());
    const auto with = [&](std::int64_t other) { return shape_of(smaller, other); };
    const auto found = largest_that_fits(larger, most_of_two, with);
    if (found && (!best || (smaller + 1) * (*found + 1) > (best->first + 1) * (best->second + 1)))
      best = {smaller, *found};
  }
  if (!best) return {};
  const auto [smaller, larger] = *best;
  const std::string title = fmt::format("next to {} and {} in the code", smaller, larger);
  return {{shape_of(smaller, larger), title}, {shape_of(larger, smaller), title}};
}

std::vector<Boundary> boundaries_of(const SizeLimits& limits, const BoundaryCases& asked) {
  const std::size_t sizes = asked.sizes.size();
  if (sizes == 1) return boundaries_of_one_size(limits, asked.most_work);
  std::vector<Boundary> boundaries = boundaries_of_shapes(limits, sizes, asked.most_work);
  if (asked.most_of_two > 1)
    std::ranges::move(boundaries_of_two(limits, sizes, asked.most_of_two), std::back_inserter(boundaries));
  if (asked.most_alone > 1)
    std::ranges::move(boundaries_of_one(limits, sizes, asked.most_alone), std::back_inserter(boundaries));
  return boundaries;
}

/// Nothing is made to fail, and these parameters are the same.
bool runs_with(const datasets::CaseSpec& spec, const std::map<std::string, std::int64_t>& parameters) {
  return !spec.faults.any() && std::ranges::all_of(parameters, [&](const auto& parameter) {
    const auto found = spec.parameters.find(parameter.first);
    return found != spec.parameters.end() && found->second == parameter.second;
  });
}

/// The visible case of the same kind that has the least to do.
const datasets::CaseSpec* smallest_case(const Lab& lab) {
  const datasets::CaseSpec* smallest = nullptr;
  std::int64_t least = 0;
  for (const datasets::CaseSpec& spec : lab.cases) {
    if (spec.hidden || !spec.after.empty() || !runs_with(spec, lab.boundary_cases.parameters)) continue;
    std::int64_t work = 1;
    for (const std::string& size : lab.boundary_cases.sizes) {
      const auto found = spec.parameters.find(size);
      work *= found == spec.parameters.end() ? 0 : found->second;
    }
    if (work < 1 || (smallest != nullptr && work >= least)) continue;
    smallest = &spec;
    least = work;
  }
  return smallest;
}

/// The last launch fails: of a program that goes through its data in parts, a part before that is done by then. Where
/// all parts are smaller than in the lab's own cases of this kind, these tell the same.
std::optional<datasets::CaseSpec> failing_case(const Lab& lab, const SizeLimits& limits) {
  const BoundaryCases& asked = lab.boundary_cases;
  if (asked.most_failing == 0) return std::nullopt;
  const std::string& size = asked.sizes.front();
  std::int64_t tried = kSmallest;
  for (const datasets::CaseSpec& spec : lab.cases) {
    const auto found = spec.parameters.find(size);
    if (spec.faults.last_launch && found != spec.parameters.end()) tried = std::max(tried, found->second);
  }
  const auto number =
      largest_that_fits(all_of(limits), asked.most_failing, [](std::int64_t one) { return Shape{one + 1}; });
  if (!number || *number < tried) return std::nullopt;
  datasets::CaseSpec spec;
  spec.parameters = asked.parameters;
  spec.parameters[size] = *number + 1;
  spec.name = "boundary_launch";
  spec.title = fmt::format("{} = {}: one more than {} in the code; the last launch fails", size, *number + 1, *number);
  spec.tags = asked.failing_tags;
  spec.faults.last_launch = true;
  spec.large = true;
  return spec;
}

}  // namespace

std::vector<datasets::CaseSpec> boundary_cases(const Lab& lab, std::string_view source) {
  const BoundaryCases& asked = lab.boundary_cases;
  if (asked.sizes.empty()) return {};
  const std::string code = without_comments(source);
  const SizeLimits limits = size_limits_of(code);
  const datasets::CaseSpec* first = smallest_case(lab);
  std::string before = first == nullptr ? std::string() : first->name;
  std::vector<datasets::CaseSpec> cases;
  for (const Boundary& boundary : boundaries_of(limits, asked)) {
    datasets::CaseSpec spec;
    spec.parameters = asked.parameters;
    std::vector<std::string> shape;
    for (std::size_t i = 0; i < asked.sizes.size(); ++i) {
      spec.parameters[asked.sizes[i]] = boundary.shape[i];
      shape.push_back(fmt::format("{} = {}", asked.sizes[i], boundary.shape[i]));
    }
    const auto known = [&](const datasets::CaseSpec& other) { return runs_with(other, spec.parameters); };
    if (std::ranges::any_of(lab.cases, known) || std::ranges::any_of(cases, known)) continue;
    spec.name = fmt::format("boundary_{}", cases.size() + 1);
    spec.title = fmt::format("{}: {}", fmt::join(shape, ", "), boundary.title);
    spec.tags = asked.tags;
    spec.large = true;
    spec.after = before;
    before = spec.name;
    cases.push_back(std::move(spec));
  }
  if (auto failing = failing_case(lab, limits)) cases.push_back(*std::move(failing));
  return cases;
}

Lab with_boundary_cases(const Lab& lab, std::string_view source) {
  Lab whole = lab;
  for (datasets::CaseSpec& spec : boundary_cases(lab, source)) whole.cases.push_back(std::move(spec));
  return whole;
}

}  // namespace cudalabs
