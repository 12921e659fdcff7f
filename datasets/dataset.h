// Generated test data: a case is made from a lab's shape parameters and a seed; the expected values are in double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::datasets {

enum class ElementType : std::uint8_t { f32, f64, i32, u8 };
std::size_t size_in_bytes(ElementType type);

/// A dense row-major array with a name ("a", "b"): what the runner gets as input or returns as output.
struct Array {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> shape;  // elements per axis, outermost first
  std::vector<std::byte> data;      // product(shape) * size_in_bytes(type) bytes

  std::int64_t elements() const;
};

/// What an output must hold: element i is right when !(|got - value[i]| <= bound[i]) is false.
struct ExpectedArray {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> shape;
  std::vector<double> value;  // reference, computed in double
  std::vector<double> bound;  // largest error an honest computation in `type` can make; 0: exact

  std::int64_t elements() const;
};

/// A case as lab.toml (or hidden.toml) names it.
struct CaseSpec {
  std::string name;                                // "one_row"; unique within a lab
  std::string title;                               // "one row times a matrix"
  std::map<std::string, std::int64_t> parameters;  // "m" -> 1, ...: passed to the runner too
  std::vector<std::string> tags;                   // which checks use it
  std::optional<std::uint64_t> seed = {};          // used instead of the lab's seed (hidden cases have their own)
  bool hidden = false;                             // from hidden.toml: students never see its data
};

struct Case {
  CaseSpec spec;
  std::vector<Array> inputs;
  std::vector<ExpectedArray> expected;
};

/// Makes the data of a case. Same spec and seed, same bytes, on every machine; the seed in `spec`, if any, wins, and
/// the result's spec names the one that was used. Throws std::invalid_argument when a parameter is missing or out of
/// range (message names it).
using Generator = Case (*)(const CaseSpec& spec, std::uint64_t seed);

/// The generator registered for a lab folder, e.g. "lab3_naive_matmul"; null when there is none.
Generator generator_for(std::string_view slug);

/// A lab's generator file defines one of these at namespace scope; no list elsewhere names the labs.
struct RegisterGenerator {
  RegisterGenerator(std::string_view slug, Generator generator);
};

}  // namespace cudalabs::datasets
