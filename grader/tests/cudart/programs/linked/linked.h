// What the files of a program share whose device code is linked.
#pragma once

struct Fraction {
  int above;
  short below;
  char sign;
};

struct Shape {
  float side;
  __device__ explicit Shape(float length) : side(length) {}
  __device__ virtual float area() const;
};

using Operation = int (*)(int, int);

extern __device__ int visits;
extern __constant__ int factors[4];
extern __device__ Operation operations[2];

__device__ Fraction inverse(Fraction of);
__device__ Shape* new_square(float side);
__device__ void put(int* to, int index, int value);
__device__ int own_of_tools(int x);

// Defined in every file that uses them: one is enough.
template <class T>
__device__ T twice(T x) {
  return x + x;
}
template <class T>
__global__ void fill(T* to, T value) {
  to[threadIdx.x] = twice(value);
}
inline __device__ int& shared_count() {
  __shared__ int count;
  return count;
}

// Of tools.cu, for the host.
void fill_in_tools(int* to, int value);
void set_factors_in_tools(const int* values);
int visits_by_tools();
int own_by_tools();
void race_in_tools(int* to);
void sum_in_tools(const int* from, int* to);
