// Loops that count, and how often they go round.
#include "source/counting_loop.h"

#include <string>

#include "catch.h"

namespace cudalabs {
namespace {

std::optional<CountingLoop> counting(const std::string& head, const std::string& body = "{ a(t); }") {
  static std::string code;  // the result points into it
  code = head + " " + body;
  const std::vector<LoopText> loops = loops_of(code);
  return loops.empty() ? std::nullopt : counting_loop(code, loops.front());
}

TEST_CASE("a loop that counts is read from its head", "[source]") {
  const auto loop = counting("for (int t = z + 1; t < phases(n); t += HALVES)");
  REQUIRE(loop);
  CHECK(loop->counter == "t");
  CHECK(loop->first == "z + 1");
  CHECK(loop->end == "phases(n)");
  CHECK(loop->step == "HALVES");
  CHECK(counting("for (unsigned t{} = 0; t <= n; ++t)") == std::nullopt);
  const auto down = counting("for (t = n - 1; t >= 0; t--)");
  REQUIRE(down);
  CHECK_FALSE(down->upwards);
  CHECK(down->with_end);
  CHECK(down->step == "1");
}

TEST_CASE("rounds are counted up and down, with the end and without", "[source]") {
  const CountingLoop up = counting("for (int t = a; t < b; t += c)").value(),
                     to_end = counting("for (int t = a; t <= b; t += c)").value(),
                     down = counting("for (int t = a; t > b; t -= c)").value();
  CHECK(up.rounds(0, 3, 2) == 2);
  CHECK(up.rounds(1, 3, 2) == 1);
  CHECK(up.rounds(3, 3, 2) == 0);
  CHECK(up.rounds(9, 3, 0) == 0);
  CHECK(to_end.rounds(1, 3, 2) == 2);
  CHECK(down.rounds(10, 0, 5) == 2);
  CHECK_FALSE(up.rounds(0, 3, 0));
  CHECK_FALSE(up.rounds(0, std::int64_t{1} << 60, 1));
}

TEST_CASE("a loop that counts in another way has no known rounds", "[source]") {
  CHECK_FALSE(counting("for (int t = 0; t != n; ++t)"));
  CHECK_FALSE(counting("for (int t = 0; t << n; ++t)"));
  CHECK_FALSE(counting("for (int t = 0; n > t; ++t)"));
  CHECK_FALSE(counting("for (int t = 0; t < n; t *= 2)"));
  CHECK_FALSE(counting("for (int t = 0; t < n; t -= 2)"));
  CHECK_FALSE(counting("for (int t = 0, u = 1; t < n; ++t)"));
  CHECK_FALSE(counting("for (int t = 0; t < n; ++t, ++u)"));
  CHECK_FALSE(counting("for (; t < n; ++t)"));
  CHECK_FALSE(counting("for (int i : list)"));
  CHECK_FALSE(counting("while (t < n)"));
  CHECK_FALSE(counting("for (int t = 0; t < n; ++t)", "{ t += 2; }"));
  CHECK_FALSE(counting("for (int t = 0; t < n; ++t)", "{ if (a) break; }"));
}

}  // namespace
}  // namespace cudalabs
