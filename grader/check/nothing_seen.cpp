#include "check/nothing_seen.h"

#include <utility>

#include "check/session_state.h"

namespace cudalabs {

void note_nothing_seen(bool nothing) {
  session_state().nothing_seen = nothing;
}

bool take_nothing_seen() {
  return std::exchange(session_state().nothing_seen, false);
}

void note_explained(bool explained) {
  session_state().explained = explained;
}

bool take_explained() {
  return std::exchange(session_state().explained, false);
}

}  // namespace cudalabs
