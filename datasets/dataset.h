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

/// What a case asks of an output.
enum class Demand : std::uint8_t {
  value,           // element i is right when |got - value[i]| <= bound[i]
  all_or_nothing,  // every element is right, or none was written: a call is made to fail
  any_value        // what was measured in the run, say: only the lab's own checks can tell what is right
};

/// The byte that an output is filled with before the call. Fresh memory of the virtual GPU holds 0xFF: an output in
/// device memory that was never written comes back so, and one in host memory that has to stay untouched must not look
/// like a copy of it.
constexpr std::uint8_t fill_of(Demand demand) {
  return demand == Demand::all_or_nothing ? 0xCD : 0xFF;
}

/// What an element of an output answers, where each element is the answer to a question: of a wrong one the student
/// reads the hint, and never the right one.
struct Question {
  std::string name;  // "quiz_blocks_x"
  std::string hint;
};

/// What an output must hold.
struct ExpectedArray {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> shape;
  std::vector<double> value;  // reference, computed in double
  std::vector<double> bound;  // largest error an honest computation in `type` can make; 0: exact
  Demand demand = Demand::value;
  std::vector<Question> questions = {};  // none, or one for each element

  std::int64_t elements() const;
};

/// Which calls of the program the virtual GPU makes fail, as a device does that is out of memory or resources. The
/// program's calls of a kind count from 1, those of the runner included; 0: none fails.
struct Faults {
  std::uint64_t allocation = 0;
  std::uint64_t copy = 0;  // between host and device memory
  std::uint64_t launch = 0;
  std::uint64_t kernel = 0;      // launched as it should be; it fails while it runs, and the device is lost with it
  std::uint64_t function = 1;    // of the runner's: calls count from its beginning on
  bool illegal_address = false;  // how that kernel fails: by an illegal address, and not by a failure of its launch
  bool last_launch = false;      // the last one, which a run without faults counts: `launch` is 0 until then
  bool message_only = false;     // the function returns nothing and promises no output: the program shall only say so

  bool any() const { return allocation != 0 || copy != 0 || launch != 0 || kernel != 0 || last_launch; }
  bool operator==(const Faults&) const = default;
};

/// A case as lab.toml (or hidden.toml) names it.
struct CaseSpec {
  std::string name;                                // "one_row"; unique within a lab
  std::string title;                               // "one row times a matrix"
  std::map<std::string, std::int64_t> parameters;  // "m" -> 1, ...: passed to the runner too
  std::vector<std::string> tags;                   // which checks use it
  std::optional<std::uint64_t> seed = {};          // used instead of the lab's seed (hidden cases have their own)
  bool hidden = false;                             // from hidden.toml: students never see its data
  Faults faults = {};
  bool large = false;      // run after all others, and only where it can still cost points
  std::string after = {};  // a case with whose data the function is called before, in the same process; empty: none
};

struct Case {
  CaseSpec spec;
  std::vector<Array> inputs;
  std::vector<ExpectedArray> expected;

  /// Of its inputs and outputs together.
  std::int64_t elements() const;
};

/// Makes the data of a case. Same spec and seed, same bytes, on every machine; the seed in `spec`, if any, wins, and
/// the result's spec names the one that was used. Throws std::invalid_argument when a parameter is missing or out of
/// range (message names it).
using Generator = Case (*)(const CaseSpec& spec, std::uint64_t seed);

/// The generator registered under a name that lab.toml may use, e.g. "matrix_product"; null when there is none.
Generator generator_for(std::string_view name);

/// All such names.
std::vector<std::string> generator_names();

/// A generator's file defines one of these at namespace scope; no list elsewhere names the generators.
struct RegisterGenerator {
  RegisterGenerator(std::string_view name, Generator generator);
};

}  // namespace cudalabs::datasets
