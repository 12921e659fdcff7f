// Records of run/harness/runner_protocol.h one behind the other in a file's bytes.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace cudalabs::runner {

template <typename Record>
void append_record(std::vector<std::byte>& file, const Record& record) {
  static_assert(std::is_trivially_copyable_v<Record>);
  const std::size_t at = file.size();
  file.resize(at + sizeof record);
  std::memcpy(file.data() + at, &record, sizeof record);
}

}  // namespace cudalabs::runner
