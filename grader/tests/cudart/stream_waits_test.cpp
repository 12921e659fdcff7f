// Waits of streams for values in memory: when they are over, what they hold back, and which write ended them.
#include <cstdint>
#include <vector>

#include "catch/catch.h"
#include "vgpu/cudart/server/stream_races.h"
#include "vgpu/cudart/server/stream_waits.h"

namespace cudalabs::vgpu::test::of_stream_waits {
namespace {

using Kind = wire::MemoryOperation::Kind;

ValueWait wait_of(StreamId stream, std::uint64_t number, Progress after) {
  ValueWait wait;
  wait.stream = stream;
  wait.number = number;
  wait.after = std::move(after);
  return wait;
}

wire::MemoryOperation at_least(std::uint64_t value, std::uint32_t bytes = 4) {
  return {64, value, bytes, Kind::wait_at_least};
}

WrittenValues::Write written(std::uint64_t value, std::uint64_t number, std::uint32_t bytes = 4) {
  return {value, bytes, {{5, number}}, {number, 0}};
}

}  // namespace

TEST_CASE("a wait for a value is over as its condition says") {
  struct Case {
    Kind kind;
    std::uint32_t bytes;
    std::uint64_t now, value;
    bool over;
  };
  for (const Case& c : std::vector<Case>{
           {Kind::wait_at_least, 4, 5, 5, true},
           {Kind::wait_at_least, 4, 4, 5, false},
           {Kind::wait_at_least, 4, 1, 0xFFFF'FFFF, true},  // counters wrap
           {Kind::wait_at_least, 4, 0xFFFF'FFFF, 1, false},
           {Kind::wait_at_least, 4, 0x8000'0000, 0, false},
           {Kind::wait_at_least, 4, 0x7FFF'FFFF, 0, true},
           {Kind::wait_at_least, 8, 0xFFFF'FFFF, 1, true},
           {Kind::wait_at_least, 8, 1, ~std::uint64_t{0}, true},
           {Kind::wait_at_least, 8, ~std::uint64_t{0}, 1, false},
           {Kind::wait_equal, 4, 7, 0x1'0000'0007, true},  // of 4 bytes
           {Kind::wait_equal, 8, 7, 0x1'0000'0007, false},
           {Kind::wait_equal, 4, 7, 6, false},
           {Kind::wait_any_set, 4, 6, 2, true},
           {Kind::wait_any_set, 4, 6, 9, false},
           {Kind::wait_any_set, 8, std::uint64_t{1} << 40, std::uint64_t{3} << 40, true},
           {Kind::wait_any_clear, 4, 0xFFFF'FFFF, 0, false},
           {Kind::wait_any_clear, 4, 0xFFFF'FFF0, 0xF, false},
           {Kind::wait_any_clear, 4, 0xFFFF'FFF0, 0x7, true},
           {Kind::wait_any_clear, 8, 0xFFFF'FFFF, 0, true},
       }) {
    CAPTURE(static_cast<int>(c.kind), c.bytes, c.now, c.value);
    CHECK(is_over(c.kind, c.bytes, c.now, c.value) == c.over);
  }
}

TEST_CASE("work goes on when nothing that it comes after waits") {
  StreamWaits waits;
  CHECK(waits.empty());
  CHECK_FALSE(waits.hold({{1, 9}}));
  waits.add(wait_of(1, 3, {{1, 3}}));
  waits.add(wait_of(1, 5, {{1, 5}}));          // behind the first one
  waits.add(wait_of(2, 1, {{1, 2}, {2, 1}}));  // not behind it
  CHECK(waits.hold({{1, 3}}));
  CHECK_FALSE(waits.hold({{1, 2}}));
  CHECK_FALSE(waits.hold({{3, 100}}));
  std::vector<int> done;
  waits.park({1, {{1, 4}}, [&] { done.push_back(1); }});
  waits.park({1, {{1, 6}}, [&] { done.push_back(2); }});
  waits.park({2, {{1, 2}, {2, 2}}, [&] { done.push_back(3); }});
  CHECK(waits.parked() == 3);
  CHECK_FALSE(waits.next());

  std::vector<const ValueWait*> foremost = waits.foremost();
  REQUIRE(foremost.size() == 2);
  CHECK(foremost[0]->number == 3);
  CHECK(foremost[1]->stream == 2);
  CHECK(waits.take(foremost[1]).stream == 2);
  const auto go_on = [&] {
    while (auto work = waits.next()) work->work();
  };
  go_on();
  CHECK(done == std::vector{3});
  foremost = waits.foremost();
  REQUIRE(foremost.size() == 1);
  waits.take(foremost[0]);
  go_on();
  CHECK(done == std::vector{3, 1});
  foremost = waits.foremost();
  REQUIRE(foremost.size() == 1);
  CHECK(foremost[0]->number == 5);
  waits.take(foremost[0]);
  go_on();
  CHECK(done == std::vector{3, 1, 2});
  CHECK(waits.empty());
}

TEST_CASE("a wait is ended by the first write from which on its condition holds") {
  WrittenValues values;
  CHECK(values.ending(at_least(1), 1) == nullptr);
  CHECK(values.last(64) == nullptr);
  for (std::uint64_t i = 1; i <= 4; ++i) values.note(64, written(i, i));
  const auto number = [&](const wire::MemoryOperation& wait, std::uint64_t now) -> std::uint64_t {
    const WrittenValues::Write* const write = values.ending(wait, now);
    return write == nullptr ? 0 : write->origin.address;
  };
  CHECK(number(at_least(3), 4) == 3);
  CHECK(number(at_least(4), 4) == 4);
  CHECK(number(at_least(0), 4) == 1);
  CHECK(number({64, 4, 4, Kind::wait_equal}, 4) == 4);
  CHECK(values.last(64)->value == 4);
  // Something else has written since, or as other bytes.
  CHECK(number(at_least(3), 5) == 0);
  CHECK(number(at_least(3, 8), 4) == 0);
  // A condition that held before does not hold any longer.
  values.note(64, written(0, 5));
  values.note(64, written(9, 6));
  CHECK(number(at_least(3), 9) == 6);
  // Of very many only the last ones are known.
  for (std::uint64_t i = 0; i < 1000; ++i) values.note(64, written(100 + i, 100 + i));
  CHECK(number(at_least(5), 1099) > 1000);
  for (std::uint64_t i = 0; i < 10'000; ++i) values.note(1000 + 8 * i, written(1, i));
  CHECK(values.last(1000 + 8 * 9'999) == nullptr);
  CHECK(values.last(64) != nullptr);
}

TEST_CASE("what comes after a wait learns what has ended it") {
  StreamOrder order;
  for (const StreamId stream : {StreamOrder::kDefault, StreamId{10}, StreamId{11}, StreamId{12}})
    order.add(stream, false);
  const auto produced = order.issue(10), wait = order.issue(11);
  const Progress before = order.reach(12);
  order.wait(12, order.reach(11));
  order.learn(11, wait, order.reach(10));
  CHECK(includes(order.reach(11), {{10, produced}}));
  CHECK(includes(order.reach(12), {{10, produced}}));
  CHECK_FALSE(includes(before, {{10, produced}}));
  CHECK_FALSE(includes(order.reach(StreamOrder::kDefault), {{10, produced}}));
  CHECK(includes(order.next(11), {{11, wait + 1}}));
  CHECK(order.reach(11).at(11) == wait);
}

TEST_CASE("operations behind a wait are no race with what has ended it, and with nothing else they are none the less") {
  StreamRaces races;
  const TouchedBytes reads{{{0, 64}}, {}, {}}, writes{{}, {{0, 64}}, {}}, flag{{}, {}, {{100, 104}}, {{100, 104}}};
  const auto issue = [&](StreamId stream, std::uint64_t number, Progress after) {
    StreamRaces::Operation operation;
    operation.name = "work " + std::to_string(stream);
    operation.origin = {stream * 100 + number, 0};
    operation.stream = stream;
    operation.number = number;
    operation.after = std::move(after);
    operation.after[stream] = number;
    return races.issue(std::move(operation));
  };
  const StreamRaces::Ticket reader = issue(1, 2, {});  // 1.1 is the wait
  races.done(issue(2, 1, {}), writes);
  races.done(issue(2, 2, {}), flag);
  CHECK(races.last_writer({96, 128}).at(2) == 2);
  CHECK(races.last_writer({200, 204}).empty());
  SECTION("the write comes after the data") {
    races.learn(1, 1, races.last_writer({100, 104}));
    races.done(reader, reads);
    CHECK(races.findings().empty());
  }
  SECTION("the write that has ended it comes before the data") {
    races.learn(1, 1, {{3, 1}});
    races.done(reader, reads);
    CHECK(races.findings().size() == 1);
  }
  SECTION("what comes before the wait learns nothing") {
    races.learn(1, 3, {{2, 2}});
    races.done(reader, reads);
    CHECK(races.findings().size() == 1);
  }
}

}  // namespace cudalabs::vgpu::test::of_stream_waits
