// Memory files that runners get, looked at.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "catch.h"
#include "sandbox/fd.h"

namespace cudalabs::testing {

template <typename Record>
Record record_at(const std::string& file, std::size_t offset) {
  Record record;
  REQUIRE(offset + sizeof record <= file.size());
  std::memcpy(&record, file.data() + offset, sizeof record);
  return record;
}

/// Nobody can write to it, map it for writing, or change its size or its seals.
inline void check_sealed(const sandbox::Fd& file, std::size_t size) {
  CHECK(pwrite(file.get(), "x", 1, 0) == -1);
  CHECK(errno == EPERM);
  CHECK(mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0) == MAP_FAILED);
  CHECK(ftruncate(file.get(), static_cast<off_t>(size + 1)) == -1);
  CHECK(ftruncate(file.get(), static_cast<off_t>(size - 1)) == -1);
  CHECK(fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE) == -1);
}

}  // namespace cudalabs::testing
