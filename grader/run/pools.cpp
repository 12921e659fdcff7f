// Filled in place through a mapping, then closed to writing: a pool is too large to be held twice.
#include "run/pools.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>

#include "run/exchange.h"
#include "run/memory_file.h"
#include "run/system_failure.h"
#include "vgpu/usable_processors.h"

namespace cudalabs {
namespace {

constexpr std::size_t kPage = 4096;
/// Bytes of a pool that come from one stream of random numbers.
constexpr std::size_t kPiece = 4u << 20;

}  // namespace

Pools::Pools(const datasets::TimedWork& work, const std::map<std::string, std::int64_t>& parameters,
             std::uint64_t seed) {
  std::vector<std::byte> head = runner::head_of_pools(work, parameters, kPage, places_);
  std::size_t end = head.size();
  const std::vector<datasets::PoolShape> shapes = work.pools();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    bytes_.push_back(static_cast<std::size_t>(shapes[i].pool) * datasets::size_in_bytes(shapes[i].type));
    end = std::max(end, places_[i] + bytes_[i]);
  }
  runner::MemoryFile file("pools");
  file.map(end, [&](std::span<std::byte> bytes) {
    std::ranges::copy(head, bytes.begin());
    const unsigned threads = vgpu::usable_processors();
    std::vector<std::jthread> workers;
    for (unsigned worker = 0; worker < threads; ++worker) {
      workers.emplace_back([&, worker] {
        std::size_t piece = 0;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
          for (std::size_t at = 0; at < bytes_[i]; at += kPiece, ++piece) {
            if (piece % threads != worker) continue;
            work.fill(i, bytes.subspan(places_[i] + at, std::min(kPiece, bytes_[i] - at)), seed ^ (piece << 20));
          }
        }
      });
    }
  });
  file_ = file.sealed(runner::MemoryFile::Seals::all);
}

PoolCopy::PoolCopy(const Pools& pools) {
  for (std::size_t i = 0; i < pools.bytes().size(); ++i) {
    size_ = std::max(size_, pools.places()[i] + pools.bytes()[i]);
  }
  memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE, pools.file().get(), 0);
  if (memory_ == MAP_FAILED) fail("cannot map pools");
  for (std::size_t i = 0; i < pools.bytes().size(); ++i) {
    pools_.emplace_back(static_cast<std::byte*>(memory_) + pools.places()[i], pools.bytes()[i]);
  }
}

PoolCopy::~PoolCopy() {
  munmap(memory_, size_);
}

void PoolCopy::patch(std::size_t index, std::size_t offset, std::span<const std::byte> bytes) {
  std::ranges::copy(bytes, pools_.at(index).subspan(offset, bytes.size()).begin());
}

}  // namespace cudalabs
