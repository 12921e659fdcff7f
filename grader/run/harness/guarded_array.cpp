// One mapping an array: guard, pages that end with the array, guard.
#include "run/harness/guarded_array.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "run/harness/channel.h"
#include "run/harness/fault.h"

namespace cudalabs::harness {
namespace {

constexpr std::size_t kGuardPages = 16;  // more than one: an index may be off by a whole block

}  // namespace

void GuardedArray::make(const ArrayRecord& record, const unsigned char* bytes, int protection) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t guard = kGuardPages * page;
  bytes_ = record.elements * record.element_bytes;
  const std::size_t room = (bytes_ + page - 1) / page * page;
  mapping_bytes_ = guard + room + guard;
  void* mapping = mmap(nullptr, mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) give_up(MessageType::out_of_memory, "no memory for `", record.name, "`");
  mapping_ = static_cast<unsigned char*>(mapping);
  unsigned char* const end = mapping_ + guard + room;
  begin_ = end - bytes_;
  if (bytes_ > 0) {
    if (mprotect(mapping_ + guard, room, PROT_READ | PROT_WRITE) != 0)
      give_up(MessageType::out_of_memory, "no memory for `", record.name, "`");
    std::memcpy(begin_, bytes, bytes_);
    mprotect(mapping_ + guard, room, protection);
  }
  remember_memory(Hit::before, record, mapping_, guard);
  remember_memory(Hit::past_end, record, end, guard);
}

void GuardedArray::copy_to(unsigned char* bytes) const {
  if (bytes_ > 0) std::memcpy(bytes, begin_, bytes_);
}

void GuardedArray::free() {
  if (mapping_) munmap(mapping_, mapping_bytes_);
  *this = {};
}

}  // namespace cudalabs::harness
