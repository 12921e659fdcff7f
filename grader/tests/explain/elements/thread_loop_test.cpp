// Threads that do several elements, and leave some out.
#include "explain/elements/thread_loop.h"

#include "catch.h"
#include "check/launch_reach.h"
#include "check/origin_place.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

const std::string kKept =
    "__global__ void k(float* c, int w, int h) {\n"
    "  int x = f(), y = g();\n"
    "  for (; y < h; y += 2)\n"
    "    for (; x < w; x += 3)\n"
    "      c[y * w + x] = 1;\n"
    "}\n"
    "void run() { k<<<2, 3>>>(c, w, h); }\n";

MergedFinding too_few(std::uint32_t store) {
  MergedFinding made{finding(std::string(finding_ids::kUnwrittenOutput), 7), {}};
  made.where.file = "k.cu";
  made.reach = Reach::too_few;
  made.other = OtherPlace{"what its threads store", {"k.cu", store, 20}, {}, {}};
  made.help = help_for_few_threads('\0');
  return made;
}

}  // namespace

TEST_CASE("of elements that a loop leaves out, the counter that is not set back is shown") {
  MergedFinding made = too_few(5);
  CHECK(show_thread_loop(made, kKept));
  CHECK(made.where == SourcePlace{"k.cu", 4, 5});
  CHECK(made.other->place.line == 5);
  CHECK(made.help.starts_with("nothing sets `x` back: when the loop in line 3 goes round again"));
}

TEST_CASE("where a loop goes on to further elements the launch is not to blame") {
  MergedFinding made = too_few(5);
  CHECK_FALSE(show_thread_loop(made, replaced(kKept, "for (; x", "for (x = f(); x")));
  CHECK(made.where.line == 5);
  CHECK_FALSE(made.other);
  CHECK(made.reach == Reach::several_each);
}

TEST_CASE("a counter that is not set back is shown where the element has an index of its own") {
  const std::string index =
      "__global__ void k(float* c, int w, int h) {\n"
      "  int x = f(), y = g();\n"
      "  for (; y < h; y += 2)\n"
      "    for (; x < w; x += 3) {\n"
      "      const int at = y * w + x;\n"
      "      c[at] = 1;\n"
      "    }\n"
      "}\n";
  MergedFinding made = too_few(6);
  made.help = help_for_few_threads('y');
  CHECK(show_thread_loop(made, index));
  CHECK(made.where == SourcePlace{"k.cu", 4, 5});
  CHECK(made.help.starts_with("nothing sets `x` back"));
}

TEST_CASE("a loop along one axis does not make up for too few threads along the other") {
  const std::string columns =
      "__global__ void k(float* c, int w, int h) {\n"
      "  const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  for (int x = threadIdx.x; x < w; x += blockDim.x) {\n"
      "    const int at = y * w + x;\n"
      "    if (y < h) c[at] = 1;\n"
      "  }\n"
      "}\n";
  MergedFinding along_y = too_few(5), along_x = too_few(5);
  along_y.help = help_for_few_threads('y');
  along_x.help = help_for_few_threads('x');
  CHECK_FALSE(show_thread_loop(along_y, columns));
  CHECK(along_y.where.line == 7);
  CHECK(along_y.reach == Reach::too_few);
  CHECK_FALSE(show_thread_loop(along_x, columns));
  CHECK(along_x.where.line == 5);
  CHECK(along_x.reach == Reach::several_each);
}

TEST_CASE("a counter that is not set back is shown where the kernel calls what stores") {
  const std::string calls =
      "template <class A>\n"
      "__global__ void k(A action, int w, int h) {\n"
      "  int col = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  for (; row < h; row += gridDim.y * blockDim.y) {\n"
      "    for (; col < w; col += gridDim.x * blockDim.x) action(row * w + col);\n"
      "  }\n"
      "}\n"
      "void run() {\n"
      "  const dim3 grid(1, 64);\n"
      "  k<<<grid, block>>>(a, w, h);\n"
      "}\n";
  const auto blamed = [](char axis) {
    MergedFinding made{finding(std::string(finding_ids::kUnwrittenOutput), 11), {}};
    made.where.file = "k.cu";
    made.kernel = "k<Twice>";
    made.reach = Reach::too_few;
    made.other = OtherPlace{"`grid` is set here", {"k.cu", 10, 14}, {}, {}};
    made.help = help_for_few_threads(axis);
    return made;
  };
  MergedFinding along_y = blamed('y'), along_x = blamed('x'), anew = blamed('y');
  CHECK(show_thread_loop(along_y, calls));
  CHECK(along_y.where == SourcePlace{"k.cu", 6, 5});
  CHECK(along_y.help.starts_with("nothing sets `col` back: when the loop in line 5 goes round again"));
  CHECK_FALSE(show_thread_loop(along_x, calls));
  CHECK(along_x.where.line == 11);
  CHECK_FALSE(show_thread_loop(anew, replaced(calls, "for (; col", "for (col = f(); col")));
}

TEST_CASE("a counter that is not set back is shown in a function that the kernel hands its store to") {
  const std::string hands =
      "template <class Body>\n"
      "__device__ void for_each(int w, int h, Body body) {\n"
      "  int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  int col = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  for (; row < h; row += gridDim.y * blockDim.y)\n"
      "    for (; col < w; col += gridDim.x * blockDim.x) body(row * w + col);\n"
      "}\n"
      "__global__ void k(float* c, int w, int h) {\n"
      "  for_each(w, h, [=](int p) { c[p] = 1; });\n"
      "}\n"
      "void run() {\n"
      "  k<<<dim3(1, 64), block>>>(c, w, h);\n"
      "}\n";
  const auto blamed = [](char axis) {
    MergedFinding made = too_few(9);
    made.where.line = 12;
    made.kernel = "k";
    made.help = help_for_few_threads(axis);
    return made;
  };
  MergedFinding along_y = blamed('y'), anew = blamed('y'), one_row = blamed('y'), linear = blamed('\0');
  CHECK(show_thread_loop(along_y, hands));
  CHECK(along_y.where == SourcePlace{"k.cu", 6, 5});
  CHECK(along_y.help.starts_with("nothing sets `col` back: when the loop in line 5 goes round again"));
  // Another mistake of such a loop: it is shown, and the launch is not to blame.
  CHECK_FALSE(show_thread_loop(anew, replaced(hands, "for (; col", "for (col = f(); col")));
  CHECK(anew.where == SourcePlace{"k.cu", 5, 3});
  CHECK(anew.reach == Reach::several_each);
  CHECK(anew.other->place.line == 9);
  CHECK_FALSE(
      show_thread_loop(one_row, replaced(hands, "for (; row < h; row += gridDim.y * blockDim.y)", "if (row < h)")));
  CHECK(one_row.where.line == 12);
  CHECK(one_row.reach == Reach::too_few);
  // Loops that do not go on by the grid, such as those which fill a tile, are none.
  CHECK_FALSE(show_thread_loop(
      linear,
      "__device__ void fill(float* t) {\n  for (int i = threadIdx.x; i < 64; i += blockDim.x) t[i] = 0;\n}\n"
      "__global__ void k(float* c, int w, int h) {\n  fill(c);\n}\n"));
  CHECK(linear.where.line == 12);
}

TEST_CASE("too few threads of which each does one element stay the launch's fault") {
  MergedFinding made = too_few(4);
  const std::string one =
      "__global__ void k(float* c, int n) {\n  float s = 0;\n  for (int k = 0; k < n; ++k) s += k;\n"
      "  c[i] = s;\n}\n\nvoid run() { k<<<2, 3>>>(c, n); }\n";
  CHECK_FALSE(show_thread_loop(made, one));
  CHECK(made.where.line == 7);
  CHECK(made.reach == Reach::too_few);
}

TEST_CASE("wrong values lead to such a counter where nothing else explains them") {
  const std::string sums =
      "__global__ void k(float* c, const float* a, int w, int h) {\n"
      "  int x = 0;\n"
      "  for (int y = g(); y < h; y += 2) {\n"
      "    float s = 0;\n"
      "    for (; x < w; ++x) s += a[y * w + x];\n"
      "    c[y] = s;\n"
      "  }\n"
      "}\n";
  MergedFinding made{finding(std::string(finding_ids::kResultMismatch), 6), {}};
  made.where.file = "k.cu";
  MergedFinding known = made, zero = made;
  CHECK(show_thread_loop(made, sums));
  CHECK(made.where.line == 5);
  CHECK(made.other->label == kStoredHere);
  CHECK(made.other->place.line == 6);
  zero.values = ValueKind::zero;
  CHECK(show_thread_loop(zero, sums));
  known.values = ValueKind::constant_factor;
  CHECK_FALSE(show_thread_loop(known, sums));
  known.values.reset();
  known.detector = "product_stops_early";
  CHECK_FALSE(show_thread_loop(known, sums));
}

TEST_CASE("the line is named where the counter was set, and where it must be") {
  MergedFinding made = too_few(5);
  CHECK(show_thread_loop(made, kKept));
  CHECK_THAT(made.help, contains_text("set `x` inside the loop of line 3, not before it in line 2"));
  CHECK(made.proven);
}

TEST_CASE("of a sum over rounds, known values lead to the counter as well") {
  const std::string rounds =
      "__global__ void k(float* c, int n) {\n"
      "  float s = 0;\n"
      "  int j = 0;\n"
      "  for (int t = 0; t < n; ++t)\n"
      "    for (; j < 16; ++j) s += j;\n"
      "  c[0] = s;\n"
      "}\n"
      "void run() {\n"
      "  k<<<1, 1>>>(c, n);\n"
      "}\n";
  const auto blamed = [&](const std::string& detector, std::uint32_t line) {
    MergedFinding made{finding(std::string(finding_ids::kResultMismatch), line), {}};
    made.where.file = "k.cu";
    made.kernel = "k";
    made.detector = detector;
    return show_thread_loop(made, rounds) ? made.where.line : 0;
  };
  CHECK(blamed("product_stops_early", 6) == 5);
  CHECK(blamed("product_first_tiles", 6) == 5);
  // Where the host's line is blamed, the kernel is looked at.
  CHECK(blamed("sum_of_whole_blocks", 9) == 5);
  CHECK(blamed("sum_many_times", 6) == 0);
  CHECK(blamed("product_is_transposed", 6) == 0);
}

TEST_CASE("a read of what no thread wrote leads to the loop that leaves it out") {
  const std::string fills =
      "__global__ void k(float* c, int n) {\n"
      "  int i = threadIdx.x;\n"
      "  for (; i < 256; i += 32) left[i] = c[i];\n"
      "  for (; i < 256; i += 32) right[i] = c[i];\n"
      "  c[0] = left[0] * right[0];\n"
      "}\n";
  const auto read_of = [](const std::string& array) {
    MergedFinding made{finding(std::string(finding_ids::kUninitializedRead), 5), {}};
    made.where.file = "k.cu";
    made.access.shared_array = array;
    return made;
  };
  MergedFinding made = read_of("right"), other = read_of("left");
  CHECK(show_thread_loop(made, fills));
  CHECK(made.where.line == 4);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 5);
  CHECK_THAT(made.help, contains_text("the loop in line 3 has taken `i` to its end, and this one does nothing"));
  CHECK_FALSE(show_thread_loop(other, fills));

  const std::string phases =
      "__global__ void k(float* c, int n) {\n"
      "  int i = threadIdx.x;\n"
      "  for (int t = 0; t < n; ++t) {\n"
      "    for (; i < 256; i += 32) tile[t % 2][i] = c[i];\n"
      "    use(tile);\n"
      "  }\n"
      "}\n";
  MergedFinding stale = read_of("tile");
  CHECK(show_thread_loop(stale, phases));
  CHECK(stale.where.line == 4);
  CHECK(stale.other->label == "and this reads what it leaves out");
}
