// Memory that the destructor of a copy has freed.
#include "explain/memory/copied_owner.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_copied_owner {
namespace {

const std::string kClass = R"(class Buffer {
 public:
  explicit Buffer(int count) { cudaMalloc(&data_, count); }
  ~Buffer() {
    cudaFree(data_);
  }
  float* data_;
};
)";

const std::string kCopied =
    kClass + "bool add(int n, Buffer x) {\n  return true;\n}\nvoid f() {\n  Buffer a(5);\n  add(5, a);\n}\n";

std::optional<CopiedOwner> owner_in(const std::string& rest) {
  return copied_owner(kClass + rest, "Buffer");
}

MergedFinding freed_before(std::string_view id, std::uint32_t line, std::uint32_t freed) {
  MergedFinding finding;
  finding.id = id;
  finding.where = {"k.cu", line, 0};
  finding.message = "`cudaMemcpy` reads memory that is free already";
  finding.note = "in all cases";
  finding.help = "as before";
  finding.other = OtherPlace{"it was freed here", {"k.cu", freed, 0}, {}, {}, PlaceRole::freeing};
  return finding;
}

MergedFinding shown(MergedFinding finding, const std::string& source = kCopied) {
  std::vector<MergedFinding> findings{std::move(finding)};
  show_copied_owners(findings, source, "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("an object that a function gets by value is a copy") {
  CHECK(copied_owner(kCopied, "Buffer") == CopiedOwner{{{"x"}, 9, 24}, "add"});
  const std::string f = "void f() {\n  Buffer a(5);\n";
  CHECK(owner_in("bool add(const Buffer x) {\n}\n" + f + "add(a);\n}\n"));
  CHECK(owner_in("__global__ void k(Buffer x) {\n}\n" + f + "k<<<1, 32>>>(a);\n}\n"));
  CHECK(owner_in("template <int N> void k(Buffer x) {\n}\n" + f + "k<4>(a);\n}\n"));
}

TEST_CASE("all parameters that are copies are named, since the finding may be about each of them") {
  std::string source = kClass + "bool add(Buffer x, const Buffer& y, Buffer z) {\n  return true;\n}\n";
  source += "void f() {\n  Buffer a(5), b(5), c(5);\n  add(a, b, c);\n}\n";
  CHECK(copied_owner(source, "Buffer") == CopiedOwner{{{"x", "z"}, 9, 17}, "add"});
  const MergedFinding made = shown(freed_before(finding_ids::kUseAfterFree, 14, 5), source);
  CHECK(made.message ==
        "`x` and `z` are copies of the caller's objects of type `Buffer`: their destructors free the memory when `add` "
        "ends");
  CHECK(made.help.starts_with("pass each of them by reference, `const Buffer&`; delete"));
}

TEST_CASE("an object that a lambda with a name gets by value is a copy") {
  const std::string f = "void f() {\n  Buffer a(5);\n  const auto add = [&](int n, ",
                    call = ") { g(x); };\n  add(5, a);\n}\n";
  CHECK(owner_in(f + "Buffer x" + call) == CopiedOwner{{{"x"}, 11, 38}, "add"});
  CHECK(owner_in(f + "auto x" + call) == CopiedOwner{{{"x"}, 11, 36}, "add", "auto"});
  CHECK(owner_in(f + "const auto x" + call));
  for (const char* kept : {"const auto& x", "auto&& x", "auto* x", "Buffer& x"}) CHECK_FALSE(owner_in(f + kept + call));
}

TEST_CASE("a parameter of any type is a copy where a call gives it such an object") {
  const std::string f = "void f() {\n  Buffer a(5);\n  int b = 5;\n  add(5, a);\n}\n";
  CHECK(owner_in("template <typename T> bool add(int n, T x) {\n}\n" + f) == CopiedOwner{{{"x"}, 9, 41}, "add", "T"});
  CHECK(owner_in("bool add(int n, auto x) {\n}\n" + f) == CopiedOwner{{{"x"}, 9, 22}, "add", "auto"});
  CHECK_FALSE(owner_in("template <typename T> bool add(int n, const T& x) {\n}\n" + f));
  CHECK_FALSE(owner_in("template <typename T> bool add(T n, int x) {\n}\n" + f));
  CHECK_FALSE(owner_in("bool add(auto n, int x) {\n}\n" + f));
  // Of what comes from somewhere else the type is not known.
  CHECK_FALSE(owner_in("bool add(int n, auto x) {\n}\nvoid f(int a) {\n  add(5, a);\n}\n"));
  const MergedFinding made =
      shown(freed_before(finding_ids::kUseAfterFree, 14, 5), kClass + "bool add(int n, auto x) {\n}\n" + f);
  CHECK(made.message == "`x` is a copy of the caller's `Buffer`: its destructor frees the memory when `add` ends");
  CHECK(made.help.starts_with("pass it by reference, `const auto&`; delete the copy constructor, `Buffer(const"));
}

TEST_CASE("an object that a lambda captures by value is a copy") {
  const auto owner = owner_in("void f() {\n  Buffer a(5);\n  const auto run = [a, n] { use(a); };\n}\n");
  CHECK(owner == CopiedOwner{{{"a"}, 11, 21}, ""});
  CHECK(owner_in("auto f() {\n  Buffer<float> a{5};\n  return [a](int i) { use(a); };\n}\n"));
  CHECK_FALSE(owner_in("void f() {\n  Buffer a(5);\n  const auto run = [&a] { use(a); };\n}\n"));
  CHECK_FALSE(owner_in("void f() {\n  Buffer a(5);\n  const auto run = [&] { use(a); };\n}\n"));
  CHECK_FALSE(owner_in("void f() {\n  Buffer a(5);\n  table[a](5);\n}\n"));
  CHECK_FALSE(owner_in("void f(int a) {\n  const auto run = [a] { use(a); };\n}\n"));
}

TEST_CASE("a reference, a pointer, and what nobody else keeps, is no copy") {
  const std::string f = "void f() {\n  Buffer a(5);\n  ";
  CHECK_FALSE(owner_in("bool add(const Buffer& x) {\n}\n" + f + "add(a);\n}\n"));
  CHECK_FALSE(owner_in("bool add(Buffer* x) {\n}\n" + f + "add(&a);\n}\n"));
  CHECK_FALSE(owner_in("bool add(Buffer&& x) {\n}\n" + f + "add(std::move(a));\n}\n"));
  CHECK_FALSE(owner_in("bool add(Buffer x) {\n}\n" + f + "add(Buffer(5));\n}\n"));
  CHECK_FALSE(owner_in("bool add(Buffer x) {\n}\n" + f + "sub(a);\n}\n"));
  CHECK_FALSE(owner_in("bool add(Buffer);\nbool add(Buffer x) {\n}\n" + f + "work(5);\n}\n"));
  CHECK_FALSE(owner_in("bool add(Buffer::Size x) {\n}\n" + f + "add(a);\n}\n"));
}

TEST_CASE("a type that says how it is copied is another matter") {
  for (const char* own : {"Buffer(const Buffer&) = delete;", "Buffer(const Buffer& other);",
                          "Buffer(Buffer const & o) {}", "Buffer(Buffer&& other);"}) {
    CAPTURE(own);
    std::string source = kCopied;
    CHECK_FALSE(copied_owner(source.insert(source.find("  float* data_"), own), "Buffer"));
  }
  std::string source = kCopied;
  CHECK(copied_owner(source.insert(source.find("  float* data_"), "Buffer& operator=(const Buffer&) = delete;"),
                     "Buffer"));
}

TEST_CASE("what a destructor has freed is placed at the copy") {
  const MergedFinding made = shown(freed_before(finding_ids::kUseAfterFree, 14, 5));
  CHECK(made.message == "`x` is a copy of the caller's `Buffer`: its destructor frees the memory when `add` ends");
  CHECK(made.where == SourcePlace{"k.cu", 9, 24});
  REQUIRE(made.other);
  CHECK(made.other->place.line == 14);
  CHECK(made.other->label == "the memory is used here after that");
  CHECK(made.note ==
        "`~Buffer` frees it in line 5\nline 14: `cudaMemcpy` reads memory that is free already\nin all cases");
  CHECK(made.help ==
        "pass it by reference, `const Buffer&`; delete the copy constructor, `Buffer(const Buffer&) = delete`, and the "
        "compiler finds such copies");
  const MergedFinding twice = shown(freed_before(finding_ids::kInvalidFree, 5, 5));
  CHECK(twice.where.line == 9);
  CHECK(twice.other->place.line == 5);
  CHECK(twice.other->label == "the destructor frees the memory here");
  CHECK(shown(freed_before(finding_ids::kRuntimeError, 14, 5)).where.line == 9);
  const MergedFinding lambda = shown(freed_before(finding_ids::kUseAfterFree, 14, 5),
                                     kClass + "void f() {\n  Buffer a(5);\n  const auto run = [a] { use(a); };\n}\n");
  CHECK(lambda.message == "this lambda copies `a`, a `Buffer`: its destructor frees the memory when the copy ends");
  CHECK(lambda.help.starts_with("capture it by reference, `[&a]`; "));
}

TEST_CASE("what no destructor has freed stays as it is") {
  const MergedFinding elsewhere = freed_before(finding_ids::kUseAfterFree, 14, 13);
  CHECK(shown(elsewhere) == elsewhere);
  const MergedFinding overrun = freed_before(finding_ids::kGlobalOutOfBounds, 14, 5);
  CHECK(shown(overrun) == overrun);
  MergedFinding allocated = freed_before(finding_ids::kRuntimeError, 14, 5);
  allocated.other->role = PlaceRole::allocation;
  CHECK(shown(allocated) == allocated);
  MergedFinding alone = freed_before(finding_ids::kInvalidFree, 5, 5);
  alone.other.reset();
  CHECK(shown(alone) == alone);
}

TEST_CASE("an event that the destructor of a copy has destroyed is its copy's, too") {
  const std::string source =
      "struct Marks {\n  ~Marks() {\n    cudaEventDestroy(from);\n    cudaEventDestroy(to);\n  }\n};\n"
      "float span(Marks marks) {\n  return 1;\n}\nvoid f() {\n  Marks m;\n  span(m);\n}\n";
  MergedFinding finding = freed_before(finding_ids::kRuntimeError, 3, 4);
  finding.message = "`cudaEventDestroy` failed: cudaErrorInvalidResourceHandle (invalid resource handle)";
  finding.failed_call = "cudaEventDestroy";
  finding.other->label = "an event is destroyed here, before this call";
  finding.other->role = PlaceRole::destroying;
  const MergedFinding copied = shown(finding, source);
  CHECK(copied.where.line == 7);
  CHECK(copied.message ==
        "`marks` is a copy of the caller's `Marks`: its destructor destroys the event when `span` ends");
  REQUIRE(copied.other);
  CHECK(copied.other->place.line == 3);
  finding.other->role = PlaceRole::unsaid;
  CHECK(shown(finding, source).where.line == 3);
}

}  // namespace cudalabs::test::of_copied_owner
