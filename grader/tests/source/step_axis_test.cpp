#include "source/step_axis.h"

#include <catch2/catch.hpp>

namespace cudalabs::test::of_step_axis {
namespace {

/// "row: blockIdx.y, gridDim.x" of each.
std::vector<std::string> crossed_in(const std::string& body) {
  std::vector<std::string> found;
  for (const CrossedStep& crossed : crossed_steps("__global__ void k(int m) {\n" + body + "\n}\n"))
    found.push_back(crossed.counter + ": " + crossed.begin + ", " + crossed.step);
  return found;
}

using Crossed = std::vector<std::string>;

TEST_CASE("a loop that goes on along another axis than it begins on is found") {
  CHECK(crossed_in("for (int r = blockIdx.y; r < m; r += gridDim.x) f(r);") == Crossed{"r: blockIdx.y, gridDim.x"});
  CHECK(crossed_in("for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < m; r += gridDim.y * blockDim.x) f(r);") ==
        Crossed{"r: threadIdx.y, blockDim.x"});
  CHECK(crossed_in("const int first = blockIdx.y * B + threadIdx.y, step = gridDim.x * B;\n"
                   "for (int r = first; r < m; r += step) f(r);") == Crossed{"r: blockIdx.y, gridDim.x"});
  CHECK(crossed_in("int r = threadIdx.x; while (r < m) { f(r); r += blockDim.y; }") ==
        Crossed{"r: threadIdx.x, blockDim.y"});
  CHECK(crossed_in("const int s = gridDim.x * blockDim.x;\nfor (int r = blockIdx.y * B + threadIdx.y; r < m; r += s)\n"
                   "  f(r);") == Crossed{"r: blockIdx.y, gridDim.x", "r: threadIdx.y, blockDim.x"});
  const CrossedStep place =
      crossed_steps(
          "__global__ void k(int m) {\n  int s = gridDim.x;\n  for (int r = blockIdx.y; r < m; r += s) f(r);\n}")
          .at(0);
  CHECK(place.line == 2);
  CHECK(place.column == 11);
  CHECK(place.meant == "gridDim.y");
  CHECK(place.of_grid);
  CHECK(place.begin_axis == 1);
  CHECK(place.step_axis == 0);
}

TEST_CASE("a loop along one axis, or along all of them, is left alone") {
  CHECK(crossed_in("for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < m; r += gridDim.y * blockDim.y) f(r);")
            .empty());
  // Blocks along x, and the threads of each along y.
  CHECK(crossed_in("for (int r = blockIdx.x * blockDim.y + threadIdx.y; r < m; r += gridDim.x * blockDim.y) f(r);")
            .empty());
  CHECK(crossed_in("for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < m; i += blockDim.x * blockDim.y) f(i);")
            .empty());
  CHECK(
      crossed_in("for (int i = blockIdx.y * gridDim.x + blockIdx.x; i < m; i += gridDim.x * gridDim.y) f(i);").empty());
  CHECK(crossed_in("for (int i = threadIdx.x; i < m; i += blockDim.x * gridDim.y) f(i);").empty());
  CHECK(crossed_in("for (int i = 0; i < m; i += gridDim.x) f(i);").empty());
  CHECK(crossed_in("int i; if (m) i = blockIdx.y; else i = blockIdx.x; for (; i < m; i += gridDim.x) f(i);").empty());
}

/// "gridDim.x, blockDim.y" of the functions' only crossed product.
std::string product_in(const std::string& body, const std::string& helper = "") {
  const std::string code =
      "__device__ int f(int a) {\n" + helper + "\n}\n__global__ void k(int m) {\n" + body + "\n}\n";
  const auto product = crossed_product(code, function_bodies(code));
  return product ? product->number + ", " + product->extent + ", " + product->meant : std::string();
}

TEST_CASE("a count of blocks along one axis times their extent along another one is found") {
  const std::string first = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n",
                    found = "gridDim.x, blockDim.y, blockDim.x";
  CHECK(product_in(first + "s = gridDim.x * blockDim.y;") == found);
  CHECK(product_in(first + "s = blockDim.y*gridDim.x;") == found);
  CHECK(product_in("int i = blockDim.x * blockIdx.x;",
                   "return make_int2(gridDim.x * blockDim.y, gridDim.y * blockDim.y);") == found);
  CHECK(product_in("int i = blockIdx.y * blockDim.y; s = gridDim.y * blockDim.z;") ==
        "gridDim.y, blockDim.z, blockDim.y");
}

TEST_CASE("blocks along one axis with threads along another one, and products of all, are right") {
  const std::string first = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
  CHECK(product_in(first + "s = gridDim.x * blockDim.x;").empty());
  CHECK(product_in("int i = blockIdx.x * blockDim.y + threadIdx.y; s = gridDim.x * blockDim.y;").empty());
  CHECK(product_in(first + "int j = blockIdx.x * blockDim.y; s = gridDim.x * blockDim.y;").empty());
  CHECK(product_in("s = gridDim.x * blockDim.y;").empty());
  CHECK(product_in(first + "s = gridDim.x * blockDim.y; t = gridDim.x * blockDim.y;").empty());
  CHECK(product_in(first + "s = gridDim.x * gridDim.y; t = blockDim.x * blockDim.y;").empty());
}

TEST_CASE("a long text of loops is read all the same") {
  std::string many;
  while (many.size() < 1 << 20) many += "for (int r = blockIdx.y; r < m; r += gridDim.x) s = s + r;\n";
  CHECK(crossed_in(many).size() == 64);
}

}  // namespace
}  // namespace cudalabs::test::of_step_axis
