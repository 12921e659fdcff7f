// Sums, and comparisons that no number that is none passes.
#include "sandbox/budget.h"

#include <algorithm>

namespace cudalabs::sandbox {

Budget::Spent Budget::spent() const {
  const std::lock_guard lock(mutex_);
  if (!(used_.cpu_seconds <= limit_.cpu_seconds)) return Spent::processor_time;
  if (!(used_.idle_seconds <= limit_.idle_seconds)) return Spent::idle_time;
  if (!(used_.cpu_seconds + used_.idle_seconds <= together_)) return Spent::both_times;
  return Spent::nothing;
}

void Budget::charge(Expense expense) {
  const std::lock_guard lock(mutex_);
  used_.cpu_seconds += expense.cpu_seconds;
  used_.idle_seconds += expense.idle_seconds;
}

Expense Budget::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

void Meter::note(Expense total) {
  const Expense more{std::max(total.cpu_seconds - noted_.cpu_seconds, 0.0),
                     std::max(total.idle_seconds - noted_.idle_seconds, 0.0)};
  noted_.cpu_seconds += more.cpu_seconds;
  noted_.idle_seconds += more.idle_seconds;
  if (budget_ != nullptr) budget_->charge(more);
}

}  // namespace cudalabs::sandbox
