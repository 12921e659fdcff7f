// What all jobs of one grading may use together: processor time, and time in which nothing happens at all. Never the
// wall clock, which runs for other people's work as well.
#pragma once

#include <cstdint>
#include <limits>
#include <mutex>

namespace cudalabs::sandbox {

struct Expense {
  double cpu_seconds = 0;
  double idle_seconds = 0;  // as an IdleClock counts it
};

/// For several threads.
class Budget {
 public:
  /// `together`: of both times, in seconds.
  explicit Budget(Expense limit, double together = std::numeric_limits<double>::infinity())
      : limit_(limit), together_(together) {}

  enum class Spent : std::uint8_t { nothing, processor_time, idle_time, both_times };
  /// What there is no more of.
  Spent spent() const;
  void charge(Expense expense);
  Expense used() const;
  Expense limit() const { return limit_; }
  double limit_together() const { return together_; }

 private:
  const Expense limit_;
  const double together_;
  mutable std::mutex mutex_;
  Expense used_;
};

/// Charges what a piece of work uses, while it is under way and once it is over: told totals, of which none is charged
/// twice.
class Meter {
 public:
  /// `budget` may be null: then there is no limit.
  explicit Meter(Budget* budget) : budget_(budget) {}

  /// So much so far. What was told before may not be seen any more: the larger counts.
  void note(Expense total);
  /// The budget is used up, by this work or by others.
  bool over() const { return budget_ != nullptr && budget_->spent() != Budget::Spent::nothing; }

 private:
  Budget* budget_;
  Expense noted_;
};

}  // namespace cudalabs::sandbox
