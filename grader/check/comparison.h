// An output held against its reference, element by element.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/dataset.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs {

/// What is wrong with one element. `unwritten`: it still holds the pattern the grader filled the output with;
/// `touched`: it was written, in an output that is neither all right nor left alone, as it has to be.
enum class Fault : std::uint8_t { none, wrong, nonfinite, unwritten, touched };

struct Element {
  std::int64_t index = 0;  // row-major
  double got = 0, expected = 0, bound = 0;
};

/// An output seen as a grid: its last axis is the column, all axes before it together are the row.
struct GridShape {
  std::int64_t rows = 0, columns = 0;

  bool operator==(const GridShape&) const = default;
};

struct Comparison {
  std::string name;  // of the output: "c"
  datasets::ElementType type = datasets::ElementType::f32;
  std::vector<std::int64_t> shape;            // as expected
  std::vector<double> got;                    // all elements, row-major
  std::vector<double> expected;               // the reference
  std::vector<double> bound;                  // largest error that counts as right
  std::vector<Fault> fault;                   // one per element
  bool knows_writes = false;                  // which elements were written is known, and not taken from their values
  std::vector<datasets::Question> questions;  // none, or one per element: its expected value is a secret
  std::optional<std::string> misfit;  // why the output could not be compared at all: missing, other type, other size

  std::int64_t elements() const { return static_cast<std::int64_t>(fault.size()); }
  std::int64_t count(Fault kind) const;
  bool right() const;  // every element is
  GridShape grid() const;
  Element at(std::int64_t index) const;
  /// The first element with `kind`, and the one with the largest error measured in bounds (for `wrong` only).
  std::optional<Element> first(Fault kind) const;
  std::optional<Element> worst() const;
  /// "c[2][7]"; of an array with one element its name
  std::string place(std::int64_t index) const;
};

/// Outputs are filled with bytes of this value before the call. As a float or a double it is a NaN that no arithmetic
/// produces; as an integer it is -1, so an integer counts as unwritten only where it is wrong.
constexpr std::uint8_t kPoisonByte = 0xFF;

/// Compares `got` with `expected` element by element as its demand says (see within() for what is right). `gaps`: which
/// bytes nothing wrote; null: that is not known, and what holds the pattern counts as unwritten, but for byte arrays,
/// where 255 is too likely a value.
Comparison compare(const datasets::Array& got, const datasets::ExpectedArray& expected,
                   const vgpu::OutputGaps* gaps = nullptr);

/// The comparison of an output the run did not deliver.
Comparison missing_output(const datasets::ExpectedArray& expected);

}  // namespace cudalabs
