// Whether an output is right, decided on the device so that every timed output can be checked.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace cudalabs::ladder {

/// An output with a margin on both sides; margins and places are poisoned before each run, so that a place never
/// written and a write outside both show. The poison is the NaN whose bits are all one.
class Output {
 public:
  /// `offset`: values by which the output starts past a 256-byte boundary.
  explicit Output(std::size_t count, std::size_t offset = 0);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  float* data() const;
  std::size_t size() const;
  void poison();
  /// Margin values that changed since `poison()`.
  std::size_t margin_writes() const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

/// What came of a check. NaN is always wrong.
struct Verdict {
  std::size_t wrong = 0;          // values off by more than allowed
  std::size_t margin_writes = 0;  // values written outside the output
  double worst = 0;               // largest error as a multiple of what is allowed (real values only)

  bool ok() const { return wrong == 0 && margin_writes == 0; }
  std::string text() const;
};

/// c = a + b, out = 2·in, and a copy: one rounding or none, so the only right answer is the exact one.
Verdict judge_sum(const Output& c, const float* a, const float* b);
Verdict judge_doubled(const Output& out, const float* in);
Verdict judge_copied(const Output& copy, const float* from);

/// Sums of `terms` products against `reference` in double. With `squares` (Σ a²b², in double) an error of
/// 8·2^-24·√terms·√Σa²b² is allowed; without, none. Inputs are independent with mean zero: the partial sums of such a
/// walk stay near √Σa²b², each addition errs by at most 2^-24 of its result with random sign, and so the error's
/// standard deviation stays under 2^-24·√terms·√Σa²b². The worst case over all inputs is √terms larger and more, too
/// loose to notice one lost product or a shorter format.
Verdict judge_products(const Output& c, const double* reference, const double* squares, int terms);

/// The sum and the sum of squares of `count` values, in double.
struct Sums {
  double sum = 0, squares = 0;
  std::size_t count = 0;
};
Sums sums_of(const float* values, std::size_t count);

/// A sum of values against sums_of() them. `exact`: no error allowed. Otherwise 8·2^-24·√depth·√Σa², by the argument
/// above, where `depth` is how many additions in a row one value may go through.
Verdict judge_total(const Output& total, const Sums& reference, double depth, bool exact);

/// The depth for steps of a ladder, which add up as a tree; in any order it is `count`.
double depth_of_tree(std::size_t count);

/// Holds the judge against outputs that are wrong on purpose; throws std::runtime_error if it lets one pass, or refuses
/// a right one.
void test_the_judge();

}  // namespace cudalabs::ladder
