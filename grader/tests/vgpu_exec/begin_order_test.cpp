// The order in which blocks begin that take turns: fixed, or chosen by a seed.
#include "vgpu/exec/begin_order.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using exec::begin_order;
using exec::BeginOrder;

namespace {

using Words = std::vector<std::uint32_t>;
using Seed = std::optional<std::uint64_t>;

constexpr std::uint32_t kBlocks = 24;

/// What `ptx` makes of `words` zeros in a grid of kBlocks blocks of one thread; `ids`: of its findings.
Words run_grid(const std::string& ptx, std::size_t words, Seed seed, std::vector<std::string>* ids = nullptr) {
  VirtualGpuOptions options;
  options.model = device_model("a100");
  options.order_seed = seed;
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(ptx);
  const DeviceAddress array = gpu.allocate(words * 4);
  REQUIRE(gpu.fill(array, 0, words * 4));
  LaunchConfig config;
  config.grid = {kBlocks, 1, 1};
  config.block = {1, 1, 1};
  REQUIRE(gpu.launch(module, "kernel", config, std::as_bytes(std::span(&array, 1))).status == LaunchStatus::ok);
  Words result(words);
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(result)), array));
  if (ids != nullptr) {
    for (const Finding& finding : gpu.findings()) ids->push_back(finding.id);
  }
  return result;
}

/// Each block draws a number, and writes its own to that place: word 0 is what is drawn from.
const std::string kTickets = R"(
  mov.u32 %r2, %ctaid.x;
  atom.global.add.u32 %r3, [%rd1], 1;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3+4], %r2;)";

/// All blocks write their numbers to one place.
const std::string kLastWins = R"(
  mov.u32 %r2, %ctaid.x;
  st.global.u32 [%rd1], %r2;)";

Words drawn(Seed seed) {
  Words words = run_grid(module_with(kTickets), kBlocks + 1, seed);
  words.erase(words.begin());
  return words;
}

}  // namespace

TEST_CASE("every order holds every block once", "[exec]") {
  for (const std::uint64_t count : {0, 1, 2, 3, 100}) {
    std::vector<std::uint64_t> ascending(count);
    std::iota(ascending.begin(), ascending.end(), 0);
    CHECK(begin_order({}, 5, count) == ascending);
    std::vector<std::uint64_t> descending(ascending.rbegin(), ascending.rend());
    CHECK(begin_order({BeginOrder::Kind::descending}, 5, count) == descending);
    for (const std::uint64_t seed : {0, 1, 7}) {
      std::vector<std::uint64_t> shuffled = begin_order({BeginOrder::Kind::shuffled, seed}, 5, count);
      CHECK(shuffled == begin_order({BeginOrder::Kind::shuffled, seed}, 5, count));
      std::ranges::sort(shuffled);
      CHECK(shuffled == ascending);
    }
  }
}

TEST_CASE("another seed and another group of blocks have another order", "[exec]") {
  std::set<std::vector<std::uint64_t>> orders;
  for (const std::uint64_t seed : {0ull, 1ull, 2ull, 1ull << 32, ~0ull}) {
    for (const std::uint64_t group : {0ull, 1ull, 1ull << 40}) {
      orders.insert(begin_order({BeginOrder::Kind::shuffled, seed}, group, 50));
    }
  }
  CHECK(orders.size() == 15);
}

TEST_CASE("blocks that talk to each other begin in an order of the seed", "[exec]") {
  Words descending(kBlocks);
  std::iota(descending.rbegin(), descending.rend(), 0);
  CHECK(drawn(std::nullopt) == descending);
  std::set<Words> orders;
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    const Words order = drawn(seed);
    CHECK(order == drawn(seed));
    CHECK(std::ranges::is_permutation(order, descending));
    orders.insert(order);
  }
  CHECK(orders.size() == 4);
}

TEST_CASE("a race between blocks ends as the seed has it, and is found with every seed", "[exec]") {
  std::set<std::uint32_t> last;
  for (const Seed seed : {Seed{}, Seed{0}, Seed{1}, Seed{2}, Seed{3}, Seed{4}}) {
    std::vector<std::string> ids;
    const std::uint32_t winner = run_grid(module_with(kLastWins), 1, seed, &ids).at(0);
    CHECK(winner < kBlocks);
    CHECK(winner == run_grid(module_with(kLastWins), 1, seed).at(0));
    CHECK(std::ranges::count(ids, "global-race") == 1);
    last.insert(winner);
  }
  CHECK(last.size() > 2);
}
