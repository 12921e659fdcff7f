// Times of lab 6 in another unit than milliseconds.
#include "check/checks/lab6_units.h"

#include "catch.h"
#include "check/checks/lab6_times.h"
#include "tests/replaced.h"

namespace cudalabs::test {
namespace {

const std::string kHelper =
    "static long long now_ns() {\n"
    "  auto t = std::chrono::steady_clock::now().time_since_epoch();\n"
    "  return std::chrono::duration_cast<std::chrono::nanoseconds>(t).count();\n"
    "}\n"
    "static double to_ms(long long ns) {\n  return ns / 1000.0;\n}\n"
    "double launch_ms(Launch launch) {\n  long long a = now_ns();\n  launch();\n  return to_ms(now_ns() - a);\n}\n";

std::string why(int power, const std::string& source, const std::string& function = "launch_ms") {
  return lab6::why_other_unit(power, source, function);
}
/// The body of `launch_ms`, in line 2.
std::string in_line_2(int power, const std::string& statement) {
  return why(power, "double launch_ms(Launch launch) {\n  " + statement + "\n}\n");
}

}  // namespace

TEST_CASE("nanoseconds that are divided by 1000 are shown with both lines") {
  CHECK(why(3, kHelper) ==
        ": `duration_cast` in line 3 counts nanoseconds, and line 6 has `/ 1000.0`: milliseconds take `/ 1e6`");
  for (const char* same : {"ns / 1e3", "ns * 1e-3", "1e-3 * ns", "0.001 * ns", "ns / double(1000)", "ns / (double)1000",
                           "ns / 1000", "ns / 1'000.0", "ns / static_cast<double>(1000)"})
    CHECK_THAT(why(3, replaced(kHelper, "ns / 1000.0", same)), contains_text("and line 6 has `"));
  const std::string named = "constexpr double kNsPerMs = 1000.0;\n" + replaced(kHelper, "1000.0", "kNsPerMs");
  CHECK_THAT(why(3, named), contains_text("and line 7 has `/ kNsPerMs`"));
  const std::string macro = "#define PER_MS 1000.0\n" + replaced(kHelper, "1000.0", "PER_MS");
  CHECK_THAT(why(3, macro), contains_text("and line 7 has `/ PER_MS`"));
  CHECK(why(3, named + "void f() {\n  kNsPerMs = 5;\n}\n").empty());
}

TEST_CASE("what is divided too often, or not at all, is shown") {
  CHECK_THAT(why(-3, replaced(kHelper, "/ 1000.0", "/ 1e3 / 1e6")), contains_text("line 6 has `/ 1e3 / 1e6`"));
  CHECK(why(6, replaced(kHelper, " / 1000.0", "")) ==
        ": `duration_cast` in line 3 counts nanoseconds: milliseconds take `/ 1e6`");
  CHECK(in_line_2(3, "return duration_cast<microseconds>(now() - a).count();") ==
        ": `duration_cast` in line 2 counts microseconds: milliseconds take `/ 1e3`");
  CHECK(in_line_2(3, "return std::chrono::duration<double, std::micro>(now() - a).count();") ==
        ": `duration` in line 2 counts microseconds: milliseconds take `/ 1e3`");
  CHECK(in_line_2(-3, "return std::chrono::duration<double>(now() - a).count();") ==
        ": `duration` in line 2 counts seconds: milliseconds take `* 1e3`");
  CHECK(in_line_2(3, "return duration<double, std::milli>(now() - a).count() * 1000;") ==
        ": `duration` in line 2 counts milliseconds, and line 2 has `* 1000`: leave that out");
  CHECK_THAT(in_line_2(6, "return (steady_clock::now() - a).count();"),
             contains_text("`count()` in line 2 counts nano"));
  CHECK(in_line_2(3, "steady_clock::duration passed = steady_clock::now() - a;\n  return passed.count() / 1000.0;") ==
        ": `count()` in line 3 counts nanoseconds, and line 3 has `/ 1000.0`: milliseconds take `/ 1e6`");
  CHECK(in_line_2(3, "milliseconds passed = f(steady_clock::now() - a);\n  return passed.count() * 1000.0;").empty());
  CHECK_THAT(in_line_2(3, "return (clock() - a);"), contains_text("`clock` in line 2 counts microseconds"));
  CHECK_THAT(in_line_2(-3, "return (clock() - a) / (double)CLOCKS_PER_SEC;"),
             contains_text("and line 2 has `/ (double)CLOCKS_PER_SEC`"));
}

TEST_CASE("fractions of a timespec and of a timeval are followed, and their whole seconds are not") {
  CHECK(in_line_2(3, "return (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000.0;") ==
        ": `tv_nsec` in line 2 counts nanoseconds, and line 2 has `/ 1000.0`: milliseconds take `/ 1e6`");
  CHECK_THAT(in_line_2(6, "return 1e9 * (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec);"),
             contains_text("`tv_nsec` in line 2 counts nanoseconds: milliseconds"));
  CHECK_THAT(in_line_2(-3, "return b.tv_sec + b.tv_nsec * 1e-9 - a;"), contains_text("and line 2 has `* 1e-9`"));
  CHECK_THAT(in_line_2(3, "return 1000000 * t->tv_sec + t->tv_usec;"),
             contains_text("`tv_usec` in line 2 counts micro"));
}

TEST_CASE("a time of events is in milliseconds, whatever the host's clocks count") {
  const std::string source = kHelper +
                             "double kernel_ms_events(Launch launch) {\n  cudaEventElapsedTime(&ms, a, b);\n"
                             "  return ms / 1e3;\n}\n";
  CHECK(why(-3, source, "kernel_ms_events") ==
        ": `cudaEventElapsedTime` in line 14 counts milliseconds, and line 15 has `/ 1e3`: leave that out");
  CHECK_THAT(why(3, replaced(source, "/ 1000.0", "* 1e-3")), contains_text("line 6 has `* 1e-3`"));
  CHECK(why(3, source, "kernel_ms_events").empty());
}

TEST_CASE("of two functions that measure each is told its own line") {
  const std::string two =
      "double launch_ms(Launch l) {\n  return duration_cast<nanoseconds>(now() - a).count() / 1e3;\n}\n"
      "double kernel_ms_host(Launch l) {\n  return duration_cast<nanoseconds>(now() - a).count() / 1e3;\n}\n";
  CHECK_THAT(why(3, two), contains_text("`duration_cast` in line 2") && contains_text("and line 2 has"));
  CHECK_THAT(why(3, two, "kernel_ms_host"), contains_text("`duration_cast` in line 5") && contains_text("line 5 has"));
}

TEST_CASE("no line is named where it may be another one") {
  CHECK(why(6, kHelper).empty());                                                         // the division is there
  CHECK(why(-3, kHelper).empty());                                                        // nothing divides by 10^9
  CHECK(why(3, "double launch_ms(Launch l) {\n  return l.time() / 1000;\n}\n").empty());  // no clock is read
  CHECK(why(3, replaced(kHelper, "return ns / 1000.0;", "other = ns / 1000.0;\n  return ns / 1000.0;")).empty());
  // Both functions use the helper, and one of them divides what it returns: the other one may have left that out.
  CHECK(why(3, replaced(kHelper, "return to_ms(now_ns() - a)", "return (now_us() - a)") +
                   "double kernel_ms_host(Launch l) {\n  return us / 1000.0;\n}\n")
            .empty());
  // What is converted as it should be has another reason.
  CHECK(in_line_2(-3, "return 1000.0 * std::chrono::duration<double>(now() - a).count();").empty());
  CHECK(in_line_2(-3, "return 1000.0 * (clock() - a) / CLOCKS_PER_SEC;").empty());
  // Neither the device's code nor a text nor a comment divides times.
  CHECK(why(3, replaced(kHelper, "static double to_ms", "__device__ double to_ms")).empty());
  CHECK(why(3, replaced(kHelper, "return ns / 1000.0;", "return f(\"ns / 1000.0\");  // ns / 1000.0")).empty());
  CHECK(in_line_2(3, "double time(std::chrono::hours h);").empty());
  CHECK(in_line_2(3, "double nanoseconds = 3, tv_nsec = 4;").empty());
}

TEST_CASE("a power of ten is seen of all times, and said of a single one where it is no time of nothing") {
  const lab6::Kernel kernel{30, 30, 2, 2.25};
  CHECK(lab6::not_the_launch(2300, kernel).power == 3);
  CHECK_THAT(lab6::not_the_launch(2300, kernel).text,
             contains_text("a thousand times too much, as if these were micro"));
  CHECK(lab6::not_the_launch(2.3e6, kernel).power == 6);
  CHECK(lab6::not_the_launch(32300, kernel).power == 3);  // it waits for the kernel, too
  CHECK(lab6::not_the_launch(0.0023, kernel).power == -3);
  CHECK_THAT(lab6::not_the_launch(0.0023, kernel).text, !contains_text("seconds"));
  for (const double other : {32.0, 900.0, 200'123.0, -2300.0}) CHECK(lab6::not_the_launch(other, kernel).power == 0);
  CHECK_THAT(lab6::not_the_launch(200'123.0, kernel).text, contains_text("are these milliseconds?"));
  CHECK(lab6::not_as_the_device_measures(30'500, kernel).power == 3);
  CHECK(lab6::not_as_the_device_measures_by_the_host(31e6, kernel).power == 6);
  CHECK_THAT(lab6::not_as_the_device_measures(0.031, kernel).text, contains_text("as if these were seconds"));
  for (const double other : {31.0, 300.0, 5'000.0, -31.0})
    CHECK(lab6::not_as_the_device_measures(other, kernel).power == 0);
}

TEST_CASE("a hostile text is read in one go") {
  for (const std::string part : {"1000*(", "/", "x/1000+", "tv_nsec", ".tv_nsec/1e3;", "duration<", "(", "1e3*", "{"}) {
    std::string text = "double launch_ms(Launch launch) {\n";
    while (text.size() < (1U << 20)) text += part;
    why(3, text);
  }
}

}  // namespace cudalabs::test
