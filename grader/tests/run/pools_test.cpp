// Pools as a memory file, and the copy of them that follows what patches do.
#include "run/pools.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>

#include "add_work.h"
#include "catch.h"
#include "file_bytes.h"
#include "run/harness/runner_protocol.h"

namespace cudalabs {
namespace {

using testing::AddWork;
using testing::check_sealed;
using testing::record_at;

constexpr std::size_t kMost = 64u << 20;
constexpr std::size_t kPage = 4096;
/// Windows of 1000 floats in pools that are no multiple of anything, and larger than what one thread fills at a time.
constexpr std::int64_t kWindow = 1000, kPool = (5 << 20) / 4 + 3;

const std::map<std::string, std::int64_t> kParameters = {{"n", kWindow}};

Pools small_pools(std::uint64_t seed) {
  return {AddWork(kWindow, kPool), kParameters, seed};
}

std::string text_of(const sandbox::Fd& file) {
  return sandbox::read_all(file.get(), kMost);
}

TEST_CASE("pools are laid out as the harness reads them", "[run]") {
  const Pools pools = small_pools(1);
  const std::string file = text_of(pools.file());
  const auto header = record_at<harness::FileHeader>(file, 0);
  CHECK(header.magic == harness::kMagic);
  CHECK(header.parameters == 1);
  CHECK(header.inputs == 2);
  CHECK(header.outputs == 1);
  std::size_t at = sizeof header;
  const auto parameter = record_at<harness::ParameterRecord>(file, at);
  CHECK(std::string(parameter.name) == "n");
  CHECK(parameter.value == kWindow);
  at += sizeof parameter;
  for (std::size_t i = 0; i < 2; ++i, at += sizeof(harness::ArrayRecord)) {
    const auto record = record_at<harness::ArrayRecord>(file, at);
    CHECK(std::string(record.name) == (i == 0 ? "a" : "b"));
    CHECK(record.elements == kWindow);
    CHECK(record.element_bytes == sizeof(float));
    CHECK(record.offset == pools.places().at(i));
    CHECK(record.offset % kPage == 0);
    CHECK(record.pool_bytes == kPool * sizeof(float));
    CHECK(record.pool_bytes == pools.bytes().at(i));
    CHECK(record.offset + record.pool_bytes <= file.size());
  }
  const auto output = record_at<harness::ArrayRecord>(file, at);
  CHECK(std::string(output.name) == "c");
  CHECK(output.elements == kWindow);
  CHECK(at + sizeof output <= pools.places()[0]);
  CHECK(pools.places()[0] + pools.bytes()[0] <= pools.places()[1]);
}

TEST_CASE("nobody can change pools", "[run]") {
  const Pools pools = small_pools(1);
  check_sealed(pools.file(), text_of(pools.file()).size());
}

TEST_CASE("the same seed makes the same pools, another others", "[run]") {
  const std::string file = text_of(small_pools(1).file());
  CHECK(file == text_of(small_pools(1).file()));
  CHECK(file != text_of(small_pools(2).file()));
}

TEST_CASE("no stretch of a pool repeats another", "[run]") {
  const Pools pools = small_pools(3);
  const std::string file = text_of(pools.file());
  std::set<std::string> seen;
  std::size_t stretches = 0;
  for (std::size_t pool = 0; pool < 2; ++pool) {
    for (std::size_t at = 0; at + 64 <= pools.bytes()[pool]; at += kPage, ++stretches) {
      seen.insert(file.substr(pools.places()[pool] + at, 64));
    }
    // The last element is no hole in the file.
    CHECK(record_at<float>(file, pools.places()[pool] + pools.bytes()[pool] - sizeof(float)) != 0);
  }
  CHECK(seen.size() == stretches);
}

TEST_CASE("a copy has the pools' values, and a patch changes it alone", "[run]") {
  const Pools pools = small_pools(4);
  const std::string before = text_of(pools.file());
  PoolCopy copy(pools);
  const PoolCopy other(pools);
  const auto is_original = [&](const PoolCopy& subject, std::size_t pool) {
    const auto bytes = subject.pool(pool);
    return bytes.size() == pools.bytes()[pool] &&
           std::memcmp(bytes.data(), before.data() + pools.places()[pool], bytes.size()) == 0;
  };
  CHECK(is_original(copy, 0));
  CHECK(is_original(copy, 1));

  const std::vector<std::byte> patch(300, std::byte{0x5a});
  const std::size_t at = pools.bytes()[1] - patch.size();
  copy.patch(1, at, patch);
  const auto patched = copy.pool(1);
  CHECK(std::ranges::equal(patched.subspan(at), patch));
  CHECK(std::memcmp(patched.data(), before.data() + pools.places()[1], at) == 0);
  CHECK(is_original(copy, 0));
  CHECK(is_original(other, 1));
  CHECK(text_of(pools.file()) == before);
  CHECK_THROWS_AS(copy.patch(2, 0, patch), std::out_of_range);
}

TEST_CASE("pools that the harness cannot take are refused", "[run]") {
  const AddWork work(kWindow, kWindow);
  CHECK_THROWS_AS(Pools(work, {{std::string(harness::kNameBytes, 'n'), 1}}, 1), std::runtime_error);
  class Many : public AddWork {
   public:
    Many() : AddWork(1, 1) {}
    std::vector<datasets::PoolShape> pools() const override {
      return std::vector<datasets::PoolShape>(33, {"a", datasets::ElementType::f32, 1, 1});
    }
  };
  CHECK_THROWS_AS(Pools(Many(), kParameters, 1), std::runtime_error);
}

}  // namespace
}  // namespace cudalabs
