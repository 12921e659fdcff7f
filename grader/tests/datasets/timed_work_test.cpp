// What timed calls are held against: a plain computation of the same windows of the same pools.
#include "datasets/timed_work.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "tests/lab/message_of.h"

using namespace cudalabs::datasets;
using cudalabs::tests::contains;
using cudalabs::tests::message_of;

namespace {

using Parameters = std::map<std::string, std::int64_t>;
using Windows = std::vector<std::int64_t>;

/// Work on pools of its own, `spare` elements larger than the windows: the registered ones are large.
class SmallWork {
 public:
  SmallWork(const std::string& name, const Parameters& parameters, std::int64_t spare, std::uint64_t seed = 1)
      : work_(timed_work_for(name)(parameters)) {
    std::vector<std::span<const std::byte>> attached;
    for (const PoolShape& shape : work_->pools()) {
      auto& pool = pools_.emplace_back(static_cast<std::size_t>(shape.window + spare) * size_in_bytes(shape.type));
      work_->fill(pools_.size() - 1, pool, seed + pools_.size());
    }
    for (const auto& pool : pools_) attached.emplace_back(pool);
    work_->attach(attached);
  }

  TimedWork& work() { return *work_; }

  /// Element `index` of a pool, counted from `window` on.
  double at(std::size_t pool, std::int64_t window, std::int64_t index) const {
    const auto read = [&]<typename T>(T value) {
      std::memcpy(&value, pools_[pool].data() + static_cast<std::size_t>(window + index) * sizeof value, sizeof value);
      return static_cast<double>(value);
    };
    switch (work_->pools()[pool].type) {
      case ElementType::f32:
        return read(0.0f);
      case ElementType::i32:
        return read(std::int32_t{0});
      default:
        return read(std::uint8_t{0});
    }
  }

  /// Fills elements of a pool anew, and says so.
  void patch(std::size_t pool, std::int64_t first, std::int64_t elements, std::uint64_t seed) {
    const std::size_t size = size_in_bytes(work_->pools()[pool].type);
    const std::span part(pools_[pool].data() + static_cast<std::size_t>(first) * size,
                         static_cast<std::size_t>(elements) * size);
    work_->fill(pool, part, seed);
    work_->changed(pool, static_cast<std::size_t>(first) * size, part.size());
  }

  struct Expected {
    std::vector<double> value, bound;
  };
  Expected expect(const Windows& windows, std::size_t output, std::int64_t first, std::size_t count) const {
    // Not zero before: expect() has to write every element.
    Expected made{std::vector<double>(count, NAN), std::vector<double>(count, NAN)};
    work_->expect(windows, output, first, made.value, made.bound);
    return made;
  }

 private:
  std::unique_ptr<TimedWork> work_;
  std::vector<std::vector<std::byte>> pools_;
};

/// Element `index` of an output, the slow way.
using Plain = std::function<double(const SmallWork&, const Windows&, std::size_t output, std::int64_t index)>;

struct Timed {
  std::string name;
  Parameters parameters;
  Plain plain;
  bool exact = true;
};

constexpr std::int64_t kM = 3, kN = 17, kP = 5;

double plain_product(const SmallWork& work, const Windows& windows, std::size_t, std::int64_t index) {
  double sum = 0;
  for (std::int64_t k = 0; k < kN; ++k) {
    sum += work.at(0, windows[0], index / kP * kN + k) * work.at(1, windows[1], k * kP + index % kP);
  }
  return sum;
}

double plain_sum(const SmallWork& work, const Windows& windows, std::size_t output, std::int64_t n) {
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += work.at(output, windows[output], i);
  return sum;
}

double plain_picture(const SmallWork& work, const Windows& windows, std::size_t output, std::int64_t index) {
  if (output == 0) return 2 * work.at(0, windows[0], index);
  const auto channel = [&](std::int64_t i) { return work.at(1, windows[1], 3 * index + i); };
  return std::floor((77 * channel(0) + 150 * channel(1) + 29 * channel(2) + 128) / 256);
}

std::vector<Timed> all_timed() {
  std::vector<Timed> all = {
      {"copy",
       {{"n", 100}},
       [](const SmallWork& work, const Windows& windows, std::size_t, std::int64_t index) {
         return work.at(0, windows[0], index);
       }},
      {"vector_add",
       {{"n", 100}},
       [](const SmallWork& work, const Windows& windows, std::size_t, std::int64_t index) {
         const volatile float sum =
             static_cast<float>(work.at(0, windows[0], index)) + static_cast<float>(work.at(1, windows[1], index));
         return static_cast<double>(sum);
       }},
      {"picture", {{"width", 13}, {"height", 7}, {"quiz", 0}, {"gray_first", 0}}, plain_picture},
      // Shorter than a block of which the sum is kept, as long as one, and longer than two.
      {"array_sum",
       {{"n", 100}},
       [](const SmallWork& work, const Windows& windows, std::size_t output, std::int64_t) {
         return plain_sum(work, windows, output, 100);
       }},
      {"array_sum",
       {{"n", 4096}},
       [](const SmallWork& work, const Windows& windows, std::size_t output, std::int64_t) {
         return plain_sum(work, windows, output, 4096);
       }},
      {"array_sum",
       {{"n", 10007}},
       [](const SmallWork& work, const Windows& windows, std::size_t output, std::int64_t) {
         return plain_sum(work, windows, output, 10007);
       }},
  };
  all.push_back({"matrix_product", {{"m", kM}, {"n", kN}, {"p", kP}}, plain_product, false});
  return all;
}

/// The neighbours of a right value, as its type has them, are wrong.
double neighbour(double value, ElementType type, double towards) {
  if (type != ElementType::f32) return value + (towards > value ? 1 : -1);
  return std::nextafter(static_cast<float>(value), static_cast<float>(towards));
}

}  // namespace

TEST_CASE("what a timed call must give is what a plain computation of its windows gives", "[timed]") {
  constexpr std::int64_t kSpare = 9000;
  for (const Timed& timed : all_timed()) {
    CAPTURE(timed.name, timed.parameters.begin()->second);
    const SmallWork small(timed.name, timed.parameters, kSpare);
    const std::vector<OutputShape> outputs = timed_work_for(timed.name)(timed.parameters)->outputs();
    for (const Windows& windows : {Windows{0, 0}, Windows{kSpare, kSpare}, Windows{64, 4096}, Windows{8191, 1}}) {
      for (std::size_t output = 0; output < outputs.size(); ++output) {
        const std::int64_t elements = outputs[output].elements;
        for (const std::int64_t first : {std::int64_t{0}, elements / 2, elements - 1}) {
          for (const std::int64_t count : {std::int64_t{1}, (elements - first + 1) / 2, elements - first}) {
            const auto expected = small.expect(windows, output, first, static_cast<std::size_t>(count));
            for (std::int64_t i = 0; i < count; ++i) {
              CAPTURE(windows[0], windows[1], output, first, i);
              const double value = expected.value[static_cast<std::size_t>(i)];
              const double bound = expected.bound[static_cast<std::size_t>(i)];
              const double plain = timed.plain(small, windows, output, first + i);
              if (timed.exact) {
                REQUIRE(value == plain);
                REQUIRE(bound == 0);
                for (const double end : {-1e30, 1e30}) {
                  REQUIRE_FALSE(std::abs(neighbour(value, outputs[output].type, end) - value) <= bound);
                }
              } else {
                REQUIRE(std::abs(value - plain) <= 1e-13);
                REQUIRE(bound > 0);
                REQUIRE(bound < 1e-4);
              }
            }
          }
        }
      }
    }
  }
}

TEST_CASE("a product without one of its terms is wrong at the size that is timed", "[timed]") {
  constexpr std::int64_t kLength = 2048, kSpare = 64;
  const SmallWork small("matrix_product", {{"m", 1}, {"n", kLength}, {"p", 1}}, kSpare);
  const auto expected = small.expect({0, kSpare}, 0, 0, 1);
  double smallest = std::numeric_limits<double>::infinity();
  float single = 0;
  for (std::int64_t k = 0; k < kLength; ++k) {
    const double term = small.at(0, 0, k) * small.at(1, kSpare, k);
    smallest = std::min(smallest, std::abs(term));
    single += static_cast<float>(term);
  }
  CHECK(smallest > expected.bound[0]);
  CHECK(std::abs(static_cast<double>(single) - expected.value[0]) <= expected.bound[0]);
}

TEST_CASE("a patch changes what is expected", "[timed]") {
  constexpr std::int64_t kSpare = 9000;
  for (const Timed& timed : all_timed()) {
    CAPTURE(timed.name, timed.parameters.begin()->second);
    SmallWork small(timed.name, timed.parameters, kSpare);
    const std::vector<PoolShape> pools = small.work().pools();
    const std::vector<OutputShape> outputs = small.work().outputs();
    const Windows windows = {100, 4000};
    for (std::size_t pool = 0; pool < pools.size(); ++pool) {
      std::vector<std::vector<double>> before;
      for (std::size_t output = 0; output < outputs.size(); ++output) {
        before.push_back(small.expect(windows, output, 0, static_cast<std::size_t>(outputs[output].elements)).value);
      }
      small.patch(pool, windows[pool], pools[pool].window, 77);
      bool differs = false;
      for (std::size_t output = 0; output < outputs.size(); ++output) {
        const auto after = small.expect(windows, output, 0, static_cast<std::size_t>(outputs[output].elements)).value;
        differs = differs || after != before[output];
        for (std::int64_t i = 0; i < outputs[output].elements; ++i) {
          const double plain = timed.plain(small, windows, output, i);
          REQUIRE(std::abs(after[static_cast<std::size_t>(i)] - plain) <= (timed.exact ? 0 : 1e-13));
        }
      }
      CHECK(differs);
    }
  }
}

TEST_CASE("the sums kept of blocks follow patches over their borders and at the pool's end", "[timed]") {
  constexpr std::int64_t kElements = 10007, kSpare = 9000, kBlock = 4096;
  SmallWork small("array_sum", {{"n", kElements}}, kSpare);
  struct Patch {
    std::int64_t first, elements;
  };
  std::uint64_t seed = 100;
  for (const Patch& patch : {Patch{kBlock - 1, 2}, Patch{kBlock - 128, 256}, Patch{2 * kBlock, 1},
                             Patch{2 * kBlock - 1, 1}, Patch{kElements + kSpare - 256, 256}, Patch{0, 3 * kBlock}}) {
    for (std::size_t pool = 0; pool < 2; ++pool) {
      small.patch(pool, patch.first, patch.elements, ++seed);
      for (const std::int64_t window : {std::int64_t{0}, std::int64_t{1}, kBlock, kSpare}) {
        CAPTURE(patch.first, patch.elements, pool, window);
        const Windows windows = {window, window};
        CHECK(small.expect(windows, pool, 0, 1).value[0] == plain_sum(small, windows, pool, kElements));
      }
    }
  }
}

TEST_CASE("values are the same for the same seed, others for another, and stay in their place", "[timed]") {
  constexpr std::size_t kBytes = 12 * 1024, kGuard = 16;
  constexpr std::byte kUntouched{0xa5};
  for (const Timed& timed : all_timed()) {
    const auto work = timed_work_for(timed.name)(timed.parameters);
    for (std::size_t pool = 0; pool < work->pools().size(); ++pool) {
      CAPTURE(timed.name, pool);
      std::vector<std::byte> one(kBytes), same(kBytes), other(kBytes);
      work->fill(pool, one, 5);
      work->fill(pool, same, 5);
      work->fill(pool, other, 6);
      CHECK(one == same);
      CHECK(one != other);
      // No multiple of the eight bytes that a random number has.
      std::vector<std::byte> part(20 + kGuard, kUntouched);
      work->fill(pool, std::span(part).first(20), 5);
      CHECK(std::equal(part.begin(), part.begin() + 20, one.begin()));
      CHECK(std::all_of(part.begin() + 20, part.end(), [](std::byte byte) { return byte == kUntouched; }));
    }
  }
}

TEST_CASE("pools hold signs, and no value that a sum would not miss", "[timed]") {
  const SmallWork product("matrix_product", {{"m", 100}, {"n", 100}, {"p", 1}}, 0);
  std::int64_t negative = 0;
  for (std::int64_t i = 0; i < 10000; ++i) {
    const double value = std::abs(product.at(0, 0, i));
    REQUIRE(value >= 0.5);
    REQUIRE(value < 1);
    negative += product.at(0, 0, i) < 0 ? 1 : 0;
  }
  CHECK(negative > 4700);
  CHECK(negative < 5300);
}

TEST_CASE("a sum of the largest size is exact in its type, in any order", "[timed]") {
  constexpr std::int64_t kElements = 1 << 20, kLargest = 1 << 27, kExact = 1 << 24;
  const SmallWork small("array_sum", {{"n", kElements}}, 0);
  std::int64_t ones = 0;
  double magnitude = 0;
  for (std::int64_t i = 0; i < kElements; ++i) {
    const double value = small.at(0, 0, i);
    REQUIRE((value == 0 || value == 1 || value == -1));
    ones += value == 0 ? 0 : 1;
    magnitude += std::abs(small.at(1, 0, i));
  }
  CHECK(ones > kElements / 64);
  // Were all of one sign.
  CHECK(ones * (kLargest / kElements) < kExact);
  CHECK(magnitude * (static_cast<double>(kLargest) / kElements) < std::numeric_limits<std::int32_t>::max());
}

TEST_CASE("pools have room for their windows at many places", "[timed]") {
  for (const Timed& timed : all_timed()) {
    for (const PoolShape& pool : timed_work_for(timed.name)(timed.parameters)->pools()) {
      CAPTURE(timed.name, pool.name, pool.window, pool.pool);
      CHECK(pool.window > 0);
      CHECK(pool.pool >= pool.window + pool.window / 4);
    }
  }
}

TEST_CASE("a pool is larger than a cache, and a quarter larger than its window", "[timed]") {
  constexpr std::int64_t kCache = std::int64_t{160} << 20;
  CHECK(pool_for(1, ElementType::u8) == kCache);
  CHECK(pool_for(1, ElementType::f32) == kCache / 4);
  CHECK(pool_for(1, ElementType::f64) == kCache / 8);
  CHECK(pool_for(kCache, ElementType::f32) == kCache / 4 * 5);
}

TEST_CASE("a size that cannot be timed is refused by its parameter", "[timed]") {
  for (const Timed& timed : all_timed()) {
    const TimedWorkMaker make = timed_work_for(timed.name);
    for (const auto& [name, value] : timed.parameters) {
      if (name == "quiz" || name == "gray_first") continue;  // the runner's own
      CAPTURE(timed.name, name);
      Parameters changed = timed.parameters;
      changed.erase(name);
      CHECK_THROWS_AS(make(changed), std::invalid_argument);
      CHECK(contains(message_of([&] { make(changed); }), "`" + name + "` is missing"));
      for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 40}) {
        changed[name] = bad;
        CHECK_THROWS_AS(make(changed), std::invalid_argument);
        CHECK(contains(message_of([&] { make(changed); }), "`" + name + "` is " + std::to_string(bad)));
      }
    }
  }
}

TEST_CASE("timed work is found by its name, and registered once", "[timed]") {
  CHECK(timed_work_for("no_such_work") == nullptr);
  CHECK(timed_work_for("") == nullptr);
  CHECK_THROWS_AS(RegisterTimedWork("copy", timed_work_for("array_sum")), std::logic_error);
  CHECK(timed_work_for("copy")({{"n", 1}})->pools().size() == 1);
}
