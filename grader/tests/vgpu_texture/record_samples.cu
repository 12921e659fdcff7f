// What a GPU's texture units answer, as text that hardware_test.cpp reads:
//   nvcc -O2 -arch=native -o record_samples record_samples.cu && ./record_samples | zstd -19 -o samples-GPU.txt.zst
// G names the GPU, T a texture (tag, dimensions, extents, format, bits, channels, filter, address mode, normalised
// coordinates, normalised reads, a border colour, channel of a gather, error), D its texels as they lie in memory; then
// follow the bits of coordinates and of results, a sample a line. Texels and coordinates come from the generator below.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

struct Rng {
  uint64_t s;
  uint32_t next() {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    return uint32_t(s >> 32);
  }
  float unit() { return float(next() >> 8) / 16777216.0f; }
};

__global__ void sample(cudaTextureObject_t t, int dim, int kind, int n, const float* c, uint4* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = c[3 * i], y = c[3 * i + 1], z = c[3 * i + 2];
  uint4 r = {0, 0, 0, 0};
  if (kind == 0) {
    float4 v = dim == 1 ? tex1D<float4>(t, x) : dim == 2 ? tex2D<float4>(t, x, y) : tex3D<float4>(t, x, y, z);
    r = {__float_as_uint(v.x), __float_as_uint(v.y), __float_as_uint(v.z), __float_as_uint(v.w)};
  } else {
    r = dim == 1 ? tex1D<uint4>(t, x) : dim == 2 ? tex2D<uint4>(t, x, y) : tex3D<uint4>(t, x, y, z);
  }
  out[i] = r;
}
__global__ void gather(cudaTextureObject_t t, int comp, int kind, int n, const float* c, uint4* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = c[3 * i], y = c[3 * i + 1];
  if (kind == 0) {
    float4 v = comp == 0   ? tex2Dgather<float4>(t, x, y, 0)
               : comp == 1 ? tex2Dgather<float4>(t, x, y, 1)
               : comp == 2 ? tex2Dgather<float4>(t, x, y, 2)
                           : tex2Dgather<float4>(t, x, y, 3);
    out[i] = {__float_as_uint(v.x), __float_as_uint(v.y), __float_as_uint(v.z), __float_as_uint(v.w)};
  } else {
    out[i] = comp == 0   ? tex2Dgather<uint4>(t, x, y, 0)
             : comp == 1 ? tex2Dgather<uint4>(t, x, y, 1)
             : comp == 2 ? tex2Dgather<uint4>(t, x, y, 2)
                         : tex2Dgather<uint4>(t, x, y, 3);
  }
}
struct Format {
  const char* name;
  int bits, channels;
  cudaChannelFormatKind kind;
};
const Format F32x1{"f32", 32, 1, cudaChannelFormatKindFloat};
enum { kPoint, kLinear };
const char* filters[] = {"point", "linear"};
const char* modes[] = {"wrap", "clamp", "mirror", "border"};

struct Texels {
  int dim, w, h, d;
  Format f;
  std::vector<unsigned char> data;
  int bytes() const { return f.bits / 8 * f.channels; }
};
Texels random_texels(int dim, int w, int h, int d, Format f, uint64_t seed) {
  Texels t{dim, w, h, d, f, {}};
  Rng r{seed};
  size_t n = size_t(w) * (h ? h : 1) * (d ? d : 1) * f.channels;
  for (size_t i = 0; i < n; ++i) {
    uint32_t v = r.next();
    if (f.kind == cudaChannelFormatKindFloat && f.bits == 32) {
      float x = float(int32_t(v)) / 134217728.0f;
      memcpy(&v, &x, 4);
    }
    if (f.kind == cudaChannelFormatKindFloat && f.bits == 16) v = (v & 0x83ff) | ((v >> 16) % 8 + 11) << 10;
    for (int b = 0; b < f.bits / 8; ++b) t.data.push_back((unsigned char)(v >> 8 * b));
  }
  return t;
}

float* dc;
uint4* dout;
void run(const char* tag, const Texels& t, int filter, int mode, int norm, int readnorm, const std::vector<float>& c,
         const float* border = nullptr, int gather_comp = -1) {
  int ch = t.f.channels, b = t.f.bits;
  cudaChannelFormatDesc cd = cudaCreateChannelDesc(b, ch > 1 ? b : 0, ch > 2 ? b : 0, ch > 3 ? b : 0, t.f.kind);
  cudaArray_t a = nullptr;
  cudaError_t e = cudaMalloc3DArray(&a, &cd, make_cudaExtent(t.w, t.dim > 1 ? t.h : 0, t.dim > 2 ? t.d : 0),
                                    gather_comp >= 0 ? cudaArrayTextureGather : 0);
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr((void*)t.data.data(), size_t(t.w) * t.bytes(), t.w, t.dim > 1 ? t.h : 1);
  p.dstArray = a;
  p.extent = make_cudaExtent(t.w, t.dim > 1 ? t.h : 1, t.dim > 2 ? t.d : 1);
  p.kind = cudaMemcpyHostToDevice;
  if (!e) e = cudaMemcpy3D(&p);
  cudaResourceDesc rd = {};
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = a;
  cudaTextureDesc td = {};
  for (int i = 0; i < 3; ++i) td.addressMode[i] = cudaTextureAddressMode(mode);
  td.filterMode = cudaTextureFilterMode(filter);
  td.readMode = readnorm ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  td.normalizedCoords = norm;
  if (border) memcpy(td.borderColor, border, 16);
  cudaTextureObject_t o = 0;
  if (!e) e = cudaCreateTextureObject(&o, &rd, &td, nullptr);
  int n = int(c.size() / 3);
  int kind = t.f.kind == cudaChannelFormatKindFloat || readnorm ? 0 : 1;
  std::vector<uint4> out(n);
  if (!e) {
    cudaMemcpy(dc, c.data(), c.size() * 4, cudaMemcpyHostToDevice);
    if (gather_comp >= 0)
      gather<<<(n + 63) / 64, 64>>>(o, gather_comp, kind, n, dc, dout);
    else
      sample<<<(n + 63) / 64, 64>>>(o, t.dim, kind, n, dc, dout);
    e = cudaMemcpy(out.data(), dout, n * 16, cudaMemcpyDeviceToHost);
  }
  printf("T %s %d %d %d %d %s %d %d %s %s %d %d %d %d %d\n", tag, t.dim, t.w, t.h, t.d, t.f.name, t.f.bits, ch,
         filters[filter], modes[mode], norm, readnorm, border ? 1 : 0, gather_comp, int(e));
  printf("D ");
  for (unsigned char v : t.data) printf("%02x", v);
  printf("\n");
  if (!e)
    for (int i = 0; i < n; ++i) {
      uint32_t u[3];
      memcpy(u, &c[3 * i], 12);
      for (int k = 0; k < t.dim; ++k) printf("%x ", u[k]);
      printf("> %x %x %x %x\n", out[i].x, out[i].y, out[i].z, out[i].w);
    }
  if (o) cudaDestroyTextureObject(o);
  if (a) cudaFreeArray(a);
  cudaGetLastError();
}
float bump(float x, int ulps) {
  for (; ulps > 0; --ulps) x = nextafterf(x, INFINITY);
  for (; ulps < 0; ++ulps) x = nextafterf(x, -INFINITY);
  return x;
}
std::vector<float> coordinates(int dim, int w, int h, int d, int norm, int n, uint64_t seed) {
  std::vector<float> c;
  Rng r{seed};
  int size[3] = {w, h, d};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      float s = float(size[k] ? size[k] : 1);
      float x = (r.unit() * 3.0f - 1.0f) * s;
      switch (r.next() % 6) {
        case 0:
          x = floorf(x);
          break;
        case 1:
          x = floorf(x) + 0.5f;
          break;
        case 2:
          x = floorf(x * 256) / 256;
          break;
        case 3:
          x = fabsf(x) < s ? x : x * 0.3f;
          break;
        default:
          break;
      }
      if (norm) x /= s;
      if (k >= dim) x = 0;
      c.push_back(x);
    }
  return c;
}
std::vector<float> line(const std::vector<float>& xs) {
  std::vector<float> c;
  for (float x : xs) {
    c.push_back(x);
    c.push_back(0);
    c.push_back(0);
  }
  return c;
}
Texels floats(int dim, int w, int h, int d, const std::vector<float>& v) {
  Texels t{dim, w, h, d, F32x1, {}};
  t.data.resize(v.size() * 4);
  memcpy(t.data.data(), v.data(), v.size() * 4);
  return t;
}
constexpr cudaChannelFormatKind S = cudaChannelFormatKindSigned, U = cudaChannelFormatKindUnsigned,
                                F = cudaChannelFormatKindFloat;

/// Every format, filter and address mode in one to three dimensions.
void run_grids() {
  const Format formats[] = {{"f32", 32, 1, F}, {"f32", 32, 2, F}, {"f32", 32, 4, F}, {"f16", 16, 1, F},
                            {"f16", 16, 4, F}, {"u8", 8, 1, U},   {"u8", 8, 4, U},   {"s8", 8, 2, S},
                            {"u16", 16, 1, U}, {"u16", 16, 2, U}, {"s16", 16, 4, S}, {"u32", 32, 1, U},
                            {"s32", 32, 4, S}};
  int seed = 1;
  for (int dim = 1; dim <= 3; ++dim)
    for (const Format& f : formats)
      for (int rn = 0; rn < 2; ++rn) {
        if (rn && (f.kind == F || f.bits == 32)) continue;
        bool full = !strcmp(f.name, "f32") && f.channels == 1 || rn && f.bits == 8 && f.channels == 4;
        for (int filter = 0; filter < 2; ++filter) {
          if (filter && f.kind != F && !rn) continue;
          for (int norm = 0; norm < 2; ++norm)
            for (int m = 0; m < 4; ++m) {
              if (!full && !(norm ? m == 0 : m == 1)) continue;
              int w = norm ? 6 : 5, h = dim > 1 ? 3 : 0, d = dim > 2 ? 4 : 0;
              ++seed;
              run("grid", random_texels(dim, w, h, d, f, seed), filter, m, norm, rn,
                  coordinates(dim, w, h, d, norm, full ? 40 : 20, seed * 77));
            }
        }
      }
}

/// One texel is 1, the others are 0: results are weights.
void run_weights(Rng& r) {
  for (int hot = 1; hot < 3; ++hot) {
    std::vector<float> v(4), xs;
    v[hot] = 1;
    for (int k = 0; k <= 512; ++k)
      if (k < 24 || k % 37 == 0 || k > 496)
        for (int u = -1; u <= 1; ++u) xs.push_back(bump(1.5f + k / 512.0f, u));
    run("weight1", floats(1, 4, 0, 0, v), kLinear, 1, 0, 0, line(xs));
  }
  for (int hot = 0; hot < 4; ++hot) {
    std::vector<float> v(16), c;
    v[(hot / 2 + 1) * 4 + hot % 2 + 1] = 1;
    for (int i = 0; i < 60; ++i) {
      c.push_back(1.5f + (i % 3 ? r.unit() : (r.next() % 257) / 256.0f));
      c.push_back(1.5f + (i % 3 ? r.unit() : (r.next() % 257) / 256.0f));
      c.push_back(0);
    }
    run("weight2", floats(2, 4, 4, 0, v), kLinear, 1, 0, 0, c);
  }
  for (int hot = 0; hot < 8; ++hot) {
    std::vector<float> v(64), c;
    v[(hot / 4 + 1) * 16 + (hot / 2 % 2 + 1) * 4 + hot % 2 + 1] = 1;
    for (int i = 0; i < 40; ++i)
      for (int k = 0; k < 3; ++k) c.push_back(1.5f + (i % 3 ? r.unit() : (r.next() % 257) / 256.0f));
    run("weight3", floats(3, 4, 4, 4, v), kLinear, 1, 0, 0, c);
  }
}

/// Values of very different size, and special ones.
void run_sums(Rng& r) {
  const float pairs[][2] = {{1, 1e-7f},
                            {1e-7f, 1},
                            {1, -1},
                            {16777216.f, 1},
                            {1, 1.0000001f},
                            {3.3333333f, 7.7777777f},
                            {1e38f, 1e38f},
                            {3.4e38f, -3.4e38f},
                            {INFINITY, 1},
                            {1, INFINITY},
                            {NAN, 1},
                            {INFINITY, -INFINITY},
                            {1e-38f, 1e-38f},
                            {1e-40f, 1e-40f},
                            {1e-40f, 0},
                            {-0.0f, -0.0f},
                            {123456.7f, -123456.6f},
                            {0.1f, 0.7f},
                            {1e-3f, 1e3f},
                            {-5.1f, 2.3f}};
  for (auto& p : pairs) {
    std::vector<float> xs;
    for (int i = 0; i < 24; ++i) xs.push_back(0.5f + (i < 4 ? i / 4.0f : (r.next() % 257) / 256.0f));
    run("pair", floats(1, 2, 0, 0, {p[0], p[1]}), kLinear, 1, 0, 0, line(xs));
  }
  for (int i = 0; i < 6; ++i) {
    std::vector<float> v, c;
    for (int k = 0; k < 4; ++k) v.push_back((r.unit() - 0.5f) * powf(10.0f, float(r.next() % (2 + 2 * i))));
    for (int k = 0; k < 40; ++k) {
      c.push_back(0.5f + r.unit());
      c.push_back(0.5f + r.unit());
      c.push_back(0);
    }
    run("quad", floats(2, 2, 2, 0, v), kLinear, 1, 0, 0, c);
  }
  for (int i = 0; i < 6; ++i) {
    std::vector<float> v, c;
    for (int k = 0; k < 8; ++k) v.push_back((r.unit() - 0.5f) * powf(10.0f, float(r.next() % (2 + 2 * i))));
    for (int k = 0; k < 40; ++k)
      for (int a = 0; a < 3; ++a) c.push_back(0.5f + r.unit());
    run("cell", floats(3, 2, 2, 2, v), kLinear, 1, 0, 0, c);
  }
}

/// Where a coordinate leads: the texels are their own index.
void run_ramps(Rng& r) {
  for (int w : {5, 7, 8, 100, 1000, 4096})
    for (int filter = 0; filter < 2; ++filter)
      for (int norm = 0; norm < 2; ++norm) {
        std::vector<float> v, xs;
        for (int k = 0; k < w; ++k) v.push_back(float(k));
        for (int k = 0; k < 60; ++k) {
          float at = float(r.next() % (w + 1));
          if (k % 3 == 1) at += 0.5f;
          if (k % 3 == 2) at += (r.next() % 512) / 512.0f;
          if (norm) at /= w;
          xs.push_back(bump(at, int(r.next() % 5) - 2));
        }
        for (int k = 0; k < 30; ++k) xs.push_back(r.unit() * (norm ? 1 : w));
        for (float x : {0.0f, -0.0f, 1e-30f, -1e-30f, 0.99999994f, 1.0f, 1e9f, -1e9f, 1e30f, -1e30f, INFINITY,
                        -INFINITY, NAN, 2.5f, -2.5f, 8388608.5f, 3e5f + 0.3f})
          xs.push_back(x);
        Texels t = floats(1, w, 0, 0, v);
        if (w > 100) {
          for (int m : {0, 1}) run("ramp", t, filter, m, norm, 0, line(xs));
        } else
          for (int m = 0; m < 4; ++m) run("ramp", t, filter, m, norm, 0, line(xs));
      }
}

void run_borders_and_gathers() {
  const float border[4] = {0.25f, 0.5f, 0.75f, 1.0f};
  for (int filter = 0; filter < 2; ++filter) {
    run("border", random_texels(2, 4, 3, 0, {"f32", 32, 4, F}, 5), filter, 3, 0, 0, coordinates(2, 4, 3, 0, 0, 30, 6),
        border);
    run("border", random_texels(2, 4, 3, 0, {"u8", 8, 4, U}, 5), filter, 3, 0, 1, coordinates(2, 4, 3, 0, 0, 30, 6),
        border);
    run("border", random_texels(2, 4, 3, 0, {"f32", 32, 1, F}, 5), filter, 3, 0, 0, coordinates(2, 4, 3, 0, 0, 30, 6),
        border);
  }
  run("border", random_texels(2, 4, 3, 0, {"u8", 8, 4, U}, 5), 0, 3, 0, 0, coordinates(2, 4, 3, 0, 0, 30, 6), border);
  for (int comp = 0; comp < 4; ++comp)
    for (int norm = 0; norm < 2; ++norm) {
      run("gather", random_texels(2, 5, 4, 0, {"f32", 32, 4, F}, 15), 0, norm ? 0 : 1, norm, 0,
          coordinates(2, 5, 4, 0, norm, 30, 16), nullptr, comp);
      run("gather", random_texels(2, 5, 4, 0, {"u8", 8, 4, U}, 15), 0, norm ? 3 : 1, norm, 1,
          coordinates(2, 5, 4, 0, norm, 30, 17), nullptr, comp);
    }
  run("gather", random_texels(2, 5, 4, 0, {"f32", 32, 1, F}, 15), 1, 1, 0, 0, coordinates(2, 5, 4, 0, 0, 30, 16),
      nullptr, 0);
  run("gather", random_texels(2, 5, 4, 0, {"u8", 8, 1, U}, 15), 0, 1, 0, 0, coordinates(2, 5, 4, 0, 0, 30, 16), nullptr,
      0);
}

/// The middle of each of the first `n` texels.
std::vector<float> middles(int n) {
  std::vector<float> xs;
  for (int i = 0; i < n; ++i) xs.push_back(i + 0.5f);
  return line(xs);
}

std::vector<float> anywhere(Rng& r, int n, float width) {
  std::vector<float> xs;
  for (int i = 0; i < n; ++i) xs.push_back(r.unit() * width);
  return line(xs);
}

/// Integers that are read as numbers, each of them and filtered, and filtered halves.
void run_narrow_formats(Rng& r) {
  std::vector<unsigned char> bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(i);
  const Format u8{"u8", 8, 1, U}, s8{"s8", 8, 1, S}, u16{"u16", 16, 1, U}, s16{"s16", 16, 1, S}, f16{"f16", 16, 1, F};
  for (const Format& format : {u8, s8})
    run("bytes", Texels{1, 256, 0, 0, format, bytes}, kPoint, 1, 0, 1, middles(256));
  run("bytes", random_texels(1, 200, 0, 0, u16, 3), kPoint, 1, 0, 1, middles(200));
  run("bytes", random_texels(1, 200, 0, 0, s16, 4), kPoint, 1, 0, 1, middles(200));
  for (const Format& format : {u8, s8})
    run("filter8", random_texels(1, 60, 0, 0, format, 9), kLinear, 1, 0, 1, anywhere(r, 150, 60));
  run("filter16", random_texels(1, 60, 0, 0, u16, 9), kLinear, 1, 0, 1, anywhere(r, 150, 60));
  run("filter16", random_texels(1, 60, 0, 0, f16, 9), kLinear, 1, 0, 0, anywhere(r, 150, 60));
}

int main() {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  int driver = 0;
  cudaDriverGetVersion(&driver);
  printf("G %s cc %d.%d driver %d\n", prop.name, prop.major, prop.minor, driver);
  cudaMalloc(&dc, 1 << 20);
  cudaMalloc(&dout, 1 << 20);
  Rng r{99};
  run_grids();
  run_weights(r);
  run_sums(r);
  run_ramps(r);
  run_borders_and_gathers();
  run_narrow_formats(r);
  return 0;
}
