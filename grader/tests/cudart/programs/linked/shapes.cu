// A class with virtual functions, and a table of functions that other files call.
#include "linked.h"

namespace {

struct Square : Shape {
  __device__ explicit Square(float length) : Shape(length) {}
  __device__ float area() const override { return side * side; }
};

__device__ int add(int a, int b) {
  return a + b;
}
__device__ int multiply(int a, int b) {
  return twice(a) * b / 2;
}

}  // namespace

__device__ float Shape::area() const {
  return 0;
}

__device__ Shape* new_square(float side) {
  return new Square(side);
}

__device__ Operation operations[2] = {add, multiply};
