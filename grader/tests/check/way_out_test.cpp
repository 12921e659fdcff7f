// What a function does after an error that it is given.
#include "check/way_out.h"

#include "catch.h"

namespace cudalabs::test::of_way_out {
namespace {

constexpr int kRefused = 701;

const std::string kCode = R"(bool ok() {
  return cudaGetLastError() == cudaSuccess;
}
void f(int n) {
  cudaMalloc(&a, n);
  cudaMalloc(&b, n);
  k<<<1, n>>>(a, b);
  if (!ok()) {
    cudaFree(a);
    return;
  }
  cudaFree(b);
}
)";

WatchedCall call(const std::string& name, std::uint32_t line, int status = 0, std::uint32_t outer = 0) {
  WatchedCall made{name, status, {"k.cu", line, 0}};
  if (outer != 0) made.outer = {"k.cu", outer, 0};
  return made;
}

std::optional<WayOut> out_of(const std::vector<WatchedCall>& calls, const std::string& argument = "b") {
  return way_out_of(calls, kCode, 6, "cudaFree", argument);
}

}  // namespace

TEST_CASE("the first call that gives the error back is told, and what is freed and left after it") {
  const std::vector<WatchedCall> calls{call("cudaLaunchKernel", 7, kRefused), call("cudaGetLastError", 2, kRefused, 8),
                                       call("cudaFree", 9)};
  const auto out = out_of(calls);
  REQUIRE(out);
  CHECK(out->told == &calls[1]);
  CHECK(out->line == 8);
  CHECK(out->freed == 9);
  CHECK(out->skipped == 12);
  CHECK(out_of(calls, "c")->skipped == 0);
}

TEST_CASE("a release that was executed was not skipped") {
  const std::vector<WatchedCall> calls{call("cudaMalloc", 6, 2), call("cudaFree", 12)};
  const auto out = out_of(calls);
  REQUIRE(out);
  CHECK(out->line == 6);
  CHECK(out->freed == 12);
  CHECK(out->skipped == 0);
}

TEST_CASE("nothing is told where no call gave the error back, or one of another function did") {
  CHECK_FALSE(out_of({}));
  CHECK_FALSE(out_of({call("cudaLaunchKernel", 7, kRefused), call("cudaFree", 9)}));
  CHECK_FALSE(out_of({call("cudaLaunchKernel", 7, kRefused), call("cudaEventQuery", 8, 600)}));
  CHECK_FALSE(out_of({call("cudaGetLastError", 2, kRefused)}));
  CHECK_FALSE(out_of({call("cudaGetLastError", 40, kRefused)}));
}

}  // namespace cudalabs::test::of_way_out
