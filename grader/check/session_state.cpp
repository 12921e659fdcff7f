#include "check/session_state.h"

namespace cudalabs {

SessionState& session_state() {
  static SessionState state;
  return state;
}

}  // namespace cudalabs
