// An output held against its reference, element by element.
#include "check/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "check/tolerance.h"
#include "datasets/answer_digest.h"
#include "datasets/element_value.h"

namespace cudalabs {
namespace {

using datasets::ElementType;

bool is_poison(ElementType type, const std::byte* at) {
  if (type == ElementType::u8) return false;
  return std::all_of(at, at + datasets::size_in_bytes(type),
                     [](std::byte byte) { return byte == std::byte{kPoisonByte}; });
}

/// Of one element, as far as its writer is known.
enum class Written : std::uint8_t { unknown, yes, no };

/// Asked for one element after the other, from the first one on.
class WrittenElements {
 public:
  explicit WrittenElements(const vgpu::OutputGaps* gaps) : gaps_(gaps) {}

  Written next(std::size_t bytes) {
    const std::uint64_t begin = at_, end = at_ + bytes;
    at_ = end;
    if (gaps_ == nullptr) return Written::unknown;
    while (gap_ < gaps_->unwritten.size() && gaps_->unwritten[gap_].end <= begin) ++gap_;
    if (gap_ == gaps_->unwritten.size()) return Written::yes;
    const vgpu::ByteRange& gap = gaps_->unwritten[gap_];
    return gap.begin <= begin && end <= gap.end ? Written::no : Written::yes;
  }

 private:
  const vgpu::OutputGaps* gaps_;
  std::uint64_t at_ = 0;
  std::size_t gap_ = 0;
};

Fault fault_of(ElementType type, const std::byte* at, double got, double expected, double bound, Written written) {
  const bool floating = type == ElementType::f32 || type == ElementType::f64;
  const bool unwritten = written == Written::no || (written == Written::unknown && is_poison(type, at));
  // A floating poison is unwritten even where the reference has a NaN: nobody computed it.
  if (floating && unwritten) return Fault::unwritten;
  if (within(got, expected, bound)) return Fault::none;
  if (unwritten) return Fault::unwritten;
  return std::isfinite(got) ? Fault::wrong : Fault::nonfinite;
}

Comparison start(const datasets::ExpectedArray& expected) {
  Comparison comparison;
  comparison.name = expected.name;
  comparison.type = expected.type;
  comparison.questions = expected.questions;
  comparison.shape = expected.shape;
  return comparison;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("{}", fmt::join(shape, "×"));
}

}  // namespace

std::int64_t Comparison::count(Fault kind) const {
  return std::ranges::count(fault, kind);
}

bool Comparison::right() const {
  return !misfit && count(Fault::none) == elements();
}

GridShape Comparison::grid() const {
  const std::int64_t columns = shape.empty() ? 1 : shape.back();
  return {columns == 0 ? 0 : elements() / columns, columns};
}

Element Comparison::at(std::int64_t index) const {
  const auto i = static_cast<std::size_t>(index);
  return {index, got[i], expected[i], bound[i]};
}

std::optional<Element> Comparison::first(Fault kind) const {
  const auto found = std::ranges::find(fault, kind);
  if (found == fault.end()) return std::nullopt;
  return at(found - fault.begin());
}

std::optional<Element> Comparison::worst() const {
  std::optional<Element> worst;
  std::pair<double, double> largest{-1, -1};
  for (std::int64_t i = 0; i < elements(); ++i) {
    if (fault[static_cast<std::size_t>(i)] != Fault::wrong) continue;
    const Element element = at(i);
    const double error = std::abs(element.got - element.expected);
    // Where the exact value is asked for, every error is infinitely many bounds; the error itself decides among them.
    const std::pair<double, double> size{element.bound > 0 ? error / element.bound : INFINITY, error};
    if (size > largest) {
      largest = size;
      worst = element;
    }
  }
  return worst;
}

std::string Comparison::place(std::int64_t index) const {
  if (shape == std::vector<std::int64_t>{1}) return name;
  std::string subscripts;
  for (auto axis = shape.rbegin(); axis != shape.rend(); ++axis) {
    subscripts.insert(0, fmt::format("[{}]", index % *axis));
    index /= *axis;
  }
  return name + subscripts;
}

Comparison compare(const datasets::Array& got, const datasets::ExpectedArray& expected, const vgpu::OutputGaps* gaps) {
  Comparison comparison = start(expected);
  const std::size_t size = datasets::size_in_bytes(expected.type);
  const auto elements = static_cast<std::size_t>(expected.elements());
  if (got.type != expected.type || got.shape != expected.shape || got.data.size() != elements * size) {
    comparison.misfit =
        fmt::format("`{}` came back as {} elements of {} bytes, not as {} of {} bytes", expected.name,
                    shape_text(got.shape), datasets::size_in_bytes(got.type), shape_text(expected.shape), size);
    return comparison;
  }
  comparison.expected = expected.value;
  comparison.bound = expected.bound;
  comparison.knows_writes = gaps != nullptr;
  WrittenElements writers(gaps);
  comparison.got.reserve(elements);
  comparison.fault.reserve(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    const std::byte* const at = got.data.data() + i * size;
    const double value = datasets::element_value(expected.type, at);
    comparison.got.push_back(value);
    comparison.fault.push_back(
        fault_of(expected.type, at, value, expected.value[i], expected.bound[i], writers.next(size)));
  }
  const std::byte fill{datasets::fill_of(expected.demand)};
  const bool untouched = std::ranges::all_of(got.data, [fill](std::byte byte) { return byte == fill; });
  if (expected.demand == datasets::Demand::all_or_nothing) {
    const bool all_right = std::ranges::all_of(comparison.fault, [](Fault fault) { return fault == Fault::none; });
    for (std::size_t i = 0; i < elements; ++i) {
      const std::span<const std::byte> element = std::span(got.data).subspan(i * size, size);
      const bool written = std::ranges::any_of(element, [fill](std::byte byte) { return byte != fill; });
      comparison.fault[i] = written && !untouched && !all_right ? Fault::touched : Fault::none;
    }
  }
  if (expected.demand == datasets::Demand::any_value) std::ranges::fill(comparison.fault, Fault::none);
  // An answer that looks like the pattern is an answer.
  for (std::size_t i = 0; i < comparison.questions.size(); ++i) {
    const auto answer = static_cast<std::int64_t>(comparison.got[i]);
    const bool right = datasets::is_right_answer(comparison.questions[i].name, answer);
    comparison.fault[i] = right ? Fault::none : Fault::wrong;
  }
  return comparison;
}

Comparison missing_output(const datasets::ExpectedArray& expected) {
  Comparison comparison = start(expected);
  comparison.misfit = fmt::format("`{}` did not come back", expected.name);
  return comparison;
}

}  // namespace cudalabs
