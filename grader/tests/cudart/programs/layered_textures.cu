// Textures and surfaces of layers in one and two dimensions, and of the faces of cubes.
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

#include "check.h"

namespace {

constexpr int kWidth = 4, kLayers = 12;  // the layers are two cubes, too

// Each texel of a square is the number of its layer, row and column: 100 * layer + 10 * y + x.
float texel(int layer, int y, int x) {
  return static_cast<float>(100 * layer + 10 * y + x);
}

__global__ void read_squares(cudaTextureObject_t texture, float* out) {
  const int layer = static_cast<int>(threadIdx.x);
  out[layer] = tex2DLayered<float>(texture, 1.5f, 2.75f, layer);
}

__global__ void read_rows(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1DLayered<float>(texture, 3.0f, static_cast<int>(threadIdx.x));
}

// From the middle of the cube to each face, and there to the texel of row 1 and column 2; then the same in the second
// cube, whose faces come behind those of the first.
__global__ void read_cubes(cudaTextureObject_t one, cudaTextureObject_t two, float* out) {
  const float column = 0.25f, row = -0.25f;  // of -1 to 1
  const float x[6] = {2, -2, 2 * column, 2 * column, 2 * column, -2 * column};
  const float y[6] = {-2 * row, -2 * row, 2, -2, -2 * row, -2 * row};
  const float z[6] = {-2 * column, 2 * column, 2 * row, -2 * row, 2, -2};
  const int face = static_cast<int>(threadIdx.x);
  out[face] = texCubemap<float>(one, x[face], y[face], z[face]);
  out[6 + face] = texCubemapLayered<float>(two, x[face], y[face], z[face], 1);
}

#if defined(__NVCC__)
__global__ void add_to_layers(cudaSurfaceObject_t surface) {
  const int x = static_cast<int>(threadIdx.x) * 4, y = static_cast<int>(threadIdx.y),
            layer = static_cast<int>(blockIdx.x);
  float value;
  surf2DLayeredread(&value, surface, x, y, layer);
  surf2DLayeredwrite(value + 1.0f, surface, x, y, layer);
  surf2DLayeredwrite(-1.0f, surface, x, y, kLayers, cudaBoundaryModeZero);  // there is no such layer
}
#endif

struct Layers {
  cudaArray_t array = nullptr;
  cudaResourceDesc resource = {};

  Layers(int height, int count, unsigned int flags, const std::vector<float>& texels) {
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    CHECK(cudaMalloc3DArray(&array, &floats,
                            make_cudaExtent(kWidth, static_cast<size_t>(height), static_cast<size_t>(count)), flags));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(texels.data()), kWidth * 4, kWidth,
                                      height == 0 ? 1 : static_cast<size_t>(height));
    copy.dstArray = array;
    copy.extent = make_cudaExtent(kWidth, height == 0 ? 1 : static_cast<size_t>(height), static_cast<size_t>(count));
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
  }
  Layers(const Layers&) = delete;
  Layers& operator=(const Layers&) = delete;
  ~Layers() { CHECK(cudaFreeArray(array)); }

  cudaTextureObject_t texture(bool normalized) const {
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = description.addressMode[2] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.normalizedCoords = normalized ? 1 : 0;
    cudaTextureObject_t made = 0;
    CHECK(cudaCreateTextureObject(&made, &resource, &description, nullptr));
    return made;
  }
};

void compare(const char* what, const float* out, const std::vector<float>& expected) {
  std::vector<float> read(expected.size());
  CHECK(cudaMemcpy(read.data(), out, read.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < read.size(); ++i)
    if (std::fabs(read[i] - expected[i]) > 1e-3f) std::printf("%s %d: %g\n", what, static_cast<int>(i), read[i]);
}

}  // namespace

int main() {
  std::vector<float> texels, expected;
  for (int layer = 0; layer < kLayers; ++layer)
    for (int y = 0; y < kWidth; ++y)
      for (int x = 0; x < kWidth; ++x) texels.push_back(texel(layer, y, x));
  float* out = nullptr;
  CHECK(cudaMalloc(&out, 64 * sizeof(float)));
  {
    const Layers squares(kWidth, kLayers, cudaArrayLayered | cudaArraySurfaceLoadStore, texels);
    const cudaTextureObject_t texture = squares.texture(false);
    read_squares<<<1, kLayers + 2>>>(texture, out);  // beyond the last layer is the last one
    for (int layer = 0; layer < kLayers + 2; ++layer)
      expected.push_back(texel(layer < kLayers ? layer : kLayers - 1, 2, 1) + 2.5f);
    compare("square", out, expected);
    CHECK(cudaDestroyTextureObject(texture));
#if defined(__NVCC__)
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &squares.resource));
    add_to_layers<<<kLayers, dim3(kWidth, kWidth)>>>(surface);
    CHECK(cudaDestroySurfaceObject(surface));
    const cudaTextureObject_t again = squares.texture(false);
    read_squares<<<1, kLayers>>>(again, out);
    expected.resize(kLayers);
    for (float& value : expected) value += 1;
    compare("written square", out, expected);
    CHECK(cudaDestroyTextureObject(again));
#endif
  }
  {
    const Layers rows(0, 3, cudaArrayLayered, texels);
    const cudaTextureObject_t texture = rows.texture(false);
    read_rows<<<1, 3>>>(texture, out);
    compare("row", out, {2.5f, 12.5f, 22.5f});
    CHECK(cudaDestroyTextureObject(texture));
  }
  {
    const Layers one(kWidth, 6, cudaArrayCubemap, texels), two(kWidth, 12, cudaArrayCubemap | cudaArrayLayered, texels);
    const cudaTextureObject_t first = one.texture(true), second = two.texture(true);
    read_cubes<<<1, 6>>>(first, second, out);
    expected.clear();
    for (int face = 0; face < kLayers; ++face) expected.push_back(texel(face, 1, 2));
    compare("face", out, expected);
    CHECK(cudaDestroyTextureObject(first));
    CHECK(cudaDestroyTextureObject(second));
  }
  CHECK(cudaFree(out));
  std::printf("right\n");
}
