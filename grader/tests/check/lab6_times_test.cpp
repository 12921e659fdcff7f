// Which kernels a time of the host's clock holds.
#include "check/checks/lab6_times.h"

#include "catch.h"
#include "check/checks/lab6_fractions.h"

namespace cudalabs::test {
namespace {

WatchedCall call(const std::string& name, bool after_clock, bool waits = false) {
  WatchedCall made;
  made.name = name;
  made.where = {"folder/timing.cu", 26, 3};
  made.after_clock = after_clock;
  made.waits = waits;
  return made;
}

WatchedCall launch(bool after_clock = false) {
  return call("cudaLaunchKernel", after_clock);
}

std::string kernels(std::vector<WatchedCall> calls, double milliseconds, std::vector<double> seconds = {0.08, 0.08}) {
  Observation run;
  run.watched = std::move(calls);
  run.launch_seconds = std::move(seconds);
  return lab6::kernels_in_time(run, milliseconds);
}

}  // namespace

TEST_CASE("a kernel launched before the clock was read, and not waited for, is told whatever the time") {
  const auto told = [](std::vector<WatchedCall> calls) {
    Observation run;
    run.watched = std::move(calls);
    run.launch_seconds = {0.08, 0.08};
    return lab6::kernel_before_clock(run);
  };
  const WatchedCall wait = call("cudaDeviceSynchronize", false, true), ask = call("cudaGetLastError", false);
  CHECK_THAT(told({launch(), ask, launch(true), wait}), contains_text("wait for it first, after `cudaGetLastError`"));
  CHECK(told({launch(), wait, launch(true), wait}).empty());
  CHECK(told({launch(true), launch(), wait}).empty());  // both while the clock runs: the time tells
  CHECK(told({launch(true), wait}).empty());
  CHECK(told({launch(), launch(), wait}).empty());  // no clock is read
}

TEST_CASE("a time that holds all of several launches is told as that, however long the longest of them took") {
  const WatchedCall wait = call("cudaDeviceSynchronize", false, true);
  const auto told = [&](std::vector<WatchedCall> calls, double milliseconds, std::vector<double> seconds) {
    Observation run;
    run.watched = std::move(calls);
    run.launch_seconds = std::move(seconds);
    return lab6::launches_in_time(run, milliseconds);
  };
  CHECK(told({launch(true), launch(), wait}, 111, {0.03, 0.08}) ==
        "; `launch()` is called 2 times while the clock runs");
  CHECK(told({launch(true), launch(), wait}, 160, {0.08, 0.08}) != "");
  CHECK(told({launch(true), launch(), wait}, 56, {0.03, 0.08}).empty());  // the mean of both
  CHECK(told({launch(true), wait}, 80, {0.08}).empty());
  CHECK(told({launch(), launch(true), wait}, 160, {0.08, 0.08}).empty());  // one was before the clock was read
  CHECK(told({launch(), launch(), wait}, 160, {0.08, 0.08}).empty());      // nobody knows when it was
}

TEST_CASE("a kernel that was launched before the clock was read, and not waited for, is named") {
  const std::string text = kernels(
      {launch(), call("cudaGetLastError", false), launch(true), call("cudaDeviceSynchronize", false, true)}, 161);
  CHECK_THAT(text, contains_text("still ran when the clock was read"));
  CHECK_THAT(text, contains_text("after `cudaGetLastError` (timing.cu:26)"));
  CHECK_THAT(kernels({launch(), launch(true)}, 161), !contains_text("after `"));
}

TEST_CASE("two launches while the clock runs are counted") {
  CHECK(kernels({launch(true), launch(), call("cudaDeviceSynchronize", false, true)}, 161) ==
        "; `launch()` is called 2 times while the clock runs");
}

TEST_CASE("nothing is said of a kernel that was waited for, nor of a time that is not that of all") {
  const std::vector<WatchedCall> waited{launch(), call("cudaDeviceSynchronize", false, true), launch(true),
                                        call("cudaDeviceSynchronize", false, true)};
  CHECK(kernels(waited, 161).empty());
  const std::vector<WatchedCall> both{launch(), launch(true), call("cudaDeviceSynchronize", false, true)};
  CHECK(kernels(both, 700).empty());
  CHECK(kernels(both, 80).empty());
  CHECK(kernels({launch(true), call("cudaDeviceSynchronize", false, true)}, 161).empty());
  CHECK(kernels({launch(), launch()}, 161).empty());  // nobody knows when the clock was read
  CHECK(kernels(both, 161, {0.08}).empty());
}

TEST_CASE("of the same time in all cases only what is known of the clock is said") {
  Observation run;
  run.watched = {launch(), call("cudaDeviceSynchronize", false, true)};
  CHECK(lab6::same_as_the_others(run, 0) ==
        "returned 0 ms, exactly as in all the others: times that are measured differ");
  run.watched = {launch(true)};
  CHECK_THAT(lab6::same_as_the_others(run, 0), contains_text("although a clock is read: is a reading of the clock kept "
                                                             "in whole seconds"));
  CHECK_THAT(lab6::same_as_the_others(run, 1000), contains_text("in whole seconds"));
  CHECK_THAT(lab6::same_as_the_others(run, 3), contains_text("is the difference of its two readings returned?"));
  CHECK_THAT(lab6::same_as_the_others(run, 3, true), contains_text("is the difference of its two readings returned?"));
  run.watched = {launch()};
  run.clock_after_watched = true;
  CHECK_THAT(lab6::same_as_the_others(run, 0), contains_text("in whole seconds"));
  CHECK_THAT(lab6::same_as_the_others(run, 0, true), contains_text("is the time written by a destructor?"));
  CHECK_THAT(lab6::same_as_the_others(run, 1000, true), contains_text("in whole seconds"));
}

TEST_CASE("minus an error without a sign is told as that") {
  CHECK(lab6::not_negative(-701, {}).none());
  const auto wrapped = lab6::not_negative(4'294'966'595, {});
  CHECK(wrapped.explained);
  CHECK_THAT(wrapped.text, contains_text("returned 4294966595, which is 2^32 - 701 and not negative"));
  CHECK_FALSE(lab6::not_negative(0.3, {}).explained);
  CHECK_FALSE(lab6::not_negative(4'294'966'595.5, {}).explained);
  CHECK_FALSE(lab6::not_negative(4'294'967'296, {}).explained);
}

TEST_CASE("an error that a failed launch left behind is told where the next call finds it, and in no other case") {
  Observation run;
  const auto text = [&](double later, double returned = -1) {
    return lab6::trouble_after_an_error(run, returned, later);
  };
  const WatchedCall next = call("cudaProfilerStart", false);
  WatchedCall failed_launch = launch(), peek = call("cudaPeekAtLastError", false);
  failed_launch.status = peek.status = 701;
  run.watched = {failed_launch, peek, next, launch(), peek};
  CHECK(text(0.5).empty());
  CHECK(text(-1, 2).empty());  // another matcher says that the first error went unnoticed
  CHECK(text(-1) ==
        "returned -1 in the next call, in which no launch failed: `cudaPeekAtLastError` (timing.cu:26) still found the "
        "error of the launch before; it clears none, and `cudaGetLastError()` does");
  WatchedCall get = call("cudaGetLastError", false), fine = get;
  get.status = 701;
  run.watched = {failed_launch, next, launch(), get};
  CHECK_THAT(text(-1), contains_text("which nothing had cleared"));
  // Nothing found an error in the second call: the program itself remembers that something failed, or its time is
  // negative by itself.
  run.watched = {failed_launch, peek, next, launch(), fine};
  CHECK(text(-1) == "returned -1 in the next call, in which no launch failed");
  CHECK(text(-0.08).empty());
  // Something else failed in the second call.
  WatchedCall elapsed = call("cudaEventElapsedTime", false);
  elapsed.status = 600;
  run.watched = {failed_launch, peek, next, launch(), elapsed};
  CHECK(text(-1).empty());
  // A launch of its own failed in the second call, or nobody knows where that began.
  for (const std::vector<WatchedCall>& calls : {std::vector{next, failed_launch, get}, {failed_launch, get}}) {
    run.watched = calls;
    CHECK(text(-1).empty());
  }
}

TEST_CASE("where nothing waits, a query that was taken for it is named, and a clock only where it was read") {
  Observation run;
  const auto text = [&](std::vector<WatchedCall> calls) {
    run.watched = std::move(calls);
    return lab6::nothing_waits(run);
  };
  CHECK(text({launch(true), call("cudaGetLastError", false)}) == "after the launch nothing waits for the device");
  CHECK_THAT(text({launch(true), call("cudaGetLastError", true)}), contains_text("the clock is read while"));
  WatchedCall query = call("cudaStreamQuery", false);
  CHECK_THAT(text({launch(true), query}), !contains_text("cudaStreamQuery"));  // it did not say "not ready"
  query.status = 600;
  CHECK_THAT(text({launch(true), query}), contains_text("`cudaStreamQuery` (timing.cu:26) does not wait"));
  CHECK_THAT(text({query, launch(true)}), !contains_text("cudaStreamQuery"));
  run.clock_after_watched = true;
  CHECK_THAT(text({launch(true)}), contains_text("the clock is read while"));
}

TEST_CASE("where nothing waits, a call that was taken for a wait is named first") {
  const auto text = [](std::vector<WatchedCall> calls) {
    Observation run;
    run.watched = std::move(calls);
    return lab6::nothing_waits(run);
  };
  const WatchedCall wait = call("cudaStreamWaitEvent", false), record = call("cudaEventRecord", false);
  CHECK(text({launch(), record, wait, record}) ==
        "`cudaStreamWaitEvent` (timing.cu:26) makes a stream wait, and not the host: after the launch nothing waits "
        "for the device");
  CHECK_THAT(text({launch(), record}), contains_text("`cudaEventRecord` (timing.cu:26) puts the event into"));
  CHECK(text({wait, record, launch()}) == "after the launch nothing waits for the device");
  WatchedCall failed = wait;
  failed.status = 400;
  CHECK(text({launch(), failed}) == "after the launch nothing waits for the device");
}

TEST_CASE("the call that waits before the clock is read again is named, with its caller") {
  Observation run;
  const auto text = [&](std::vector<WatchedCall> calls) {
    run.watched = std::move(calls);
    return lab6::wait_in_time(run);
  };
  WatchedCall wait = call("cudaDeviceSynchronize", false, true);
  CHECK(text({launch(true), wait, call("cudaGetLastError", true)}) ==
        "; `cudaDeviceSynchronize` (timing.cu:26) waits for the kernel before the clock is read again");
  wait.outer = {"folder/timing.cu", 40, 0};
  CHECK_THAT(text({launch(true), wait, call("cudaGetLastError", true)}),
             contains_text("(timing.cu:26, called in line 40)"));
  wait.outer = {"runner.cpp", 40, 0};
  CHECK_THAT(text({launch(true), wait, call("cudaGetLastError", true)}), contains_text("(timing.cu:26) waits"));
  CHECK(text({launch(true), call("cudaDeviceSynchronize", true, true), call("cudaGetLastError", true)}).empty());
  CHECK(text({launch(true), wait}).empty());
  CHECK(text({launch(true), call("cudaGetLastError", true)}).empty());
}

TEST_CASE("a wait for other work is in the time of a launch where the clock was read before it, and not again") {
  Observation run;
  const auto text = [&](std::vector<WatchedCall> calls) {
    run.watched = std::move(calls);
    return lab6::wait_before_launch(run);
  };
  const auto wait = [](bool clock) { return call("cudaDeviceSynchronize", clock, true); };
  const auto marked = [](bool clock) { return call("cudaProfilerStop", clock); };
  const WatchedCall asked = call("cudaGetLastError", false);
  CHECK(text({wait(true), marked(false), launch(true)}) ==
        "; `cudaDeviceSynchronize` (timing.cu:26) waits for what the device did before, while the clock runs: wait "
        "first");
  CHECK_FALSE(text({asked, wait(true), asked, marked(false), launch(true)}).empty());
  CHECK_FALSE(text({call("cudaGetLastError", true), wait(false), marked(false), launch(true)}).empty());
  CHECK(text({wait(false), marked(true), launch(true)}).empty());
  CHECK(text({wait(true), marked(true), launch(true)}).empty());  // read again after the wait
  CHECK(text({wait(true), call("cudaGetLastError", true), marked(false), launch(true)}).empty());
  CHECK(text({wait(false), marked(false), launch(true)}).empty());  // never read
  CHECK(text({marked(true), launch(true), wait(false)}).empty());
  CHECK(text({wait(true), launch(false)}).empty());  // not marked
  CHECK(text({}).empty());
}

TEST_CASE("a macro whose use is all that a line has of a call is named") {
  WatchedCall wait = call("cudaDeviceSynchronize", false, true);
  const std::string source =
      "#define LOOK() cudaGetLastError()\n#define CHECK(x)  \\\n  do {  \\\n    cudaDeviceSynchronize(); \\\n"
      "  } while (0)\nvoid f() {\n  CHECK(1);\n  cudaDeviceSynchronize();\n  LOOK();\n}\n";
  const auto text = [&](std::uint32_t line) {
    wait.where.line = line;
    return lab6::by_macro(wait, source);
  };
  CHECK(text(7) == ", which the macro `CHECK` calls in line 4,");
  CHECK(text(8).empty());
  CHECK(text(9).empty());
  CHECK(text(99).empty());
}

TEST_CASE("a whole number of milliseconds, beside the launch's time, is told as one that was cut off") {
  const lab6::Kernel kernel{30, 30, 2, 2.25};
  CHECK_THAT(lab6::not_the_launch(2, lab6::Kernel{30, 30, 2.1, 2.25}).text,
             contains_text("whose fraction was cut off"));
  CHECK_THAT(lab6::not_the_launch(1, kernel).text, !contains_text("fraction"));
  CHECK_THAT(lab6::not_the_launch(32, kernel).text, !contains_text("fraction"));
  CHECK_THAT(lab6::not_the_launch(0, lab6::Kernel{30, 30, 0.2, 0.25}).text, !contains_text("fraction"));
  CHECK(lab6::not_the_launch(2.3, kernel).none());
}

TEST_CASE("the conversion that makes all times the same is shown") {
  const auto text = [](double milliseconds, const std::string& source) {
    return lab6::why_the_same(milliseconds, source);
  };
  const std::string seconds = "double ms(D d) {\n  return duration_cast<std::chrono::seconds>(d).count() * 1e3;\n}\n";
  CHECK(text(0, seconds) ==
        "returned 0 ms, exactly as in all the others: `duration_cast` in line 2 counts whole seconds and cuts off the "
        "fraction: use `duration<double, std::milli>` there, which keeps it");
  CHECK_THAT(text(2000, seconds), contains_text("in line 2 counts whole seconds"));
  CHECK_THAT(text(3, "auto t = time_point_cast<milliseconds>(now());"), contains_text("`time_point_cast` in line 1"));
  const std::string twice = "t = time_point_cast<seconds>(b) - time_point_cast<seconds>(a);";
  CHECK_THAT(text(1000, twice), contains_text("`time_point_cast` in line 1 counts whole seconds"));
  CHECK(text(1000, "t = time_point_cast<seconds>(b) - time_point_cast<milliseconds>(a);").empty());
  CHECK(text(3, seconds).empty());
  CHECK(text(0.5, "auto t = duration_cast<milliseconds>(d);").empty());
  CHECK(text(-1, seconds).empty());
  CHECK(text(0, seconds + seconds).empty());
  CHECK(text(0, "auto t = duration_cast<microseconds>(d);").empty());
  CHECK(text(0, "auto t = duration_cast<duration<double>>(d);").empty());
}

TEST_CASE("a clock of whole seconds, and a division of whole numbers, make all times the same") {
  const std::string time =
      "double ms(Launch l) {\n  time_t a = time(nullptr);\n  l();\n  return 1000 * (time(NULL) - a);\n}\n";
  CHECK(lab6::why_the_same(0, time) ==
        "returned 0 ms, exactly as in all the others: `time` in line 2 counts whole seconds: read "
        "`std::chrono::steady_clock::now()` in its place, which counts nanoseconds");
  CHECK_THAT(lab6::why_whole(1000, time), contains_text("`time` in line 2 counts whole seconds"));
  CHECK(lab6::why_the_same(3, time).empty());
  CHECK(lab6::why_the_same(0, "double a = timer.time(0);").empty());
  CHECK(lab6::why_the_same(0, "double a = timer->time(0);").empty());
  CHECK(lab6::why_the_same(0, "double time(Launch l) { return l.time; }").empty());
  CHECK(lab6::why_the_same(0, "double a = time(begin, end);").empty());
  CHECK(lab6::why_the_same(0, "time(").empty());
  const std::string division = "clock_t d = clock() - a;\nreturn 1000 * (d / CLOCKS_PER_SEC);\n";
  CHECK(
      lab6::why_the_same(0, division) ==
      "returned 0 ms, exactly as in all the others: the division by `CLOCKS_PER_SEC` in line 2 is one of whole numbers "
      "and cuts off the fraction: read `std::chrono::steady_clock::now()` in place of `clock()`, which counts the "
      "processor's time");
  CHECK(lab6::why_the_same(0.5, division).empty());
  CHECK(lab6::why_the_same(0, "return 1000.0 * d / CLOCKS_PER_SEC;").empty());
  CHECK(lab6::why_the_same(0, "return (double)d / CLOCKS_PER_SEC;").empty());
  CHECK(lab6::why_the_same(0, "return 1e3 * d / CLOCKS_PER_SEC;").empty());
  CHECK(lab6::why_the_same(0, "long tick = CLOCKS_PER_SEC / 1000;").empty());
  CHECK(lab6::why_the_same(0, division + time).empty());  // either may be to blame
}

TEST_CASE("the only conversion of a time to whole milliseconds or seconds is shown") {
  const auto text = [](const std::string& source) { return lab6::why_whole(2, source); };
  const std::string one = "double ms(D d) {\n  return duration_cast<std::chrono::milliseconds>(d).count();\n}\n";
  CHECK(
      text(one) ==
      "returned 2 ms, a whole number like all the others: `duration_cast` in line 2 counts whole milliseconds and cuts "
      "off the fraction: use `duration<double, std::milli>` there, which keeps it");
  CHECK_THAT(text("double s = std::chrono::duration_cast<seconds>(d).count();"), contains_text("whole seconds"));
  const std::string unsaid =
      "returned 2 ms, a whole number like all the others, whose fraction was cut off: convert no time to an integer";
  CHECK(text(one + one) == unsaid);
  CHECK(text("// duration_cast<milliseconds>(d)\n") == unsaid);
  CHECK(text("auto t = duration_cast<microseconds>(d);") == unsaid);
  CHECK(text("auto t = duration_cast<duration<double, std::milli>>(d);") == unsaid);
  CHECK(text("duration_cast") == unsaid);
  CHECK(text("duration_cast<") == unsaid);
}

TEST_CASE("a question in another thread than the launch that failed is told as that") {
  const auto made = [](const std::string& name, int status) {
    WatchedCall one = call(name, false);
    one.status = status;
    return one;
  };
  const auto text = [](std::vector<WatchedCall> calls) {
    Observation run;
    run.after_failure = std::move(calls);
    return lab6::asked_in_another_thread(run);
  };
  const WatchedCall failed = made("cudaLaunchKernel", 9), nothing = made("cudaGetLastError", 0);
  CHECK_THAT(text({failed, made("cudaDeviceSynchronize", 0), nothing}), contains_text("in another thread of the host"));
  CHECK_THAT(text({failed, made("cudaPeekAtLastError", 0)}), contains_text("`cudaPeekAtLastError` (timing.cu:26)"));
  CHECK(text({failed, made("cudaDeviceSynchronize", 0)}).empty());
  CHECK(text({failed, made("cudaGetLastError", 9), nothing}).empty());  // it was told before
  CHECK(text({made("cudaLaunchKernel", 0), nothing}).empty());          // the kernel failed, not its launch
  CHECK(text({made("cudaDeviceSynchronize", 9), nothing}).empty());
  CHECK(text({}).empty());
}

}  // namespace cudalabs::test
