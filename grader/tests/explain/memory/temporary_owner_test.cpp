// Pointers to the memory of objects that end with their statement.
#include "explain/memory/temporary_owner.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_temporary_owner {
namespace {

const std::string kClass =
    "template <typename T>\n"
    "class Buffer {\n"
    " public:\n"
    "  explicit Buffer(int count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }\n"
    "  ~Buffer() { cudaFree(data_); }\n"
    "  Buffer(const Buffer&) = delete;\n"
    "  T* get() const { return data_; }\n"
    "  int size() const { return count_; }\n"
    " private:\n"
    "  T* data_ = nullptr;\n"
    "  int count_ = 0;\n"
    "};\n"
    "void sum(const float* in, int n) {\n";

std::optional<TemporaryOwner> owner_of(const std::string& statement, const std::string& of_class = kClass) {
  return temporary_owner(of_class + "  " + statement + "\n  k<<<1, 256>>>(d_in, n);\n}\n", "Buffer");
}

TEST_CASE("a pointer to the memory of an object without a name is found", "[explain]") {
  const auto owner = owner_of("float* d_in = Buffer<float>(n + 1).get();");
  REQUIRE(owner);
  CHECK(owner->pointer == Setting{{"d_in"}, 14, 17});
  CHECK(owner->type == "Buffer<float>");
  CHECK(owner->arguments == "n + 1");
  CHECK(owner->taken == ".get()");
  CHECK(owner_of("auto d_in = Buffer<float>{n}.get();"));
  CHECK(owner_of("d_in = lab::Buffer<float>(n).get();"));
  CHECK(owner_of("float *d_in = Buffer<float>(n).get(), *d_out = nullptr;"));
  CHECK(owner_of("float* d_in = Buffer<float>(n).data_;"));
  const std::string converts = replaced(kClass, "T* get()", "operator T*()");
  CHECK(owner_of("float* d_in = Buffer<float>(n);", converts));
}

TEST_CASE("an object that lives on, or whose memory is not taken, is none", "[explain]") {
  CHECK_FALSE(owner_of("Buffer<float> in(n); float* d_in = in.get();"));
  CHECK_FALSE(owner_of("Buffer<float> in = Buffer<float>(n); float* d_in = in.get();"));
  CHECK_FALSE(owner_of("auto in = Buffer<float>(n);"));
  CHECK_FALSE(owner_of("const auto& in = Buffer<float>(n);"));
  CHECK_FALSE(owner_of("auto* in = new Buffer<float>(n);"));
  CHECK_FALSE(owner_of("int count = Buffer<float>(n).size();"));
  CHECK_FALSE(owner_of("bool same = Buffer<float>(n).get() == in;"));
  // It lives until the launch is made, and its destructor waits for the kernel.
  CHECK_FALSE(owner_of("k<<<1, 256>>>(Buffer<float>(n).get(), n);"));
  // Nothing says that it is given away as a pointer.
  CHECK_FALSE(owner_of("float* d_in = Buffer<float>(n);"));
  CHECK_FALSE(owner_of("float* d_in = Buffer<float>(n).get();", replaced(kClass, "return data_", "return copy()")));
  CHECK_FALSE(owner_of("float* d_in = Buffer<float>(n).get();", replaced(kClass, "cudaFree(data_)", "count_ = 0")));
}

TEST_CASE("objects of a long text are not read", "[explain]") {
  std::string nested = kClass;
  for (int i = 0; i < 100'000; ++i) nested += "a=Buffer(";
  CHECK_FALSE(temporary_owner(nested, "Buffer"));
}

TEST_CASE("a use of the memory is placed where the object ends", "[explain]") {
  const std::string source = kClass + "  float* d_in = Buffer<float>(n).get();\n  cudaMemcpy(d_in, in, n, kind);\n}\n";
  MergedFinding finding;
  finding.id = finding_ids::kUseAfterFree;
  finding.where = {"k.cu", 15, 3};
  finding.message = "use of memory that was freed";
  finding.note = "in all cases";
  finding.other = OtherPlace{"it was freed here", {"k.cu", 5, 15}, {}, {}, PlaceRole::freeing};
  std::vector<MergedFinding> findings{finding, finding};
  findings[1].other->place.line = 4;
  show_temporary_owners(findings, source, "k.cu");
  CHECK(findings[0].where == SourcePlace{"k.cu", 14, 17});
  CHECK(findings[0].message ==
        "the temporary `Buffer<float>(n)` is destroyed at the end of this statement and frees its memory: `d_in` is "
        "the address of freed memory");
  CHECK(findings[0].help ==
        "give the object a name, so that it lives to the end of the block: `Buffer<float> owner_of_d_in(n);`, and then "
        "let `d_in` be `owner_of_d_in.get()`");
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->place.line == 15);
  CHECK(findings[1].where.line == 15);
}

}  // namespace
}  // namespace cudalabs::test::of_temporary_owner
