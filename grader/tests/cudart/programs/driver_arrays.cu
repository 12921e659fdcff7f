// Arrays, textures, surfaces and linked PTX by the CUDA driver API.
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int kWidth = 8, kHeight = 4;

void check(const char* what, bool holds) {
  std::printf("%s: %s\n", what, holds ? "right" : "WRONG");
}

__global__ void read_texels(cudaTextureObject_t texture, float* out) {
  out[threadIdx.y * kWidth + threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

__global__ void double_texels(cudaSurfaceObject_t surface) {
  const int x = static_cast<int>(threadIdx.x * sizeof(float)), y = static_cast<int>(threadIdx.y);
  surf2Dwrite(2 * surf2Dread<float>(surface, x, y), surface, x, y);
}

const char* const kPtx =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry put(.param .u64 to) {\n"
    ".reg .u64 %a; .reg .u32 %v;\n"
    "ld.param.u64 %a, [to]; cvta.to.global.u64 %a, %a; mov.u32 %v, 42; st.global.u32 [%a], %v; ret; }\n";

bool copy(CUarray array, float* host, bool to_array) {
  CUDA_MEMCPY2D rows{};
  rows.srcMemoryType = to_array ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
  rows.dstMemoryType = to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
  (to_array ? rows.dstArray : rows.srcArray) = array;
  if (to_array) {
    rows.srcHost = host;
    rows.srcPitch = kWidth * sizeof(float);
  } else {
    rows.dstHost = host;
    rows.dstPitch = kWidth * sizeof(float);
  }
  rows.WidthInBytes = kWidth * sizeof(float);
  rows.Height = kHeight;
  return cuMemcpy2D(&rows) == CUDA_SUCCESS;
}

std::vector<float> values_of(const float* out, int count) {
  std::vector<float> values(count);
  cudaMemcpy(values.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost);
  return values;
}

}  // namespace

int main() {
  CUdevice device;
  CUcontext context;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  float* out;
  cudaMalloc(&out, kWidth * kHeight * sizeof(float));

  CUDA_ARRAY3D_DESCRIPTOR asked{}, told{};
  asked.Width = kWidth;
  asked.Height = kHeight;
  asked.Format = CU_AD_FORMAT_FLOAT;
  asked.NumChannels = 1;
  asked.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  CUarray array;
  check("an array", cuArray3DCreate(&array, &asked) == CUDA_SUCCESS);
  check("what an array is",
        cuArray3DGetDescriptor(&told, array) == CUDA_SUCCESS && std::memcmp(&asked, &told, sizeof asked) == 0);
  std::vector<float> texels(kWidth * kHeight), twice, read(kWidth * kHeight);
  for (int i = 0; i < kWidth * kHeight; ++i) {
    texels[i] = static_cast<float>(i);
    twice.push_back(2.0f * i);
  }
  check("into the array", copy(array, texels.data(), true));
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC reading{};
  CUtexObject texture;
  check("a texture", cuTexObjectCreate(&texture, &resource, &reading, nullptr) == CUDA_SUCCESS);
  read_texels<<<1, dim3(kWidth, kHeight)>>>(texture, out);
  check("texels", values_of(out, kWidth * kHeight) == texels);
  cuTexObjectDestroy(texture);
  CUsurfObject surface;
  check("a surface", cuSurfObjectCreate(&surface, &resource) == CUDA_SUCCESS);
  double_texels<<<1, dim3(kWidth, kHeight)>>>(surface);
  check("out of the array", copy(array, read.data(), false) && read == twice);
  cuSurfObjectDestroy(surface);
  check("the array goes", cuArrayDestroy(array) == CUDA_SUCCESS && cuArrayDestroy(array) == CUDA_ERROR_INVALID_HANDLE);

  unsigned char bytes[256] = {255, 51, 0, 102};
  CUdeviceptr linear;
  cuMemAlloc(&linear, sizeof bytes);
  cuMemcpyHtoD(linear, bytes, sizeof bytes);
  resource = {};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = linear;
  resource.res.pitch2D.format = CU_AD_FORMAT_UNSIGNED_INT8;
  resource.res.pitch2D.numChannels = 1;
  resource.res.pitch2D.width = 2;
  resource.res.pitch2D.height = 2;
  resource.res.pitch2D.pitchInBytes = 32;
  check("a texture of bytes", cuTexObjectCreate(&texture, &resource, &reading, nullptr) == CUDA_SUCCESS);
  read_texels<<<1, 2>>>(texture, out);
  check("bytes as parts of 1", values_of(out, 2) == std::vector<float>{1.0f, 0.2f});
  cuTexObjectDestroy(texture);
  cuMemFree(linear);

  CUDA_ARRAY_DESCRIPTOR flat{4, 0, CU_AD_FORMAT_HALF, 3};
  check("three channels", cuArrayCreate(&array, &flat) != CUDA_SUCCESS);

  CUlinkState link;
  char log[8] = "log";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  void* code = nullptr;
  size_t size = 0;
  check("a linker", cuLinkCreate(2, options, values, &link) == CUDA_SUCCESS && log[0] == 0 && values[1] == nullptr);
  check("nothing to link", cuLinkComplete(link, &code, &size) == CUDA_ERROR_INVALID_VALUE);
  check("linked PTX", cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(kPtx), std::strlen(kPtx) + 1, "put", 0,
                                    nullptr, nullptr) == CUDA_SUCCESS &&
                          cuLinkComplete(link, &code, &size) == CUDA_SUCCESS && size != 0);
  CUmodule module;
  CUfunction put;
  check("a module of it", cuModuleLoadData(&module, code) == CUDA_SUCCESS && cuLinkDestroy(link) == CUDA_SUCCESS &&
                              cuModuleGetFunction(&put, module, "put") == CUDA_SUCCESS);
  void* arguments[] = {&out};
  cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  unsigned answer = 0;
  cudaMemcpy(&answer, out, sizeof answer, cudaMemcpyDeviceToHost);
  check("its kernel", answer == 42);
  cuModuleUnload(module);
  cudaFree(out);
  cuDevicePrimaryCtxRelease(device);
}
