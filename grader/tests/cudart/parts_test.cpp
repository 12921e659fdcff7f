// The session's parts on their own: stream order, occupancy, pitched walks, addresses, ranges, launch checks.
#include <atomic>
#include <functional>

#include "catch/catch.h"
#include "vgpu/cudart/call_names.h"
#include "vgpu/cudart/client/ranges.h"
#include "vgpu/cudart/server/address_map.h"
#include "vgpu/cudart/server/call_log.h"
#include "vgpu/cudart/server/launch_check.h"
#include "vgpu/cudart/server/reserved_ranges.h"
#include "vgpu/cudart/server/row_cursor.h"
#include "vgpu/cudart/server/stream_order.h"
#include "vgpu/cudart/server/work_queue.h"
#include "vgpu/model/device_model.h"
#include "vgpu/model/occupancy.h"

using namespace cudalabs::vgpu;

namespace {

bool reaches(const Progress& progress, StreamId stream, std::uint64_t number) {
  const auto found = progress.find(stream);
  return found != progress.end() && found->second >= number;
}

}  // namespace

TEST_CASE("a look at a clock is told of the next call that is logged, once") {
  const std::uint16_t launch = wire::call("cudaLaunchKernel"), query = wire::call("cudaStreamQuery");
  constexpr int kNotReady = 600;
  CallLog log;
  log.add(launch, 0, {1, 0}, 0);
  log.look_at_clock();
  log.look_at_clock();
  log.add(0, 0, {2, 0}, 0);  // no call of the program's
  log.add(query, 0, {3, 0}, kNotReady);
  log.look_at_clock();
  log.add(query, 0, {3, 0}, kNotReady);  // the same question once more
  log.add(query, 0, {3, 0}, 0);
  log.add(launch, 0, {4, 0}, 0);
  std::vector<bool> after_clock;
  for (const ApiCall& call : log.calls()) after_clock.push_back(call.after_clock);
  CHECK(after_clock == std::vector<bool>{false, true, true, false});
}

TEST_CASE("of a call that creates an event the log has the event, and whether it has no time") {
  const std::uint16_t create = wire::call("cudaEventCreateWithFlags");
  CallLog log;
  log.add(create, 0, {1, 0}, 0, false, false, false, {7, 0, false, false, true});
  log.add(create, 0, {2, 0}, 0, false, false, false, {8, 0, false, false, false});
  REQUIRE(log.calls().size() == 2);
  CHECK(log.calls()[0].event == 7);
  CHECK(log.calls()[0].without_time);
  CHECK_FALSE(log.calls()[1].without_time);
}

TEST_CASE("a thread that waits for much work may give up between short pieces of it") {
  std::atomic<bool> enough = false;
  std::atomic<int> done = 0;
  WorkQueue queue;
  constexpr int kPieces = 50'000'000;  // far more than are done before the first question
  const std::function<void()> piece = [&] {
    if (!enough && ++done < kPieces) queue.issue(piece);
  };
  queue.issue(piece);
  CHECK_FALSE(queue.wait(kPieces, [] { return true; }));
  CHECK(done < kPieces);
  enough = true;
  CHECK(queue.wait(queue.last_issued(), [] { return false; }));
}

TEST_CASE("without a thread, work is done when it is waited for, or asked about once more") {
  WorkQueue queue(false);
  std::vector<int> done;
  for (int i = 1; i <= 4; ++i) queue.issue([&done, i] { done.push_back(i); });
  CHECK(done.empty());
  CHECK_FALSE(queue.done(1));
  CHECK(queue.pending() == 4);
  CHECK(queue.wait(2, [] { return false; }));
  CHECK(done == std::vector{1, 2});
  queue.advance(3);
  CHECK(queue.done(3));
  CHECK(queue.pending() == 1);
  CHECK(queue.wait(queue.last_issued(), [] { return false; }));
  CHECK(done == std::vector{1, 2, 3, 4});
}

TEST_CASE("without a thread, a wait for much work may be given up between pieces of it") {
  WorkQueue queue(false);
  constexpr int kPieces = 50'000'000;
  int done = 0;
  const std::function<void()> piece = [&] {
    if (++done < kPieces) queue.issue(piece);
  };
  queue.issue(piece);
  CHECK_FALSE(queue.wait(kPieces, [] { return true; }));
  CHECK(done < kPieces);
  CHECK(queue.done(static_cast<WorkQueue::Ticket>(done)));
}

TEST_CASE("promises between streams") {
  StreamOrder order;
  order.add(StreamOrder::kDefault, true);
  order.add(10, true);
  order.add(11, true);
  order.add(20, false);
  const auto a = order.issue(10), b = order.issue(11), c = order.issue(20);
  CHECK(reaches(order.reach(10), 10, a));
  CHECK_FALSE(reaches(order.reach(10), 11, b));
  CHECK_FALSE(reaches(order.reach(20), 10, a));

  SECTION("the default stream waits for blocking streams") {
    order.issue(StreamOrder::kDefault);
    CHECK(reaches(order.reach(StreamOrder::kDefault), 10, a));
    CHECK(reaches(order.reach(StreamOrder::kDefault), 11, b));
    CHECK_FALSE(reaches(order.reach(StreamOrder::kDefault), 20, c));
    SECTION("and they for it, and so for each other") {
      order.issue(11);
      CHECK(reaches(order.reach(11), 10, a));
      CHECK_FALSE(reaches(order.reach(20), 10, a));
    }
  }
  SECTION("an event carries what was before it, through any number of streams") {
    const Progress event = order.reach(20);
    order.wait(10, event);
    CHECK(reaches(order.reach(10), 20, c));
    const Progress second = order.reach(10);
    const auto later = order.issue(10);
    order.wait(11, second);
    CHECK(reaches(order.reach(11), 20, c));
    CHECK(reaches(order.reach(11), 10, a));
    CHECK_FALSE(reaches(order.reach(11), 10, later));
  }
  SECTION("everything includes streams that are gone") {
    order.remove(20);
    CHECK_FALSE(order.known(20));
    CHECK(reaches(order.reach_all(), 20, c));
    CHECK(reaches(order.reach_all(), 11, b));
  }
}

TEST_CASE("occupancy, against NVIDIA's calculator") {
  const DeviceModel t4 = device_model("t4"), a100 = device_model("a100"), h200 = device_model("h200");
  struct Row {
    const DeviceModel& model;
    BlockNeeds needs;
    std::uint32_t blocks;
  };
  const Row rows[] = {
      {t4, {32, 16, 0}, 16},                                 // block slots
      {t4, {256, 32, 0}, 4},                                 // threads
      {t4, {1024, 64, 0}, 1},                                // registers just suffice
      {t4, {1024, 65, 0}, 0},                                // and then not
      {t4, {256, 128, 0}, 2},                                // registers
      {t4, {96, 16, 0}, 10},                                 // 3 warps a block: 32 slots hold 10
      {t4, {64, 16, 16384}, 4},                              // shared memory
      {t4, {64, 16, 16385}, 3},                              // rounded up
      {t4, {64, 16, 65537}, 0},                              // more than a block may have
      {a100, {1024, 32, 0}, 2},    {a100, {64, 32, 0}, 32},  // block slots
      {a100, {128, 32, 40960}, 4},                           // 1 KiB more each: 164 KiB hold 4
      {h200, {256, 32, 0}, 8},     {h200, {256, 255, 0}, 1}, {t4, {0, 16, 0}, 0}, {t4, {1025, 16, 0}, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model.name, row.needs.threads, row.needs.registers_per_thread, row.needs.shared_bytes);
    CHECK(resident_blocks(row.model, row.needs) == row.blocks);
  }
  CHECK(shared_bytes_with(t4, 4, 128) == 16384);
  CHECK(shared_bytes_with(t4, 1, 128) == 49152);
  CHECK(shared_bytes_with(t4, 9, 128) == 0);  // 8 such blocks fill the threads
  CHECK(shared_bytes_with(a100, 4, 128) == 40960);
}

TEST_CASE("walking a pitched block") {
  RowCursor rows({100, 10, 4, 3});
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;
  for (std::uint64_t left = 12; left > 0;) {
    const auto piece = rows.next(std::min<std::uint64_t>(left, 3));
    pieces.emplace_back(piece.address, piece.bytes);
    left -= piece.bytes;
  }
  CHECK(pieces == std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                      {100, 3}, {103, 1}, {110, 3}, {113, 1}, {120, 3}, {123, 1}});
  RowCursor packed({100, 4, 4, 3});
  CHECK(packed.next(99).bytes == 12);  // no gaps: one piece
}

TEST_CASE("what lies where") {
  AddressMap map;
  map.add(1000, {100, {}, std::nullopt});
  map.add(1100, {50, {}, 3u});
  CHECK(map.holds(1000, 100));
  CHECK(map.holds(1099, 1));
  CHECK(map.holds(1100, 0));
  CHECK_FALSE(map.holds(1099, 2));  // two neighbours are not one block
  CHECK_FALSE(map.holds(999, 1));
  CHECK_FALSE(map.holds(1149, 2));
  CHECK_FALSE(map.holds(1000, ~0ull));
  CHECK_FALSE(map.holds(~0ull, ~0ull));
  CHECK(map.allocation(1000) != nullptr);
  CHECK(map.allocation(1100) == nullptr);  // a variable
  CHECK(map.allocation(1001) == nullptr);
  map.remove(1000);
  CHECK_FALSE(map.holds(1000, 1));
  CHECK_FALSE(AddressMap().holds(0, 0));
}

TEST_CASE("ranges of the client") {
  client::Ranges ranges;
  CHECK(ranges.holding(5) == nullptr);
  for (std::uint64_t i = 50; i > 0; --i) REQUIRE(ranges.add({i * 100, 10}));
  for (std::uint64_t i = 1; i <= 50; ++i) {
    REQUIRE(ranges.holding(i * 100) != nullptr);
    CHECK(ranges.holding(i * 100 + 9)->address == i * 100);
    CHECK(ranges.holding(i * 100 + 10) == nullptr);
    CHECK(ranges.holding(i * 100 - 1) == nullptr);
    CHECK(ranges.at(i * 100 + 1) == nullptr);
  }
  CHECK(ranges.remove(2500));
  CHECK_FALSE(ranges.remove(2500));
  CHECK(ranges.holding(2505) == nullptr);
  CHECK(ranges.holding(2405) != nullptr);
  ranges.clear();
  CHECK(ranges.holding(2405) == nullptr);
  CHECK(ranges.add({2400, 10}));
  CHECK(ranges.holding(2405) != nullptr);
  ranges.clear();
}

TEST_CASE("why a launch in clusters is refused") {
  KernelDescription kernel;
  wire::Launch launch;
  launch.grid[0] = 8, launch.grid[1] = 6, launch.grid[2] = 1;
  const auto message = [&](std::uint32_t x, std::uint32_t y, std::uint32_t most_blocks = 8) {
    launch.cluster[0] = x, launch.cluster[1] = y, launch.cluster[2] = x == 0 && y == 0 ? 0 : 1;
    const auto refusal = check_cluster(kernel, launch, most_blocks);
    if (refusal) CHECK(refusal->status == cudaErrorInvalidClusterSize);
    return refusal ? refusal->message : "none";
  };
  CHECK(message(0, 0) == "none");
  CHECK(message(2, 3) == "none");
  CHECK(message(2, 4) == "a grid of 8 x 6 x 1 blocks cannot be divided into clusters of 2 x 4 x 1");
  CHECK(message(2, 0) == "a grid of 8 x 6 x 1 blocks cannot be divided into clusters of 2 x 0 x 1");
  CHECK(message(4, 3) == "clusters of 4 x 3 x 1 = 12 blocks; at most 8");
  CHECK(message(4, 3, 16) == "none");
  kernel.most_cluster_blocks = 4;
  CHECK(message(2, 3) == "clusters of 2 x 3 x 1 = 6 blocks; at most 4");
  kernel.most_cluster_blocks.reset();
  kernel.explicit_cluster = true;
  CHECK(message(0, 0) == "the kernel is to be launched in clusters, and the launch does not say how large they are");
  kernel.required_cluster = {2, 3, 1};
  CHECK(message(0, 0) == "none");
  CHECK(message(2, 3) == "none");
  CHECK(message(2, 2) == "clusters of 2 x 2 x 1 blocks; the kernel's `__cluster_dims__` are 2 x 3 x 1");
  launch.grid[1] = 4;
  CHECK(message(0, 0) == "a grid of 8 x 4 x 1 blocks cannot be divided into clusters of 2 x 3 x 1");
  CHECK(has_clusters(device_model("h200")));
  CHECK_FALSE(has_clusters(device_model("a100")));
}

TEST_CASE("why a launch is refused") {
  const DeviceModel model = device_model("t4");
  KernelDescription kernel;
  kernel.registers = 32;
  kernel.static_shared_bytes = 1024;
  const auto message = [&](wire::Launch launch) {
    const auto refusal = check_launch(model, kernel, launch, 48128);
    return refusal ? refusal->message : "none";
  };
  wire::Launch launch;
  for (auto* extent : {&launch.grid, &launch.block})
    for (auto& size : *extent) size = 1;
  CHECK(message(launch) == "none");
  auto changed = launch;
  changed.grid[1] = 0;
  CHECK(message(changed) == "a grid of 1 x 0 x 1 blocks is empty");
  CHECK(check_launch(model, kernel, changed, 48128)->grid == cudalabs::Index3{1, 0, 1});
  changed = launch;
  changed.block[2] = 0;
  CHECK(message(changed) == "a block of 1 x 1 x 0 threads is empty");
  CHECK_FALSE(check_launch(model, kernel, changed, 48128)->grid);
  changed = launch;
  changed.block[0] = 512, changed.block[1] = 512;
  CHECK(message(changed) == "a block of 512 x 512 x 1 = 262144 threads; at most 1024 over all dimensions together");
  const auto help = [&](std::uint32_t blocks, std::uint32_t threads) {
    auto of_one_axis = launch;
    of_one_axis.grid[0] = blocks, of_one_axis.block[0] = threads;
    return check_launch(model, kernel, of_one_axis, 48128)->help;
  };
  CHECK(help(256, 4097).find("are the two exchanged?") != std::string::npos);
  for (const std::uint32_t blocks : {1u, 100u, 2048u}) CHECK(help(blocks, 4097).find("exchanged") == std::string::npos);
  changed = launch;
  for (auto& size : changed.block) size = ~0u;
  CHECK(message(changed) ==
        "a block of 4294967295 x 4294967295 x 4294967295 threads; at most 1024 over all dimensions together");
  changed = launch;
  changed.grid[2] = 65536;
  CHECK(message(changed) == "a grid of 1 x 1 x 65536 blocks; at most 65535 in z");
  changed = launch;
  changed.block[2] = 65;
  CHECK(message(changed) == "a block of 1 x 1 x 65 threads; at most 64 in z");
  changed = launch;
  changed.shared_bytes = 48129;
  CHECK(message(changed) == "48129 bytes of dynamic shared memory beside 1024 static; at most 48128");
  changed.shared_bytes = ~0ull;
  CHECK(message(changed) != "none");
}

TEST_CASE("the names of API functions are sorted and unique") {
  for (std::size_t i = 1; i < wire::kCallCount; ++i)
    CHECK(std::string(wire::kCallNames[i - 1]) < std::string(wire::kCallNames[i]));
  CHECK(wire::call("cudaMalloc") != 0);
  CHECK(std::string(wire::kCallNames[wire::call("cudaMemcpyAsync")]) == "cudaMemcpyAsync");
}

TEST_CASE("a range is told as parts that are alike, and why a byte of it is what it is") {
  constexpr std::uint64_t kPiece = ReservedRanges::kGranularity, kBegin = 64 * kPiece;
  ReservedRanges ranges;
  ranges.add_range(kBegin, 6 * kPiece, {1, 0});
  ReservedRanges::Range& range = *ranges.range(kBegin);
  const std::uint64_t memory = ranges.add_memory(kPiece, {2, 0});
  range.mappings[kBegin + kPiece] = {kPiece, memory, RangeState::read_write, {3, 0}, 0};
  range.mappings[kBegin + 2 * kPiece] = {kPiece, memory, RangeState::read_write, {4, 0}, 0};
  range.mappings[kBegin + 3 * kPiece] = {kPiece, memory, RangeState::no_access, {5, 0}, 0};
  range.unmapped[kBegin + 5 * kPiece] = {6, 0};
  const std::vector<RangePart> parts = ReservedRanges::parts_of(kBegin, range);
  REQUIRE(parts.size() == 4);
  CHECK((parts[1].address == kBegin + kPiece && parts[1].bytes == 2 * kPiece && parts[1].origin == 3));
  CHECK(parts[2].state == RangeState::no_access);
  CHECK((parts[3].state == RangeState::unmapped && parts[3].bytes == 2 * kPiece));

  CHECK(ranges.reason_at(kBegin)->origin.address == 1);
  CHECK_FALSE(ranges.reason_at(kBegin + kPiece));
  CHECK(ranges.reason_at(kBegin + 3 * kPiece)->origin.address == 5);
  CHECK(ranges.reason_at(kBegin + 4 * kPiece)->origin.address == 1);
  CHECK(ranges.reason_at(kBegin + 5 * kPiece + 9)->origin.address == 6);
  CHECK_FALSE(ranges.reason_at(kBegin + 6 * kPiece));
  CHECK_FALSE(ranges.begin_of(kBegin + 5 * kPiece, 2 * kPiece));
  CHECK(ReservedRanges::mappings_of(range, kBegin + kPiece, 3 * kPiece).size() == 3);
  CHECK(ReservedRanges::mappings_of(range, kBegin + kPiece, 4 * kPiece).empty());
  CHECK(ReservedRanges::mappings_of(range, kBegin + kPiece, kPiece / 2).empty());
  CHECK(ranges.memory(memory) != nullptr);
  CHECK(ranges.remove_if_unused(memory) == 0);
  ranges.memory(memory)->references = 0;
  CHECK(ranges.memory(memory) == nullptr);
  CHECK(ranges.remove_if_unused(memory) == kPiece);
}
