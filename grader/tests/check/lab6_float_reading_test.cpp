// Readings of a clock that lab 6's functions keep in a `float`.
#include "check/checks/lab6_float_reading.h"

#include "catch.h"
#include "tests/replaced.h"

namespace cudalabs::test::of_float_reading {
namespace {

using Lines = std::vector<std::uint32_t>;

const std::string kClock =
    "static double now() {\n"
    "  const auto since = std::chrono::steady_clock::now().time_since_epoch();\n"
    "  return std::chrono::duration<double, std::milli>(since).count();\n"
    "}\n"
    "double between(double a, double b) {\n  return b - a;\n}\n"
    "double launch_ms(Launch launch) {\n"
    "  const auto begin = now();\n"
    "  launch();\n"
    "  const auto end = now();\n"
    "  return between(begin, end);\n"
    "}\n";

Lines with(const std::string& old, const std::string& now) {
  return lab6::float_readings(replaced(kClock, old, now));
}

}  // namespace

TEST_CASE("a float that a reading becomes is found") {
  CHECK(lab6::float_readings(kClock).empty());
  CHECK(with("duration<double, std::milli>(since)", "duration<float, std::milli>(since)") == Lines{3});
  CHECK(with("duration<double, std::milli>(since).count()", "duration<float>(since).count() * 1e-3") == Lines{3});
  CHECK(with("static double now", "static float now") == Lines{1});
  CHECK(with("return std::chrono::duration<double, std::milli>(since).count()",
             "std::chrono::duration<float> t = since; return t.count()") == Lines{3});
  CHECK(with("return std", "return (float)since.count(); std") == Lines{3});
  CHECK(with("const auto begin = now();", "float begin = now();") == Lines{9});
  CHECK(with("const auto begin = now();", "float begin, end;\n  begin = now();") == Lines{9});
  CHECK(with("const auto begin = now();", "auto begin = static_cast<float>(now());") == Lines{9});
  CHECK(with("double between(double a, double b)", "double between(float a, float b)") == Lines{5});
  CHECK(lab6::float_readings("float ms() {\n timespec t;\n clock_gettime(CLOCK_MONOTONIC, &t);\n"
                             " return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;\n}\n") == Lines{1});
}

TEST_CASE("a float that has a difference, or is of the device, is none") {
  CHECK(with("return between(begin, end);", "float ms = end - begin; return ms;").empty());
  CHECK(with("return between(begin, end);", "return static_cast<float>(end - begin);").empty());
  CHECK(with("return b - a;", "float ms = b - a; return ms;").empty());
  CHECK(with("double between(double a, double b)", "float between(double a, double b)").empty());
  CHECK(with("return between(begin, end);", "float ms = 0; cudaEventElapsedTime(&ms, x, y); return ms;").empty());
  CHECK(lab6::float_readings("__global__ void k(float begin) { float now = begin; }\n" + kClock).empty());
}

TEST_CASE("what a float cuts off is told where the time is none or a step") {
  const std::string code = replaced(kClock, "static double now", "static float now");
  CHECK(lab6::why_no_digits(0, code) ==
        ": the `float` in line 1 has room for seven digits, too few for a reading of the clock: use `double` there");
  CHECK_FALSE(lab6::why_no_digits(512, code).empty());
  CHECK(lab6::why_no_digits(-997, code).empty());
  CHECK(lab6::why_no_digits(3.5, code).empty());
  CHECK(lab6::why_no_digits(0, kClock).empty());
  CHECK_THAT(lab6::why_no_digits(0, replaced(code, "duration<double", "duration<float")),
             contains_text(": the `float`s in lines 1 and 3 have room"));
}

TEST_CASE("a long text of floats is read in one go") {
  for (const std::string part :
       {"float f(float x){return tv_sec;}", "f(float(", "float a=tv_sec;", "f(f(", "duration<float>(", "-"}) {
    std::string text = kClock;
    while (text.size() < (1U << 20)) text += part;
    lab6::float_readings(text);
  }
}

}  // namespace cudalabs::test::of_float_reading
