// Finding PTX in registered device code, damaged and hostile containers included.
#include "vgpu/cudart/server/module_image.h"

#include <cstring>
#include <vector>

#include "catch/catch.h"

using namespace cudalabs::vgpu;

namespace {

constexpr std::uint32_t kMagic = 0xba55ed50;
constexpr std::uint64_t kZstd = 0x8000;

/// Builds a container as nvcc 13 lays it out.
class Container {
 public:
  Container() {
    put<std::uint32_t>(kMagic);
    put<std::uint16_t>(1);
    put<std::uint16_t>(16);
    put<std::uint64_t>(0);
  }
  Container& entry(std::uint16_t kind, std::uint32_t architecture, std::string payload, std::uint64_t flags = 0x11) {
    payload.resize((payload.size() + 8) / 8 * 8);
    put<std::uint16_t>(kind);
    put<std::uint16_t>(0x101);
    put<std::uint32_t>(64);
    put<std::uint64_t>(payload.size());
    put<std::uint32_t>(0);
    put<std::uint32_t>(0);
    put<std::uint32_t>(0x90000);
    put<std::uint32_t>(architecture);
    put<std::uint64_t>(0);
    put<std::uint64_t>(flags);
    put<std::uint64_t>(0);
    put<std::uint64_t>(0);
    for (const char c : payload) bytes_.push_back(static_cast<std::byte>(c));
    const std::uint64_t size = bytes_.size() - 16;
    std::memcpy(bytes_.data() + 8, &size, sizeof size);
    return *this;
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

std::string found(const std::vector<std::byte>& image) {
  return std::string(find_ptx(image, 7, 5));
}

/// The complaint about an image.
std::string complaint(const std::vector<std::byte>& image, cudaError_t status) {
  try {
    find_ptx(image, 7, 5);
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
  container.entry(1, 80, "ptx80").entry(1, 75, "squeezed", kZstd);
  CHECK(found(container.bytes()) == "ptx70");
}

TEST_CASE("containers without usable PTX say what to do") {
  CHECK(complaint(Container().entry(1, 75, "squeezed", kZstd).bytes(), cudaErrorNoKernelImageForDevice)
            .find("--no-compress") != std::string::npos);
  CHECK(complaint(Container().entry(1, 75, "squeezed", 0x2000).bytes(), cudaErrorNoKernelImageForDevice)
            .find("--no-compress") != std::string::npos);
  CHECK(complaint(Container().entry(2, 75, "machine code").bytes(), cudaErrorNoKernelImageForDevice)
            .find("code=compute_75") != std::string::npos);
  CHECK(complaint(Container().entry(1, 90, "ptx").bytes(), cudaErrorNoKernelImageForDevice).find("compute_90") !=
        std::string::npos);
  CHECK(complaint(Container().bytes(), cudaErrorNoKernelImageForDevice) == "the fat binary holds no PTX");
}

TEST_CASE("a container cut anywhere, or with any byte changed, is refused or read, never worse") {
  Container container;
  container.entry(2, 75, "machine code").entry(1, 70, ".version 7.0");
  const auto whole = container.bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_THROWS_AS(find_ptx(cut, 7, 5), ImageError);
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned value : {0x00u, 0x01u, 0x7fu, 0x80u, 0xffu}) {
      auto changed = whole;
      changed[at] = static_cast<std::byte>(value);
      try {
        const std::string_view ptx = find_ptx(changed, 7, 5);
        const auto* begin = reinterpret_cast<const char*>(changed.data());
        const bool inside = ptx.data() >= begin && ptx.data() + ptx.size() <= begin + changed.size();
        if (!inside) FAIL("byte " << at << " set to " << value);
      } catch (const ImageError&) {
        continue;
      }
    }
  }
}

TEST_CASE("the version of the PTX language") {
  CHECK(ptx_isa_version("//\n.version 7.5\n.target sm_70") == 75);
  CHECK(ptx_isa_version(".version\t9.0") == 90);
  CHECK(ptx_isa_version(".version") == 0);
  CHECK(ptx_isa_version("") == 0);
  CHECK(ptx_isa_version(".version 99999999999999999999.5") < 200'000);
}
