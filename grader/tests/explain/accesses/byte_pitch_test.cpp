// A pitch in bytes that is added to a pointer to elements.
#include "explain/accesses/byte_pitch.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_byte_pitch {
namespace {

const std::string kProgram =
    "__global__ void k(const float* b, std::size_t b_pitch, float* c, int n) {\n"
    "  for (int i = 0; i < n; ++i) {\n"
    "    const float* row = b + i * b_pitch;\n"
    "    c[i] = row[0];\n"
    "  }\n"
    "}\n"
    "void f(int n) {\n"
    "  cudaMallocPitch(&d_b, &pitch, n, n);\n"
    "  k<<<1, 32>>>(d_b, pitch, d_c, n);\n"
    "}\n";

/// The line of the pitch; 0: there is none.
std::uint32_t line_with(const std::string& old, const std::string& now) {
  const auto found = pitch_as_elements(replaced(kProgram, old, now), "k", 4);
  return found ? found->line : 0;
}

}  // namespace

TEST_CASE("a pitch that is added to a pointer to elements is found") {
  CHECK(pitch_as_elements(kProgram, "k", 4) == Setting{{"b_pitch"}, 3, 32});
  CHECK(line_with("row = b + i * b_pitch", "row = &b[b_pitch * i]") == 3);
  CHECK(line_with("c[i] = row[0]", "c[i] = b[i * b_pitch + 1]") == 3);
  CHECK(line_with("row = b + i * b_pitch", "row = (const float*)p.ptr + i * p.pitch") == 3);
  CHECK(line_with("row = b + i * b_pitch", "row = static_cast<float*>(p.ptr); c[0] = row[i * p.pitch]") == 3);
  const std::string other_name =
      replaced(replaced(kProgram, "size_t b_pitch", "size_t step"), "i * b_pitch", "i * step");
  CHECK(pitch_as_elements(other_name, "k", 4)->names.front() == "step");
  CHECK_FALSE(pitch_as_elements(replaced(other_name, "(d_b, pitch,", "(d_b, n,"), "k", 4));
}

TEST_CASE("a pitch that is added to bytes, or divided, is right") {
  CHECK(line_with("row = b + i * b_pitch", "row = (const float*)((const char*)b + i * b_pitch)") == 0);
  CHECK(line_with("const float* b,", "const char* b,") == 0);
  CHECK(line_with("i * b_pitch", "i * (b_pitch / sizeof(float))") == 0);
  CHECK(line_with("(d_b, pitch,", "(d_b, pitch / 4,") == 0);
  CHECK(line_with("(d_b, pitch,", "(d_b, pitch >> 2,") == 0);
  CHECK(line_with("i * b_pitch", "i * n") == 0);
}

TEST_CASE("a pitch in a function that is called, added to a member, is found") {
  const auto line_of = [](const std::string& member, const std::string& row, const std::string& more = "") {
    const std::string source = "struct Table {\n  " + member + ";\n  std::size_t pitch;\n};\n" +
                               "__device__ float* row_of(const Table& t, int row) {\n  return " + row + ";\n}\n" +
                               "__global__ void k(Table a, int n) {\n  row_of(a, 1)[0] = 2;\n}\n" + more;
    const auto found = pitch_as_elements(source, "k", 9);
    return found ? found->line : 0;
  };
  CHECK(line_of("float* data = nullptr", "t.data + row * t.pitch") == 6);
  CHECK(line_of("float *data", "&t->data[row * t->pitch]") == 6);
  CHECK(line_of("float* data", "(float*)((char*)t.data + row * t.pitch)") == 0);
  CHECK(line_of("char* data", "(float*)(t.data + row * t.pitch)") == 0);
  CHECK(line_of("Bytes* data", "t.data + row * t.pitch") == 0);
  // Of another structure, or of what is not clear.
  CHECK(line_of("char* bytes", "(float*)(t.bytes + row * t.pitch)", "struct Other {\n  float* data;\n};\n") == 0);
  CHECK(line_of("float* data", "t.data + row * t.pitch", "struct Other {\n  char* data;\n};\n") == 0);
  CHECK(line_of("float* data", "t.data + row", "void f(Table t) {\n  use(t.data + 3 * t.pitch);\n}\n") == 0);
}

TEST_CASE("what lies outside pitched memory is told with the pitch") {
  const auto shown = [](const std::string& source, std::uint32_t allocated) {
    MergedFinding finding;
    finding.id = finding_ids::kGlobalOutOfBounds;
    finding.where = {"k.cu", 4, 12};
    finding.kernel = "k";
    finding.help = "as before";
    finding.other = OtherPlace{"allocated here", {"k.cu", allocated, 0}, {}, {}, PlaceRole::allocation};
    std::vector<MergedFinding> findings{finding};
    show_byte_pitches(findings, source, "k.cu");
    return findings.front();
  };
  const MergedFinding made = shown(kProgram, 8);
  CHECK(made.other->place == SourcePlace{"k.cu", 3, 32});
  CHECK(made.other->label == "here `b_pitch` counts elements");
  CHECK(made.note == "the memory is allocated in line 8\n");
  CHECK_THAT(made.help, contains_text("`b_pitch` counts bytes, and what is added to a pointer counts elements"));
  CHECK(shown(kProgram, 9).help == "as before");
  for (const std::string part : {"pitch/", "b + i * pitch;", "(", "float*a;"}) {
    std::string text = kProgram;
    while (text.size() < (1U << 20)) text += part;
    shown(text, 8);
  }
}

}  // namespace cudalabs::test::of_byte_pitch
