// Returns before a barrier, of threads that others may need.
#include "explain/barriers/needed_threads.h"

#include "catch.h"
#include "text/code_text.h"

namespace cudalabs::test::of_needed_threads {
namespace {

/// The condition is in line 7.
std::string kernel(const std::string& condition, const std::string& between,
                   const std::string& behind = "  out[row * width + col] = tile[ty][tx];") {
  return "__global__ void k(const float* in, float* out, int width, int height) {\n"
         "  __shared__ float tile[8][8];\n"
         "  const int tx = threadIdx.x;\n  const int ty = threadIdx.y;\n"
         "  const int col = blockIdx.x * 8 + tx;\n  const int row = blockIdx.y * 8 + ty;\n  if (" +
         condition + ") return;\n" + between + "\n  __syncthreads();\n" + behind + "\n}\n";
}

std::string help_of(const std::string& source) {
  for (const ConditionText& condition : conditions_of(source)) {
    const auto jump = only_jump_of(source, condition);
    if (condition.line == 7 && jump)
      return help_for_needed_threads(source, condition, *jump, source.find("__syncthreads", jump->place)).value_or("");
  }
  return "no condition";
}

const std::string kBoth = "col >= width || row >= height";
const std::string kMove =
    "every thread must reach the barrier, and the `return` in line 7 also ends threads that may have to bring "
    "something for others: move it behind the barrier";

TEST_CASE("a return goes behind the barrier where the code before that does not use what it asks about") {
  CHECK(help_of(kernel(kBoth, "  tile[ty][tx] = 0;")) == kMove);
  CHECK(help_of(kernel("col >= width", "  for (int k = tx; k < 8; k += 8) tile[ty][k] = in[k];")) == kMove);
  CHECK(help_of(kernel("width <= col", "  tile[ty][tx] = in[row];")) == kMove);
  CHECK(help_of(kernel(kBoth, "  tile[ty][tx] = 0;\n  __syncthreads();\n  tile[tx][ty] += 1;")) ==
        kMove + " in line 11");
}

TEST_CASE("of two bounds the one that is used there is to be asked before the barrier") {
  CHECK(help_of(kernel(kBoth, "  const float* line = in + row * width;\n  tile[ty][tx] = line[tx];")) ==
        kMove + ", and before that ask only for `row < height` where `row` is used");
  CHECK(help_of(kernel("row > height || width <= col", "  tile[ty][tx] = in[col];")) ==
        kMove + ", and before that ask only for `width > col` where `col` is used");
}

TEST_CASE("threads that have nothing to do there keep the present words") {
  CHECK(help_of(kernel(kBoth, "  tile[ty][tx] = in[row * width + col];")).empty());
  CHECK(help_of(kernel("col >= width", "  const int at = 2 * col;\n  tile[ty][tx] = in[at];")).empty());
  CHECK(help_of(kernel("col >= width", "  tile[ty][tx] = in[blockIdx.x*8+tx];")).empty());
}

TEST_CASE("where a loop is around a barrier, or the condition is another one, nothing is said") {
  CHECK(help_of(kernel(kBoth, "  for (int i = 0; i < 2; ++i) {\n    tile[ty][i] = 0;\n    __syncthreads();\n  }"))
            .empty());
  CHECK(help_of(kernel(kBoth, "  for (int i = 0; i < 2; ++i) {", "  }")).empty());
  CHECK(help_of(kernel("width > height", "  tile[ty][tx] = 0;")).empty());
  CHECK(help_of(kernel("col >= width && row >= height", "  tile[ty][tx] = 0;")).empty());
  CHECK(help_of(kernel("!inside(col)", "  tile[ty][tx] = 0;")).empty());
  CHECK(help_of(kernel("col == width", "  tile[ty][tx] = 0;")).empty());
  CHECK(help_of(kernel("col >= width || row >= height || tx > 9 || ty > 9", "  tile[ty][tx] = 0;")).empty());
}

TEST_CASE("a long text before a barrier is read all the same") {
  for (const std::string part : {"x = y; ", "tile[ty][tx] = 0; ", "{", "if (a < b) return; "}) {
    std::string text;
    while (text.size() < 1 << 20) text += part;
    CHECK(help_of(kernel(kBoth, text)) != kMove);
  }
}

}  // namespace
}  // namespace cudalabs::test::of_needed_threads
