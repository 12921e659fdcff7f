// Device code in three files, compiled with `nvcc -rdc=true` and linked. With an argument: one mistake.
#include "../check.h"
#include "linked.h"

// tools.cu has the same names.
static __device__ int own = 1;
static __device__ int helper(int x) {
  return x + own;
}
static __global__ void keep(int* to) {
  *to = helper(10);
}

__global__ void use_all(int* to) {
  ++visits;
  put(to, 0, factors[2]);
  const Fraction flipped = inverse({3, 4, '-'});
  to[1] = flipped.above * 100 + flipped.below * 10 + (flipped.sign == '-');
  Shape* const square = new_square(5);
  to[2] = static_cast<int>(square->area());
  delete square;
  to[3] = operations[0](6, 7) * 100 + operations[1](6, 7);
  to[4] = own_of_tools(10) * 100 + helper(10);
}

__global__ void put_behind(int* to) {
  put(to, 1000, 1);
}

__global__ void copy(const int* from, int* to) {
  *to = *from;  // never written
}

int main(int count, char** arguments) {
  const int mistake = count > 1 ? std::atoi(arguments[1]) : 0;
  int *to, *from, got[5] = {};
  CHECK(cudaMalloc(&to, sizeof got));
  CHECK(cudaMalloc(&from, sizeof got));
  if (mistake == 1) put_behind<<<1, 1>>>(to);
  if (mistake == 2) race_in_tools(to);
  if (mistake == 3) copy<<<1, 1>>>(from, to);
  if (mistake != 0) {
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
  }

  const int by_tools[4] = {1, 2, 3, 4}, by_main[4] = {5, 6, 7, 8};
  set_factors_in_tools(by_tools);
  use_all<<<1, 1>>>(to);
  CHECK(cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost));
  expect(got[0] == 3, "a constant that tools.cu has set");
  expect(got[1] == 431, "a structure by value");
  expect(got[2] == 25, "a virtual function");
  expect(got[3] == 1342, "function pointers");
  expect(got[4] == 1211, "functions of one name");
  CHECK(cudaMemcpyToSymbol(factors, by_main, sizeof by_main));
  use_all<<<1, 1>>>(to);
  CHECK(cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost));
  expect(got[0] == 7, "a constant that main.cu has set");
  int value = 0;
  CHECK(cudaMemcpyFromSymbol(&value, visits, sizeof value));
  expect(value == 102 && visits_by_tools() == 102, "one variable for all files");
  keep<<<1, 1>>>(to);
  CHECK(cudaMemcpy(&value, to, sizeof value, cudaMemcpyDeviceToHost));
  expect(value == 11 && own_by_tools() == 22, "kernels of one name");
  value = 50;
  CHECK(cudaMemcpyToSymbol(own, &value, sizeof value));
  keep<<<1, 1>>>(to);
  CHECK(cudaMemcpy(&value, to, sizeof value, cudaMemcpyDeviceToHost));
  expect(value == 60 && own_by_tools() == 22, "variables of one name");
  fill<<<1, 4>>>(to, 4);
  CHECK(cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost));
  fill_in_tools(from, 8);
  sum_in_tools(from, to);
  CHECK(cudaMemcpy(&value, to, sizeof value, cudaMemcpyDeviceToHost));
  expect(got[3] == 8 && value == 64, "a template in two files");
  CHECK(cudaFree(to));
  CHECK(cudaFree(from));
}
