// Written from the front, or mapped and filled in place.
#include "run/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "run/system_failure.h"

namespace cudalabs::runner {

void MemoryFile::write(std::span<const std::byte> bytes) {
  sandbox::write_all(file_.get(), bytes);
  size_ += bytes.size();
}

void MemoryFile::fill(std::size_t count, std::byte value) {
  std::array<std::byte, 1 << 16> chunk;
  chunk.fill(value);
  for (; count > 0; count -= std::min(count, chunk.size()))
    write(std::span(chunk).first(std::min(count, chunk.size())));
}

void MemoryFile::skip(std::size_t count) {
  if (ftruncate(file_.get(), static_cast<off_t>(count)) != 0) fail("cannot make room in a memory file");
}

void MemoryFile::map(std::size_t bytes, const std::function<void(std::span<std::byte>)>& use) {
  skip(bytes);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (memory == MAP_FAILED) fail("cannot map a memory file");
  const auto unmap = [&](void* at) { munmap(at, bytes); };
  const std::unique_ptr<void, decltype(unmap)> mapping(memory, unmap);
  use({static_cast<std::byte*>(memory), bytes});
}

sandbox::Fd MemoryFile::sealed(Seals seals) {
  constexpr unsigned kSize = F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  const unsigned wanted = seals == Seals::all ? kSize | F_SEAL_WRITE : kSize;
  if (lseek(file_.get(), 0, SEEK_SET) != 0 || fcntl(file_.get(), F_ADD_SEALS, wanted) != 0)
    fail("cannot seal a memory file");
  return std::move(file_);
}

}  // namespace cudalabs::runner
