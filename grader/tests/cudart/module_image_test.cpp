// Finding PTX in registered device code, damaged and hostile containers included.
#include "vgpu/cudart/server/module_image.h"

#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "catch/catch.h"
#include "tree/tree_paths.h"
#include "vgpu/cudart/server/device_library.h"
#include "vgpu/ptx/module.h"

using namespace cudalabs::vgpu;

namespace {

constexpr std::uint32_t kMagic = 0xba55ed50;
constexpr std::uint64_t kLz4 = 0x2000, kZstd = 0x8000;
constexpr std::uint64_t kMayUnpack = 1u << 20;

std::string lz4_of(const std::string& text) {
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))), '\0');
  const int size =
      LZ4_compress_default(text.data(), packed.data(), static_cast<int>(text.size()), static_cast<int>(packed.size()));
  packed.resize(static_cast<std::size_t>(size));
  return packed;
}

std::string zstd_of(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

/// Builds a container as nvcc 13 lays it out.
class Container {
 public:
  Container() {
    put<std::uint32_t>(kMagic);
    put<std::uint16_t>(1);
    put<std::uint16_t>(16);
    put<std::uint64_t>(0);
  }
  /// `unpacked` and `packed`: the bytes that a compressed payload becomes and has, where the flags say that it is one.
  Container& entry(std::uint16_t kind, std::uint32_t architecture, std::string payload, std::uint64_t flags = 0x11,
                   std::uint64_t unpacked = 0, std::uint32_t packed = 0, std::string source = {}) {
    const auto name_bytes = static_cast<std::uint32_t>(source.size());
    source.resize((source.size() + 7) / 8 * 8);
    payload.resize((payload.size() + 8) / 8 * 8);
    put<std::uint16_t>(kind);
    put<std::uint16_t>(0x101);
    put<std::uint32_t>(64 + static_cast<std::uint32_t>(source.size()));
    put<std::uint64_t>(payload.size());
    put<std::uint32_t>(packed);
    put<std::uint32_t>(0);
    put<std::uint32_t>(0x90000);
    put<std::uint32_t>(architecture);
    put<std::uint32_t>(64);
    put<std::uint32_t>(name_bytes);
    put<std::uint64_t>(flags);
    put<std::uint64_t>(0);
    put<std::uint64_t>(unpacked);
    for (const char c : source) bytes_.push_back(static_cast<std::byte>(c));
    for (const char c : payload) bytes_.push_back(static_cast<std::byte>(c));
    const std::uint64_t size = bytes_.size() - 16;
    std::memcpy(bytes_.data() + 8, &size, sizeof size);
    return *this;
  }
  /// An entry with PTX that is compressed as the flag says.
  Container& packed(std::uint32_t architecture, const std::string& text, std::uint64_t flag) {
    const std::string payload = flag == kLz4 ? lz4_of(text) : zstd_of(text);
    return entry(1, architecture, payload, flag, text.size(), static_cast<std::uint32_t>(payload.size()));
  }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  template <class T>
  void put(T value) {
    const auto at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  std::vector<std::byte> bytes_;
};

std::vector<std::string> all_found(const std::vector<std::byte>& image) {
  std::uint64_t may_unpack = kMayUnpack;
  return find_ptx(image, 7, 5, may_unpack);
}

std::string found(const std::vector<std::byte>& image) {
  const std::vector<std::string> texts = all_found(image);
  REQUIRE(texts.size() == 1);
  return texts[0];
}

std::vector<std::byte> joined(std::vector<Container> containers) {
  std::vector<std::byte> image;
  for (Container& container : containers) image.insert(image.end(), container.bytes().begin(), container.bytes().end());
  return image;
}

/// The complaint about an image.
std::string complaint(const std::vector<std::byte>& image, cudaError_t status) {
  try {
    found(image);
  } catch (const ImageError& error) {
    CHECK(error.status() == status);
    return error.what();
  }
  return "none";
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("plain PTX is taken as it is") {
  CHECK(found(bytes_of(".version 7.0\n")) == ".version 7.0\n");
  CHECK(found(bytes_of(std::string(".version 7.0\n\0\0rest", 19))) == ".version 7.0\n");
  CHECK(complaint(bytes_of("\x7f"
                           "ELF"),
                  cudaErrorInvalidKernelImage)
            .find("neither PTX") != std::string::npos);
  CHECK(complaint({}, cudaErrorInvalidKernelImage).find("neither PTX") != std::string::npos);
}

TEST_CASE("of several entries the best for the device is taken") {
  Container container;
  container.entry(2, 75, "machine code").entry(1, 50, "ptx50").entry(1, 70, "ptx70").entry(1, 60, "ptx60");
  container.entry(1, 80, "ptx80");
  CHECK(found(container.bytes()) == "ptx70");
  container.packed(75, "ptx75", kZstd);
  CHECK(found(container.bytes()) == "ptx75");
}

TEST_CASE("containers without usable PTX say what to do") {
  const std::string machine_code =
      complaint(Container().entry(2, 75, "machine code").bytes(), cudaErrorNoKernelImageForDevice);
  CHECK(machine_code.find("code=compute_75") != std::string::npos);
  CHECK(machine_code.find("of a file") == std::string::npos);
  CHECK(complaint(Container().entry(1, 90, "ptx").bytes(), cudaErrorNoKernelImageForDevice).find("compute_90") !=
        std::string::npos);
  CHECK(complaint(Container().bytes(), cudaErrorNoKernelImageForDevice) == "the fat binary holds no PTX");
}

TEST_CASE("of files that are to be linked each gives its text, but for those without device code") {
  const auto image = joined({Container().entry(2, 75, "machine code").entry(1, 75, "first"), Container(),
                             Container().packed(70, "second", kZstd).entry(1, 80, "for another device"),
                             Container().packed(75, "third", kLz4)});
  CHECK(all_found(image) == std::vector<std::string>{"first", "second", "third"});
  CHECK(complaint(joined({Container(), Container()}), cudaErrorNoKernelImageForDevice) ==
        "the fat binary holds no PTX");
  auto followed = joined({Container().entry(1, 75, "ptx")});
  followed.resize(followed.size() + 16);
  CHECK(complaint(followed, cudaErrorInvalidKernelImage).find("damaged") != std::string::npos);
  CHECK(complaint(joined(std::vector<Container>(5000, Container().entry(1, 75, "ptx"))), cudaErrorMemoryAllocation)
            .find("4096 files") != std::string::npos);
}

TEST_CASE("a file without PTX is named, the library that kernels start kernels with is left out") {
  const Container with_ptx = Container().entry(1, 75, "ptx");
  const std::string code = std::string(
                               "\x7f"
                               "ELF\0",
                               5) +
                           "__nv_static_5__1_2_cuda_device_runtime_cu_3_f";
  const std::string packed = zstd_of(code);
  const Container library = Container().entry(2, 75, code).entry(1, 90, "");
  const Container packed_library =
      Container().entry(2, 75, packed, kZstd, code.size(), static_cast<std::uint32_t>(packed.size())).entry(1, 90, "");
  const Container file = Container().entry(2, 75, "machine code", 0x11, 0, 0, "a.cu");
  const Container unnamed = Container().entry(2, 75, "machine code");
  const Container newer = Container().entry(1, 90, "ptx", 0x11, 0, 0, "b.cu");
  CHECK(all_found(joined({library, with_ptx, packed_library})) == std::vector<std::string>{"ptx"});
  for (const auto& containers : {std::vector{file, with_ptx}, std::vector{library, with_ptx, file}}) {
    CHECK(complaint(joined(containers), cudaErrorNoKernelImageForDevice) ==
          "the fat binary of a.cu holds machine code only, and the virtual GPU runs PTX: compile each file with "
          "`nvcc -gencode arch=compute_75,code=compute_75`");
  }
  CHECK(
      complaint(joined({with_ptx, newer}), cudaErrorNoKernelImageForDevice).find("the PTX of b.cu is for compute_90") ==
      0);
  CHECK(complaint(joined({with_ptx, unnamed}), cudaErrorNoKernelImageForDevice)
            .find("the fat binary of a file holds machine code only") == 0);
  CHECK(complaint(joined({library, library}), cudaErrorNoKernelImageForDevice) == "the fat binary holds no PTX");
}

TEST_CASE("compressed PTX is unpacked") {
  std::string text = ".version 7.5\n";
  for (int i = 0; i < 1000; ++i) text += "add.s32 %r1, %r1, 1;\n";
  for (const std::uint64_t flag : {kLz4, kZstd}) {
    CAPTURE(flag);
    CHECK(found(Container().packed(70, text, flag).bytes()) == text);
    CHECK(found(Container().packed(70, text + '\0' + "padding", flag).bytes()) == text);
  }
}

TEST_CASE("fat binaries of nvcc with one kernel, compressed in each way, hold the same text") {
  const auto text_of = [](const std::string& name) {
    std::ifstream file(cudalabs::source_path("grader/tests/cudart/images/" + name + ".fatbin"), std::ios::binary);
    REQUIRE(file);
    return found(bytes_of(std::string(std::istreambuf_iterator<char>(file), {})));
  };
  const std::string plain = text_of("add.none");
  CHECK(plain.find(".entry _Z3addPii") != std::string::npos);
  CHECK(text_of("add.lz4") == plain);
  CHECK(text_of("add.zstd") == plain);
}

TEST_CASE("compressed PTX with the wrong size is refused") {
  const std::string text(2000, 'x');
  for (const std::uint64_t flag : {kLz4, kZstd}) {
    const std::string packed = flag == kLz4 ? lz4_of(text) : zstd_of(text);
    const auto size = static_cast<std::uint32_t>(packed.size());
    struct Row {
      std::uint64_t unpacked;
      std::uint32_t packed;
    };
    for (const Row& row :
         {Row{1999, size}, Row{2001, size}, Row{0, size}, Row{2000, size - 1}, Row{2000, 0}, Row{2000, 0xffff'ffff}}) {
      CAPTURE(flag, row.unpacked, row.packed);
      CHECK(complaint(Container().entry(1, 75, packed, flag, row.unpacked, row.packed).bytes(),
                      cudaErrorInvalidKernelImage)
                .find("damaged") != std::string::npos);
    }
  }
}

TEST_CASE("what compressed PTX becomes is bounded, over all images") {
  const std::string text(3 * kMayUnpack / 4, '\0');  // of which nothing is left, and which still counts
  for (const std::uint64_t flag : {kLz4, kZstd}) {
    const auto image = Container().packed(75, text, flag).bytes();
    std::uint64_t may_unpack = kMayUnpack;
    CHECK(find_ptx(image, 7, 5, may_unpack) == std::vector<std::string>{""});
    CHECK(may_unpack == kMayUnpack / 4);
    CHECK_THROWS_AS(find_ptx(image, 7, 5, may_unpack), ImageError);
    CHECK(may_unpack == kMayUnpack / 4);
  }
  // Sizes that nobody could allocate.
  for (const std::uint64_t bytes : {kMayUnpack + 1, ~std::uint64_t{0}}) {
    CHECK(complaint(Container().entry(1, 75, "packed", kZstd, bytes, 6).bytes(), cudaErrorMemoryAllocation)
              .find("are left for device code") != std::string::npos);
  }
}

TEST_CASE("a container cut anywhere, or with any byte changed, is refused or read, never worse") {
  Container container;
  container.entry(2, 75, "machine code").entry(1, 70, ".version 7.0").packed(71, ".version 7.1", kLz4);
  container.packed(72, ".version 7.2", kZstd);
  const auto whole = container.bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_THROWS_AS(found(cut), ImageError);
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned value : {0x00u, 0x01u, 0x7fu, 0x80u, 0xffu}) {
      auto changed = whole;
      changed[at] = static_cast<std::byte>(value);
      try {
        std::size_t size = 0;
        for (const std::string& text : all_found(changed)) size += text.size();
        if (size > kMayUnpack) FAIL("byte " << at << " set to " << value);
      } catch (const ImageError&) {
        continue;
      }
    }
  }
}

TEST_CASE("accesses to several elements at once") {
  CHECK(has_wide_accesses("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];"));
  CHECK(has_wide_accesses("st.shared.v2.u64 [%rd1], {%rd2, %rd3};"));
  CHECK(has_wide_accesses("ld.global.nc.b128 %rq1, [%rd1];"));
  CHECK_FALSE(has_wide_accesses("ld.global.f64 %fd1, [%rd1]; // v4"));
}

TEST_CASE("who compiled the PTX, and whether it was optimised") {
  const std::string nvcc = "//\n// Generated by NVIDIA NVVM Compiler\n//\n.version 9.0\n";
  CHECK(is_optimised_by_nvcc(nvcc + ".target sm_75\n.address_size 64\n// debug"));
  CHECK_FALSE(is_optimised_by_nvcc(nvcc + ".target sm_75, debug\n"));
  CHECK(is_optimised_by_nvcc(".version 9.0\n.target sm_75\n.address_size 64\n"));  // as it is packed into programs
  CHECK_FALSE(is_optimised_by_nvcc("// Generated by LLVM NVPTX Back-End\n.version 7.0\n.target sm_70\n"));
  CHECK_FALSE(is_optimised_by_nvcc(""));
}

TEST_CASE("the virtual architecture of the PTX") {
  CHECK(ptx_target("//\n.version 7.5\n.target sm_70") == 70);
  CHECK(ptx_target(".version 9.0\n.target sm_90a, debug\n") == 90);
  CHECK(ptx_target(".target sm_\n") == 0);
  CHECK(ptx_target(".target") == 0);
  CHECK(ptx_target("") == 0);
  CHECK(ptx_target(".target sm_99999999999999999999") == 0);
}

TEST_CASE("parts of the runtime in device code are linked with device code that asks for them") {
  const auto library = [](const std::string& text) { return device_library(std::span(&text, 1)); };
  CHECK_FALSE(library(".extern .func  (.param .b32 r) __cudaCDP2GetLastError();"));
  const auto texts = library(".extern .func  (.param .b64 r) __cudaCDP2GetErrorString (.param .b32 p);");
  REQUIRE(texts);
  CHECK_THAT(*texts, cudalabs::contains_text(".visible .func (.param .b64 text) __cudaCDP2GetErrorString("));
  CHECK_THAT(*texts, !cudalabs::contains_text("__cudaCDP2GetErrorName"));
  const auto condition = library(".extern .func cudaGraphSetConditional (.param .b64 p, .param .b32 q);");
  REQUIRE(condition);
  CHECK_NOTHROW(ptx::parse(*condition));
  CHECK_NOTHROW(ptx::parse(*texts));
}
