// What is shown beside a finding, and what it takes the place of.
#include "explain/places/beside_place.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

MergedFinding race_in(std::string_view id, std::uint32_t line, std::uint32_t other_line) {
  MergedFinding made{finding(std::string(id), line), {}};
  made.where.file = "k.cu";
  made.block = made.thread = Index3{1, 0, 0};
  made.message = "this write races with a read";
  made.other = OtherPlace{"the other thread's read is here", {"k.cu", other_line, 3}, Index3{}, Index3{}};
  return made;
}

}  // namespace

TEST_CASE("a launch that gives one array twice is to blame for the race") {
  const std::string source =
      "template <class T>\n"
      "__global__ void sums(const T* in, T* out, int n) {\n"
      "  T x = in[threadIdx.x];\n"
      "  out[blockIdx.x] = x;\n"
      "}\n"
      "void f() { sums<<<9, 9>>>(work, work, 9); }\n";
  MergedFinding made = race_in(finding_ids::kGlobalRace, 4, 3);
  made.kernel = "sums<float>";
  made.note =
      "4 bytes in conflict\nthis launch gives the same array to the kernel twice, as arguments 1 and 2\nin case a";
  made.launch = {3, {"k.cu", 6, 12}, 2, 1};
  MergedFinding unknown = made;
  show_cause_beside(made, source);
  CHECK(made.where == SourcePlace{"k.cu", 6, 12});
  CHECK(made.message == "`in` and `out` of `sums` are the same array in this launch, and its threads race for it");
  CHECK(made.note == "the other thread's read is in line 3\n4 bytes in conflict\nin case a");
  CHECK(made.other->label == "this write races with a read");
  CHECK(made.other->place.line == 4);
  CHECK(made.other->thread == Index3{1, 0, 0});
  CHECK_FALSE(made.thread);
  show_cause_beside(unknown, "");
  CHECK(unknown.message.starts_with("argument 1 and argument 2 of `sums`"));
  // Where nobody knows the launch, or two arrays were given, the access is told.
  MergedFinding nowhere = race_in(finding_ids::kGlobalRace, 4, 3), two = nowhere;
  nowhere.launch = {3, {}, 2, 1};
  two.launch = {3, {"k.cu", 6, 12}, 0, 0};
  for (MergedFinding* one : {&nowhere, &two}) {
    show_cause_beside(*one, source);
    CHECK(one->where.line == 4);
    CHECK(one->other->place.line == 3);
  }
}

TEST_CASE("a barrier of a warp takes the place of the other access") {
  MergedFinding made = race_in(finding_ids::kSharedRace, 9, 5);
  made.note = "4 bytes";
  show_cause_beside(made, "");
  CHECK(made.other->place.line == 5);
  made.cause = OtherPlace{"this barrier waits for threads of one warp only", {"k.cu", 7, 1}, {}, {}};
  show_cause_beside(made, "");
  CHECK(made.other->place.line == 7);
  CHECK(made.note == "the other thread's read is in line 5\n4 bytes");
}

TEST_CASE("the line that computes the size of shared memory is shown for the launch") {
  const std::string source =
      "void f() {\n"
      "  int threads = 64, bytes = 4 * threads;\n"
      "  k<<<2, threads, bytes>>>();\n"
      "  k<<<2, threads, 4 * 64>>>();\n"
      "  k<<<2, threads>>>();\n"
      "}\n";
  const auto shown = [&](std::uint32_t launch) {
    MergedFinding made = race_in(finding_ids::kSharedOutOfBounds, 20, launch);
    made.other->label = "this launch asks for 256 bytes, the kernel goes on to byte 512";
    made.other->role = PlaceRole::launch;
    show_cause_beside(made, source);
    return std::pair(made.other->place.line, made.other->label);
  };
  CHECK(shown(3) == std::pair(2u, std::string("`bytes` is set here: 256 bytes, the kernel goes on to byte 512")));
  CHECK(shown(4).first == 4);
  CHECK(shown(5).first == 5);
}

TEST_CASE("a wait for nothing stands beside the race of two streams") {
  MergedFinding made = race_in(finding_ids::kStreamRace, 30, 28);
  made.cause = OtherPlace{"this waits for nothing", {"k.cu", 29, 0}, {}, {}};
  made.note = "the two are in different streams";
  show_cause_beside(made, "");
  CHECK(made.other->place.line == 29);
  CHECK(made.note.ends_with(" in line 28\nthe two are in different streams"));
}

TEST_CASE("of memory that a destructor freed the copy is shown, or where the object ended") {
  const std::string source =
      "struct Buffer {\n"
      "  ~Buffer() {\n"
      "    cudaFree(data);\n"
      "  }\n"
      "};\n"
      "bool upload(const Buffer to, const float* from) {\n"
      "  return copy(to, from);\n"
      "}\n"
      "bool look(const Buffer& at, Buffer::Size n) {\n"
      "  return true;\n"
      "}\n"
      "void f() {\n"
      "  Buffer x;\n"
      "  if (!upload(x, a)) return;\n"
      "  look(x);\n"
      "  cudaFree(a);\n"
      "}\n";
  const auto told_of = [](std::string_view text, std::uint32_t freed, std::uint32_t called) {
    MergedFinding made = race_in(finding_ids::kUseAfterFree, 30, freed);
    made.cause = OtherPlace{"the call that freed it", {"k.cu", called, 0}, {}, {}};
    show_cause_beside(made, text);
    return made;
  };
  const auto told = [&](std::uint32_t freed, std::uint32_t called) { return told_of(source, freed, called); };
  const auto with_parameter = [&](const std::string& parameter) {
    std::string text = source;
    return told_of(text.replace(text.find("const Buffer to"), std::string_view("const Buffer to").size(), parameter), 3,
                   14);
  };
  CHECK(with_parameter("Buffer<T> to").other->label.starts_with("`to` is a `Buffer` of its own"));
  CHECK(with_parameter("const Buffer<pair<T, 4>> to").other->place.line == 6);
  for (const char* other : {"const Buffer<T>& to", "Buffer<T*>* to", "vector<Buffer> to", "Buffer<T>::Size to"})
    CHECK(with_parameter(other).other->place.line == 3);
  const MergedFinding copy = told(3, 14);
  CHECK(copy.other->place == SourcePlace{"k.cu", 6, 6});
  CHECK(copy.other->label == "`to` is a `Buffer` of its own: at its end `~Buffer` frees the memory");
  CHECK(copy.help.find("const Buffer&") != std::string::npos);
  CHECK(copy.note.starts_with("`~Buffer` freed it in line 3, after the call of `upload` in line 14\n"));
  const MergedFinding ended = told(3, 17);
  CHECK(ended.other->place.line == 17);
  CHECK(ended.other->label == "an object of the type `Buffer` ends here");
  CHECK(ended.help.ends_with("; if it is a copy that ends here, do not copy it: pass it by reference"));
  // No copy can be made.
  const auto with_member = [&](const std::string& member) { return told_of(source + member, 3, 17).help; };
  CHECK(with_member("struct Buffer { Buffer(const Buffer&) = delete; };\n") ==
        "let the `Buffer` that owns the memory live until the last use");
  CHECK(with_member("struct Buffer { Buffer(Buffer&&) = delete; Buffer(int) = delete; };\n") == ended.help);
  CHECK(told(16, 14).other->place.line == 16);  // no destructor
  // No object ends in such lines.
  CHECK(told(3, 15).other->place.line == 3);  // what it calls gets a reference
  CHECK(told(3, 4).other->place.line == 3);
}

TEST_CASE("of a message that says `no error` the second question is shown") {
  const auto told = [](const std::string& body) {
    MergedFinding made;
    made.id = finding_ids::kUncheckedLaunch;
    made.where = {"k.cu", 3, 7};
    made.other = OtherPlace{"the launch that failed", {"k.cu", 2, 3}, {}, {}};
    made.cause = OtherPlace{"this call returned the error, and cleared it", {"k.cu", 3, 7}, {}, {}};
    show_cause_beside(made,
                      "void f() {\n  k<<<1, 1>>>();\n  if (cudaGetLastError() != cudaSuccess) {\n" + body + "}\n");
    return made;
  };
  const MergedFinding second = told("    puts(name);\n    puts(cudaGetErrorString(cudaGetLastError()));\n  }\n");
  CHECK(second.where == SourcePlace{"k.cu", 5, 29});
  CHECK(second.other->place.line == 3);
  CHECK(second.note == "the launch that failed in line 2\n");
  // None, one that belongs to another launch, one in another function.
  for (const std::string body : {"    puts(\"no error\");\n  }\n", "  }\n  k<<<1, 1>>>();\n  e = cudaGetLastError();\n",
                                 "  }\n}\nvoid g() {\n  cudaGetLastError();\n"}) {
    CHECK(told(body).where.line == 3);
    CHECK(told(body).other->place.line == 2);
  }
}

TEST_CASE("an array that begins inside another one is to blame for the race of two stores") {
  const std::string source =
      "  float* sa = smem;\n"
      "  float* sb = smem + w;\n"
      "  sa[t] = a[i];\n"
      "  sb[t] = b[i];\n"
      "  x = sa[t];\n";
  MergedFinding made = race_in(finding_ids::kSharedRace, 4, 3), read = race_in(finding_ids::kSharedRace, 4, 5);
  made.other->label = "the other thread's write is here";
  show_cause_beside(made, source);
  CHECK(made.where.line == 2);
  CHECK(made.message == "`sb` begins inside `sa`: they have elements in common, and threads race for them");
  CHECK(made.other->place.line == 4);
  CHECK(made.other->thread == Index3{1, 0, 0});
  CHECK_FALSE(made.thread);
  CHECK(made.note.starts_with("the other thread's write is in line 3\n"));
  CHECK(made.help.starts_with("let `sb` begin after the last element of `sa`"));
  show_cause_beside(read, source);
  CHECK(read.where.line == 4);
}
