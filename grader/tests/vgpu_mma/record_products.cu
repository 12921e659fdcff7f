// What a GPU's tensor cores answer, as text that hardware_test.cpp reads:
//   nvcc -O2 -arch=native -o record_products record_products.cu && ./record_products 60 >products-GPU.txt
//   zstd -19 products-GPU.txt  # of a file, whose size the test reads first
// G names the GPU. M is a form of mma, then a line for each tile: the results in hexadecimal digits, by rows. The
// inputs are made anew from product_inputs.h. L says which elements of a matrix the fragments of wmma hold, lane by
// lane: an element's number by rows. W are results of wmma, as M. E says where elements come from that ldmatrix and
// movmatrix move, and S where stmatrix puts them, on a GPU of compute capability 9.0 or above.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "product_inputs.h"

using namespace product_inputs;
using namespace nvcuda;

namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

template <class T>
struct OnDevice {
  T* data = nullptr;
  explicit OnDevice(size_t n) { check(cudaMalloc(&data, n * sizeof(T)), "cudaMalloc"); }
  explicit OnDevice(const std::vector<T>& from) : OnDevice(from.size()) {
    check(cudaMemcpy(data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~OnDevice() { cudaFree(data); }
  std::vector<T> read(size_t n) {
    std::vector<T> to(n);
    check(cudaMemcpy(to.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return to;
  }
};

// Registers of a lane, 32 bits each: a block computes a tile.
typedef unsigned int Word;

__device__ Word word_of(float x) {
  return __float_as_uint(x);
}
__device__ Word word_of(Word x) {
  return x;
}
template <class T>
__device__ T as(Word w) {
  if constexpr (sizeof(T) == sizeof(Word) && !std::is_same_v<T, float>)
    return w;
  else
    return __uint_as_float(w);
}

// A kernel for one form: how many words of A, B and C a lane has, the type and the letter of C's registers.
#define INPUTS(T)                              \
  const int i = blockIdx.x * 32 + threadIdx.x; \
  const Word* const pa = a + kA * i;           \
  const Word* const pb = b + kB * i;           \
  T x[kC], y[kC];                              \
  for (int j = 0; j < kC; ++j) x[j] = as<T>(c[kC * i + j]);
#define OUTPUTS \
  for (int j = 0; j < kC; ++j) d[kC * i + j] = word_of(y[j]);

#define FORM_4_2_4(NAME, TEXT, T, L)                                                                                  \
  __global__ void NAME(const Word* a, const Word* b, const Word* c, Word* d) {                                        \
    constexpr int kA = 4, kB = 2, kC = 4;                                                                             \
    INPUTS(T)                                                                                                         \
    asm volatile("mma.sync.aligned." TEXT " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"      \
                 : "=" L(y[0]), "=" L(y[1]), "=" L(y[2]), "=" L(y[3])                                                 \
                 : "r"(pa[0]), "r"(pa[1]), "r"(pa[2]), "r"(pa[3]), "r"(pb[0]), "r"(pb[1]), L(x[0]), L(x[1]), L(x[2]), \
                   L(x[3]));                                                                                          \
    OUTPUTS                                                                                                           \
  }
#define FORM_2_1_4(NAME, TEXT, T, L)                                                              \
  __global__ void NAME(const Word* a, const Word* b, const Word* c, Word* d) {                    \
    constexpr int kA = 2, kB = 1, kC = 4;                                                         \
    INPUTS(T)                                                                                     \
    asm volatile("mma.sync.aligned." TEXT " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};" \
                 : "=" L(y[0]), "=" L(y[1]), "=" L(y[2]), "=" L(y[3])                             \
                 : "r"(pa[0]), "r"(pa[1]), "r"(pb[0]), L(x[0]), L(x[1]), L(x[2]), L(x[3]));       \
    OUTPUTS                                                                                       \
  }
#define FORM_4_2_2(NAME, TEXT)                                                                                    \
  __global__ void NAME(const Word* a, const Word* b, const Word* c, Word* d) {                                    \
    constexpr int kA = 4, kB = 2, kC = 2;                                                                         \
    INPUTS(Word)                                                                                                  \
    asm volatile("mma.sync.aligned." TEXT " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"                      \
                 : "=r"(y[0]), "=r"(y[1])                                                                         \
                 : "r"(pa[0]), "r"(pa[1]), "r"(pa[2]), "r"(pa[3]), "r"(pb[0]), "r"(pb[1]), "r"(x[0]), "r"(x[1])); \
    OUTPUTS                                                                                                       \
  }
#define FORM_2_1_2(NAME, TEXT)                                                   \
  __global__ void NAME(const Word* a, const Word* b, const Word* c, Word* d) {   \
    constexpr int kA = 2, kB = 1, kC = 2;                                        \
    INPUTS(Word)                                                                 \
    asm volatile("mma.sync.aligned." TEXT " {%0, %1}, {%2, %3}, {%4}, {%5, %6};" \
                 : "=r"(y[0]), "=r"(y[1])                                        \
                 : "r"(pa[0]), "r"(pa[1]), "r"(pb[0]), "r"(x[0]), "r"(x[1]));    \
    OUTPUTS                                                                      \
  }
#define FORM_1_1_2(NAME, TEXT)                                                 \
  __global__ void NAME(const Word* a, const Word* b, const Word* c, Word* d) { \
    constexpr int kA = 1, kB = 1, kC = 2;                                      \
    INPUTS(Word)                                                               \
    asm volatile("mma.sync.aligned." TEXT " {%0, %1}, {%2}, {%3}, {%4, %5};"   \
                 : "=r"(y[0]), "=r"(y[1])                                      \
                 : "r"(pa[0]), "r"(pb[0]), "r"(x[0]), "r"(x[1]));              \
    OUTPUTS                                                                    \
  }

FORM_4_2_4(f16_k16, "m16n8k16.row.col.f32.f16.f16.f32", float, "f")
FORM_2_1_4(f16_k8, "m16n8k8.row.col.f32.f16.f16.f32", float, "f")
FORM_4_2_2(f16_f16_k16, "m16n8k16.row.col.f16.f16.f16.f16")
FORM_2_1_2(f16_f16_k8, "m16n8k8.row.col.f16.f16.f16.f16")
FORM_4_2_4(bf16_k16, "m16n8k16.row.col.f32.bf16.bf16.f32", float, "f")
FORM_2_1_4(bf16_k8, "m16n8k8.row.col.f32.bf16.bf16.f32", float, "f")
FORM_4_2_4(tf32_k8, "m16n8k8.row.col.f32.tf32.tf32.f32", float, "f")
FORM_2_1_4(tf32_k4, "m16n8k4.row.col.f32.tf32.tf32.f32", float, "f")
#define INTEGERS(A, B)                                                                         \
  FORM_4_2_4(A##_##B##_k32, "m16n8k32.row.col.s32." #A "." #B ".s32", Word, "r")               \
  FORM_4_2_4(A##_##B##_k32_sat, "m16n8k32.row.col.satfinite.s32." #A "." #B ".s32", Word, "r") \
  FORM_2_1_4(A##_##B##_k16, "m16n8k16.row.col.s32." #A "." #B ".s32", Word, "r")               \
  FORM_2_1_4(A##_##B##_k16_sat, "m16n8k16.row.col.satfinite.s32." #A "." #B ".s32", Word, "r")
INTEGERS(s8, s8)
INTEGERS(s8, u8)
INTEGERS(u8, s8)
INTEGERS(u8, u8)
FORM_1_1_2(s8_m8, "m8n8k16.row.col.s32.s8.s8.s32")
FORM_1_1_2(s8_m8_sat, "m8n8k16.row.col.satfinite.s32.s8.s8.s32")
FORM_1_1_2(u8_m8, "m8n8k16.row.col.s32.u8.u8.s32")
FORM_1_1_2(u8_m8_sat, "m8n8k16.row.col.satfinite.s32.u8.u8.s32")
__global__ void f64_k4(const Word* a, const Word* b, const Word* c, Word* d) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  const double* const x = reinterpret_cast<const double*>(c) + 2 * i;
  double* const y = reinterpret_cast<double*>(d) + 2 * i;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=d"(y[0]), "=d"(y[1])
               : "d"(reinterpret_cast<const double*>(a)[i]), "d"(reinterpret_cast<const double*>(b)[i]), "d"(x[0]),
                 "d"(x[1]));
}

typedef void (*Kernel)(const Word*, const Word*, const Word*, Word*);
Kernel kernel_of(const Form& form) {
  struct Named {
    const char* name;
    Kernel kernel;
  };
#define NAMED_INTEGERS(A, B)                                                   \
  {"m16n8k32.row.col.s32." #A "." #B ".s32", A##_##B##_k32},                   \
      {"m16n8k32.row.col.satfinite.s32." #A "." #B ".s32", A##_##B##_k32_sat}, \
      {"m16n8k16.row.col.s32." #A "." #B ".s32", A##_##B##_k16}, {             \
    "m16n8k16.row.col.satfinite.s32." #A "." #B ".s32", A##_##B##_k16_sat      \
  }
  static const Named all[] = {{"m16n8k16.row.col.f32.f16.f16.f32", f16_k16},
                              {"m16n8k8.row.col.f32.f16.f16.f32", f16_k8},
                              {"m16n8k16.row.col.f16.f16.f16.f16", f16_f16_k16},
                              {"m16n8k8.row.col.f16.f16.f16.f16", f16_f16_k8},
                              {"m16n8k16.row.col.f32.bf16.bf16.f32", bf16_k16},
                              {"m16n8k8.row.col.f32.bf16.bf16.f32", bf16_k8},
                              {"m16n8k8.row.col.f32.tf32.tf32.f32", tf32_k8},
                              {"m16n8k4.row.col.f32.tf32.tf32.f32", tf32_k4},
                              {"m8n8k4.row.col.f64.f64.f64.f64", f64_k4},
                              {"m8n8k16.row.col.s32.s8.s8.s32", s8_m8},
                              {"m8n8k16.row.col.satfinite.s32.s8.s8.s32", s8_m8_sat},
                              {"m8n8k16.row.col.s32.u8.u8.s32", u8_m8},
                              {"m8n8k16.row.col.satfinite.s32.u8.u8.s32", u8_m8_sat},
                              NAMED_INTEGERS(s8, s8),
                              NAMED_INTEGERS(s8, u8),
                              NAMED_INTEGERS(u8, s8),
                              NAMED_INTEGERS(u8, u8)};
  for (const Named& named : all)
    if (form.name() == named.name) return named.kernel;
  fprintf(stderr, "no kernel for %s\n", form.name().c_str());
  exit(1);
}

typedef Position (*Place)(const Form&, int, int);
/// The registers of all lanes.
std::vector<unsigned char> fragments(const Form& form, const std::vector<uint64_t>& matrix, int columns, int bits,
                                     Place place) {
  const int bytes = bits / 8, per_lane = int(matrix.size() / 32);
  std::vector<unsigned char> all(size_t(32) * per_lane * bytes);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < per_lane; ++i) {
      const Position p = place(form, lane, i);
      memcpy(&all[size_t(lane * per_lane + i) * bytes], &matrix[p.row * columns + p.column], bytes);
    }
  return all;
}

void print_bits(uint64_t bits, int digits) {
  printf("%0*llx", digits, (unsigned long long)bits);
}

void record(const Form& form, int tiles) {
  std::vector<unsigned char> a, b, c;
  for (int t = 0; t < tiles; ++t) {
    const Tile tile = tile_of(form, t);
    for (auto byte : fragments(form, tile.a, form.k, form.a.bits, in_a)) a.push_back(byte);
    for (auto byte : fragments(form, tile.b, form.n, form.b.bits, in_b)) b.push_back(byte);
    for (auto byte : fragments(form, tile.c, form.n, form.c.bits, in_c)) c.push_back(byte);
  }
  OnDevice<unsigned char> da(a), db(b), dc(c), dd(c.size());
  kernel_of(form)<<<tiles, 32>>>((Word*)da.data, (Word*)db.data, (Word*)dc.data, (Word*)dd.data);
  check(cudaDeviceSynchronize(), form.name().c_str());
  const std::vector<unsigned char> d = dd.read(c.size());
  printf("M %s %d\n", form.name().c_str(), tiles);
  const int count = form.m * form.n, bytes = form.c.bits / 8;
  for (int t = 0; t < tiles; ++t) {
    std::vector<uint64_t> results(count);
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < count / 32; ++i) {
        const Position p = in_c(form, lane, i);
        memcpy(&results[p.row * form.n + p.column], &d[(size_t(t) * count + lane * (count / 32) + i) * bytes], bytes);
      }
    for (const uint64_t bits : results) print_bits(bits, 2 * bytes);
    printf("\n");
  }
}

template <class Fragment, class T>
__global__ void load_fragment(const T* matrix, int stride, unsigned char* out, wmma::layout_t layout) {
  Fragment f;
  if constexpr (std::is_same_v<Fragment, wmma::fragment<wmma::accumulator, 16, 16, 16, T>> ||
                std::is_same_v<Fragment, wmma::fragment<wmma::accumulator, 32, 8, 16, T>> ||
                std::is_same_v<Fragment, wmma::fragment<wmma::accumulator, 8, 32, 16, T>> ||
                std::is_same_v<Fragment, wmma::fragment<wmma::accumulator, 16, 16, 8, T>> ||
                std::is_same_v<Fragment, wmma::fragment<wmma::accumulator, 8, 8, 4, T>>)
    wmma::load_matrix_sync(f, matrix, stride, layout);
  else
    wmma::load_matrix_sync(f, matrix, stride);
  for (int i = 0; i < f.num_elements; ++i) {
    T x = f.x[i];
    memcpy(out + (threadIdx.x * f.num_elements + i) * sizeof(T), &x, sizeof(T));
  }
}

/// Which element each element of a fragment is: the bytes of its number, one load for each byte.
template <class Fragment, class T>
void record_layout(const char* what, int rows, int columns, bool by_columns, int per_lane) {
  std::vector<int> numbers(32 * per_lane);
  const int least = int(16 / sizeof(T)), stride = std::max(by_columns ? rows : columns, least);
  for (int byte = 0; byte < 2; ++byte) {
    std::vector<unsigned char> matrix(size_t(std::max(rows, columns)) * stride * sizeof(T));
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        matrix[(by_columns ? c * stride + r : r * stride + c) * sizeof(T)] = (r * columns + c) >> 8 * byte & 0xff;
    OnDevice<unsigned char> in(matrix), out(32 * per_lane * sizeof(T));
    load_fragment<Fragment, T>
        <<<1, 32>>>((const T*)in.data, stride, out.data, by_columns ? wmma::mem_col_major : wmma::mem_row_major);
    check(cudaDeviceSynchronize(), what);
    const std::vector<unsigned char> bytes = out.read(32 * per_lane * sizeof(T));
    for (int i = 0; i < 32 * per_lane; ++i) numbers[i] |= bytes[i * sizeof(T)] << 8 * byte;
  }
  printf("L %s %s %d", what, by_columns ? "col" : "row", per_lane);
  for (const int n : numbers) printf(" %d", n);
  printf("\n");
}

template <int M, int N, int K, class T, class Stored, class Sum>
void record_layouts(const char* name) {
  const std::string shape = "m" + std::to_string(M) + "n" + std::to_string(N) + "k" + std::to_string(K) + " " + name;
  using ARow = wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major>;
  using ACol = wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::col_major>;
  using BRow = wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::row_major>;
  using BCol = wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major>;
  using C = wmma::fragment<wmma::accumulator, M, N, K, Sum>;
  record_layout<ARow, Stored>((shape + " a").c_str(), M, K, false, ARow::num_elements);
  record_layout<ACol, Stored>((shape + " a").c_str(), M, K, true, ACol::num_elements);
  record_layout<BRow, Stored>((shape + " b").c_str(), K, N, false, BRow::num_elements);
  record_layout<BCol, Stored>((shape + " b").c_str(), K, N, true, BCol::num_elements);
  record_layout<C, Sum>((shape + " c").c_str(), M, N, false, C::num_elements);
  record_layout<C, Sum>((shape + " c").c_str(), M, N, true, C::num_elements);
}

template <int M, int N, int K, class T, class Stored, class CType, class DType, bool kSaturates>
__global__ void multiply(const Stored* a, const Stored* b, const CType* c, DType* d) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, M, N, K, CType> fc;
  wmma::fragment<wmma::accumulator, M, N, K, DType> fd;
  wmma::load_matrix_sync(fa, a + blockIdx.x * M * K, K);
  wmma::load_matrix_sync(fb, b + blockIdx.x * K * N, K);
  wmma::load_matrix_sync(fc, c + blockIdx.x * M * N, N, wmma::mem_row_major);
  if constexpr (kSaturates)
    wmma::mma_sync(fd, fa, fb, fc, true);
  else
    wmma::mma_sync(fd, fa, fb, fc);
  wmma::store_matrix_sync(d + blockIdx.x * M * N, fd, N, wmma::mem_row_major);
}

template <int M, int N, int K, class T, class Stored, class CType, class DType, bool kSaturates = false>
void record_wmma(const Coding& in, const Coding& c, const Coding& d, int tiles) {
  const Form form{M, N, K, in, in, c, kSaturates};
  std::vector<unsigned char> bytes[3];
  for (int t = 0; t < tiles; ++t) {
    const Tile tile = tile_of(form, t);
    std::vector<uint64_t> by_columns;
    for (int n = 0; n < N; ++n)
      for (int k = 0; k < K; ++k) by_columns.push_back(tile.b[k * N + n]);
    const std::vector<uint64_t>* matrices[] = {&tile.a, &by_columns, &tile.c};
    for (int i = 0; i < 3; ++i)
      for (const uint64_t bits : *matrices[i])
        for (int byte = 0; byte < (i < 2 ? in : c).bits / 8; ++byte) bytes[i].push_back(bits >> 8 * byte & 0xff);
  }
  OnDevice<unsigned char> da(bytes[0]), db(bytes[1]), dc(bytes[2]), dd(size_t(tiles) * M * N * sizeof(DType));
  multiply<M, N, K, T, Stored, CType, DType, kSaturates>
      <<<tiles, 32>>>((const Stored*)da.data, (const Stored*)db.data, (const CType*)dc.data, (DType*)dd.data);
  check(cudaDeviceSynchronize(), form.name().c_str());
  const std::vector<unsigned char> out = dd.read(size_t(tiles) * M * N * sizeof(DType));
  printf("W %s %s %d\n", form.name().c_str(), d.name, tiles);
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < M * N; ++i) {
      uint64_t bits = 0;
      memcpy(&bits, &out[(size_t(t) * M * N + i) * sizeof(DType)], sizeof(DType));
      print_bits(bits, 2 * sizeof(DType));
    }
    printf("\n");
  }
}

template <int M, int N>
void record_shape(int tiles) {
  record_layouts<M, N, 16, half, half, float>("f16 f32");
  record_layouts<M, N, 16, half, half, half>("f16 f16");
  record_layouts<M, N, 16, __nv_bfloat16, __nv_bfloat16, float>("bf16 f32");
  record_layouts<M, N, 16, signed char, signed char, int>("s8 s32");
  record_layouts<M, N, 16, unsigned char, unsigned char, int>("u8 s32");
  record_wmma<M, N, 16, half, half, float, float>(kF16, kF32, kF32, tiles);
  record_wmma<M, N, 16, half, half, half, half>(kF16, kF16, kF16, tiles);
  record_wmma<M, N, 16, half, half, half, float>(kF16, kF16, kF32, tiles);
  record_wmma<M, N, 16, half, half, float, half>(kF16, kF32, kF16, tiles);
  record_wmma<M, N, 16, __nv_bfloat16, __nv_bfloat16, float, float>(kBf16, kF32, kF32, tiles);
  record_wmma<M, N, 16, signed char, signed char, int, int>(kS8, kS32, kS32, 2);
  record_wmma<M, N, 16, unsigned char, unsigned char, int, int>(kU8, kS32, kS32, 2);
  record_wmma<M, N, 16, signed char, signed char, int, int, true>(kS8, kS32, kS32, 2);
}

/// Every 16 bits of the matrices are their own number.
__global__ void move(Word* out) {
  __shared__ __align__(16) unsigned short tile[256];
  const int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32) tile[i] = i;
  __syncwarp();
  const Word at = (Word)__cvta_generic_to_shared(tile + lane * 8);
  Word r[9];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(at)
               : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
               : "r"(at)
               : "memory");
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(r[8])
               : "r"((Word)(lane * 2 | (lane * 2 + 1) << 16)));
  for (int i = 0; i < 9; ++i) out[lane * 9 + i] = r[i];
}

/// Every 16 bits of what the lanes hold are their own number, lane by lane: four matrices plain, then transposed.
__global__ void put(Word* out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  __shared__ __align__(16) unsigned short tiles[2][256];
  const Word lane = threadIdx.x;
  const Word plain = (Word)__cvta_generic_to_shared(tiles[0] + lane * 8);
  const Word transposed = (Word)__cvta_generic_to_shared(tiles[1] + lane * 8);
  Word r[4];
  for (Word i = 0; i < 4; ++i) r[i] = (64 * i + 2 * lane) | (64 * i + 2 * lane + 1) << 16;
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(plain), "r"(r[0]), "r"(r[1]),
               "r"(r[2]), "r"(r[3])
               : "memory");
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(transposed), "r"(r[0]),
               "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
  __syncwarp();
  for (Word i = lane; i < 512; i += 32) out[i] = tiles[i / 256][i % 256];
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const int tiles = argc > 1 ? atoi(argv[1]) : 60;
  cudaDeviceProp properties;
  int driver = 0, runtime = 0;
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  char version[200] = "?";
  if (FILE* const file = fopen("/proc/driver/nvidia/version", "r")) {
    if (fgets(version, sizeof version, file) == nullptr) version[0] = 0;
    fclose(file);
  }
  printf("G %s compute capability %d.%d driver %d runtime %d %s\n", properties.name, properties.major, properties.minor,
         driver, runtime, strtok(version, "\n"));
  for (const Form& form : forms()) record(form, form.a.exponent_bits == 0 ? 4 : tiles);
  record_shape<16, 16>(10);
  record_shape<32, 8>(10);
  record_shape<8, 32>(10);
  record_layouts<16, 16, 8, wmma::precision::tf32, float, float>("tf32 f32");
  record_wmma<16, 16, 8, wmma::precision::tf32, float, float, float>(kTf32, kF32, kF32, 10);
  record_layouts<8, 8, 4, double, double, double>("f64 f64");
  record_wmma<8, 8, 4, double, double, double, double>(kF64, kF64, kF64, 10);
  OnDevice<Word> out(32 * 9);
  move<<<1, 32>>>(out.data);
  check(cudaDeviceSynchronize(), "ldmatrix");
  printf("E");
  for (const Word w : out.read(32 * 9)) printf(" %x", w);
  printf("\n");
  if (properties.major < 9) return 0;
  OnDevice<Word> rows(512);
  put<<<1, 32>>>(rows.data);
  check(cudaDeviceSynchronize(), "stmatrix");
  printf("S");
  for (const Word w : rows.read(512)) printf(" %x", w);
  printf("\n");
  return 0;
}
