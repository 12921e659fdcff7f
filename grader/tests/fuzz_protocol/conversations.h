// Whole conversations of the protocol: what the fuzz target begins with. All that the session can be asked for is in
// one of them, at least.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conversation.h"

namespace cudalabs::vgpu::fuzz {

struct NamedConversation {
  std::string name;  // of a file, too
  Conversation said;
  /// What the session ends with, for a conversation that is wrong on purpose; empty: every request is understood.
  std::string protocol_error = {};
};

/// For a session on the fake virtual GPU, as recorded_client.h makes it.
std::vector<NamedConversation> conversations();

/// The fuzz target reads no more of an input: -max_len in CMakeLists.txt.
inline constexpr std::size_t kMostBytes = 4096;

}  // namespace cudalabs::vgpu::fuzz
