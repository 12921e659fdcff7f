#include "check/unseen.h"

#include <utility>

#include "check/session_state.h"

namespace cudalabs {

void note_unseen(std::string which_and_why) {
  session_state().unseen = std::move(which_and_why);
}

std::string take_unseen() {
  return std::exchange(session_state().unseen, {});
}

}  // namespace cudalabs
