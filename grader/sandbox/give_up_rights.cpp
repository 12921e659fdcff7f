#include "sandbox/give_up_rights.h"

#include <grp.h>
#include <unistd.h>

#include <algorithm>

namespace cudalabs::sandbox {

bool close_others(std::vector<int> keep) {
  std::sort(keep.begin(), keep.end());
  unsigned first = 0;
  for (const int descriptor : keep) {
    const auto number = static_cast<unsigned>(descriptor);
    if (number > first && close_range(first, number - 1, 0) != 0) return false;
    first = std::max(first, number + 1);
  }
  return close_range(first, ~0u, 0) == 0;
}

bool become(int user) {
  const auto id = static_cast<uid_t>(user);
  return setgroups(0, nullptr) == 0 && setresgid(id, id, id) == 0 && setresuid(id, id, id) == 0;
}

}  // namespace cudalabs::sandbox
