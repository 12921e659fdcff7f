// Wide accesses at the beginning of rows whose length is no multiple of them.
#include "explain/accesses/misaligned_row.h"

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_misaligned_row {
namespace {

const std::string kKernel =
    "__global__ void k(const float* b, int p) {\n"
    "  if (col >= p) return;\n"
    "  if (col + 4 <= p) {\n"
    "    v = *reinterpret_cast<const float4*>(b + row * p + col);\n"
    "  } else {\n"
    "    v = slow(b);\n"
    "  }\n"
    "}\n";

const std::string kTemplate =
    "template <bool Wide>\n"
    "__global__ void k(const float* b, int p) {\n"
    "  if (Wide && col + 4 <= p) {\n"
    "    v = *reinterpret_cast<const float4*>(b + row * p + col);\n"
    "  }\n"
    "}\n"
    "void f(const float* b, int p) {\n"
    "  const bool wide = aligned(b);\n"
    "  if (wide) {\n"
    "    k<true><<<1, 32>>>(b, p);\n"
    "  } else {\n"
    "    k<false><<<1, 32>>>(b, p);\n"
    "  }\n"
    "}\n";

/// Of a read of 16 bytes in that row of `b`, whose rows have so many elements of 4 bytes.
MergedFinding shown(const std::string& source, std::uint64_t columns, std::uint64_t row = 1,
                    const std::string& kernel = "k") {
  CaseRun case_run;
  case_run.test.spec.name = "ragged";
  case_run.test.spec.parameters = {{"p", 21}, {"n", 3}};
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(std::move(case_run));
  MergedFinding finding;
  finding.id = finding_ids::kMisalignedAccess;
  finding.where = {"k.cu", 4, 9};
  finding.kernel = kernel;
  finding.access = {.array = "b", .bytes = 16, .row = row, .row_elements = columns, .element_bytes = 4};
  finding.help = "as before";
  finding.cases = {"ragged"};
  std::vector<MergedFinding> findings{finding};
  show_misaligned_rows(findings, source, "k.cu", submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("a row that begins at no multiple of a wide access is told with numbers") {
  const MergedFinding made = shown(kKernel, 21);
  CHECK(made.help ==
        "row 1 of `b` begins after 21 elements, which is no multiple of 4: read and write 4 elements at once only "
        "where `p % 4 == 0`, and one by one otherwise");
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 3, 3});
  CHECK(made.other->label == "this lets the program do 4 elements at once");
  CHECK_THAT(shown(kKernel, 21, 2).help, contains_text("row 2 of `b` begins after 42 elements"));
  // No size of the case is as large.
  CHECK_THAT(shown(kKernel, 23).help, contains_text("only where the length of a row is a multiple of 4"));
}

TEST_CASE("a loop for the rest that goes on to the end of the row is told to end earlier") {
  const auto with_rest = [](const std::string& rest) {
    return shown(replaced(kKernel, "v = slow(b);", rest), 21).help;
  };
  const std::string told =
      "row 1 of `b` begins after 21 elements, no multiple of 4: take 4 at once only where `p % 4 == 0`; otherwise one "
      "by one, at most 4 in each thread (line 6)";
  CHECK(with_rest("for (int j = 0; col + j < p; ++j) c[j] = b[col + j];") == told);
  CHECK(with_rest("for (int j = col; j < p; j++) c[j] = b[j];") == told);
  CHECK(with_rest("for (int j = 0; j < p - col; j += 1) c[j] = b[col + j];") == told);
  CHECK(with_rest("if (col < p) for (int j = col; j < p; j++) c[j] = b[j];") == told);
  for (const std::string limited :
       {"for (int j = 0; j < 4 && col + j < p; ++j) c[j] = b[j];",
        "for (int j = 0; j < min(4, p - col); ++j) c[j] = 0;", "for (int j = 0; j < last; ++j) c[j] = b[j];",
        "for (int j = col; j < p; ++j) if (j == last) break;", "for (int j = col; j < p; j += step) c[j] = b[j];",
        "if (t == 0) for (int j = col; j < p; ++j) c[j] = b[j];"})
    CHECK_THAT(with_rest(limited), contains_text("and one by one otherwise"));
  const std::string returns =
      replaced(replaced(kKernel, "  } else {\n    v = slow(b);\n  }\n", "    return;\n  }\n"), "return;\n  }\n",
               "return;\n  }\n  for (int j = col; j < p; ++j) c[j] = b[j];\n");
  CHECK_THAT(shown(returns, 21).help, contains_text("at most 4 in each thread (line 7)"));
}

TEST_CASE("an access in a function that gets the element is shown where the kernel reads it") {
  const auto with_helper = [](const std::string& parameters, const std::string& calls) {
    MergedFinding made = shown("__global__ void k(const float* b, int p) {\n  if (col + 4 <= p) { " + calls +
                                   " }\n}\nvoid add(" + parameters + ") { sum.x += y.x; }\n",
                               21);
    return made;
  };
  const MergedFinding made = with_helper("const float4& y, float4& sum", "add(*(const float4*)(b + p), sum);");
  CHECK(made.where == SourcePlace{"k.cu", 2, 27});
  const auto stays = [&](const std::string& parameters, const std::string& calls) {
    return with_helper(parameters, calls).where.line == 4;
  };
  CHECK(stays("const float4* y, float4& sum", "add(*(const float4**)(b + p), sum);"));
  CHECK(stays("const float4& y, float4& sum", "add(*(const float4*)b, sum); add(*(const float4*)b, sum);"));
  CHECK(stays("const float4& y, float4& sum", "add(*(const float4*)b, *sums);"));
  CHECK(stays("const float4& y, float4& sum", "add(y, sum);"));
}

TEST_CASE("the condition around the only call of the function that has the access is shown") {
  const std::string called =
      "template <int N>\n"
      "__device__ void wide(const float* b, int p) {\n"
      "  for (int i = 0; i < p; ++i)\n"
      "    v = *reinterpret_cast<const float4*>(b + i * p + col);\n"
      "}\n"
      "__global__ void k(const float* b, int p) {\n"
      "  if (row >= m || col >= p) return;\n"
      "  if (col + N <= p) {\n"
      "    wide<4>(b, p);\n"
      "  } else {\n"
      "    for (int j = col; j < p; ++j) one(b, j);\n"
      "  }\n"
      "}\n";
  const MergedFinding made = shown(called, 21);
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 8, 3});
  CHECK_THAT(made.help, contains_text("where `p % 4 == 0`; otherwise one by one, at most 4 in each thread (line 11)"));
  const auto shown_line = [&](const std::string& old, const std::string& with) {
    const MergedFinding changed = shown(replaced(called, old, with), 21);
    return changed.other ? changed.other->place.line : 0;
  };
  CHECK(shown_line("wide<4>(b, p);", "wide(b, p);") == 8);
  CHECK(shown_line("wide<4>(b, p);", "wide<4>(b, p); wide<2>(b, p);") == 0);
  CHECK(shown_line("__global__", "__device__ void wide(const float*, int); __global__") == 8);
  CHECK(shown_line("__global__", "__device__ void both(const float* b, int p) { wide<4>(b, p); } __global__") == 0);
  CHECK(shown_line("    wide<4>(b, p);\n  } else {\n", "  } else {\n    wide<4>(b, p);\n") == 0);
}

TEST_CASE("where a template's parameter decides, the host's condition is shown") {
  const MergedFinding made = shown(kTemplate, 21, 1, "(anonymous namespace)::k<true>");
  REQUIRE(made.other);
  CHECK(made.other->place.line == 8);
  std::string asked = kTemplate;
  asked.replace(asked.find("if (wide)"), 9, "if (p > 8)");
  CHECK(shown(asked, 21, 1, "k<true>").other->place.line == 9);
  // Another instance, or none is known.
  CHECK(shown(kTemplate, 21, 1, "k").other->place.line == 3);
}

TEST_CASE("the host's question for a multiple is shown before a condition around the access") {
  const std::string host =
      "void f(const float* b, int p, int rows) {\n"
      "  const std::size_t pixels = std::size_t(p) * rows;\n"
      "  const bool wide = pixels % 4 == 0 && aligned(b);\n"
      "  if (wide) {\n"
      "    k<<<1, 32>>>(b, p);\n"
      "  } else {\n"
      "    slow<<<1, 32>>>(b, p);\n"
      "  }\n"
      "}\n";
  const MergedFinding made = shown(kKernel + host, 21);
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 11, 21});
  CHECK(made.other->label == "this asks for `p * rows`, and not for `p`");
  const auto label = [&](const std::string& old, const std::string& with) {
    return shown(kKernel + replaced(host, old, with), 21).other->label;
  };
  CHECK_THAT(label("pixels % 4", "p * rows % 4"), contains_text("asks for `p * rows`, and"));
  CHECK_THAT(label("pixels % 4 == 0", "(pixels & 3) == 0"), contains_text("asks for `p * rows`, and"));
  CHECK_THAT(label("pixels % 4", "((size_t)p * rows) % 4u"), contains_text("asks for `p * rows`, and"));
  CHECK_THAT(label("pixels % 4", "rows % 4"), contains_text("asks for `rows`, and not"));
  CHECK_THAT(label("if (wide)", "if (pixels % 4 == 0)"), contains_text("asks for `p * rows`, and"));
  CHECK_THAT(label("pixels % 4", "static_cast<long>(p) * rows % 4"), contains_text("`p * rows`"));
  CHECK_THAT(label("std::size_t(p) * rows", "(p + 2) * rows"), contains_text("asks for `(p + 2) * rows`, and not"));
  CHECK_THAT(shown(kKernel + host, 23).other->label, contains_text("and not for the length of a row"));
  const std::string helper = "bool fits(int pixels) {\n  return pixels % 4 == 0;\n}\n";
  CHECK(shown(kKernel + helper + replaced(host, "pixels % 4 == 0", "fits(pixels)"), 21).other->place.line == 10);
  // The question is for the row's length, for something else, or for another kernel.
  CHECK_THAT(label("pixels % 4", "p % 4"), contains_text("lets the program do 4 elements at once"));
  CHECK_THAT(label("std::size_t(p) * rows", "p"), contains_text("lets the program do 4 elements at once"));
  CHECK_THAT(label("pixels % 4", "pixels % 8"), contains_text("lets the program do 4 elements at once"));
  CHECK_THAT(label("pixels % 4", "reinterpret_cast<std::uintptr_t>(b) % 4"), contains_text("lets the program"));
  CHECK_THAT(label("k<<<", "other<<<"), contains_text("lets the program do 4 elements at once"));
}

TEST_CASE("what takes several elements at once is shown, and not the guard around it") {
  const auto place = [](const std::string& asked, const std::string& loop) {
    const MergedFinding made = shown(
        "constexpr int VEC = 4, BLOCK = 16;\n__global__ void k(const float* b, int w) { const int w4 = w / 4, i = "
        "BLOCK * t;\n  if (" +
            asked + ") " + loop + "\n      v = row4[q];\n}\n",
        21);
    return made.other ? made.other->place.line * 100 + made.other->place.column : 0;
  };
  const std::string rounds = "for (int q = 0; q < w4; ++q)";
  const std::uint32_t loop = place("row < m && col < p", rounds);
  CHECK(loop > 320);
  CHECK(place("i < w", "for (int q = 0; q < w; q += VEC)") > 0);
  CHECK(place("i < w", "for (int q = 0; q < w; ++q)") == 0);
  CHECK(place("i < w", "") == 0);
  // These conditions ask for several.
  CHECK(place("i < w4", "") == 303);
  CHECK(place("i + 3 < w", "") == 303);
  CHECK(place("i * VEC < w", "") == 303);
  CHECK(place("w % VEC == 0", rounds) == 303);
  CHECK(place("wide && i < w", "") == 303);
}

TEST_CASE("a guard that chooses nothing gives way to the host's question") {
  const std::string guarded =
      "__global__ void k(const float* b, int w) {\n\n  if (row < w)\n"
      "    v = *(const float4*)(b + row * w);\n}\n";
  const std::string host = "void f(int w) {\n  pick(w * w % 4 == 0 ? k : slow);\n}\n";
  CHECK(shown(guarded + host, 21).other->label == "this asks for a multiple of 4");
  CHECK(!shown(guarded, 21).other);                         // it does not let the program do several at once
  CHECK(shown(kKernel + host, 21).other->place.line == 3);  // the kernel has another way for the rest
}

TEST_CASE("a hostile text around the question for a multiple is read in one go") {
  for (const std::string part : {"a%4*", "(", "f(", "x=x;", "if(y)", "%4", "k(", "k<", "k<1>(k("}) {
    std::string text = kKernel + "void f() {\n";
    while (text.size() < (1U << 20)) text += part;
    shown(text + "\nk<<<1, 1>>>();\n}\n", 21);
  }
}

TEST_CASE("an access that no row explains keeps its words") {
  CHECK(shown(kKernel, 0).help == "as before");
}

TEST_CASE("without a condition around the access none is shown") {
  const std::string plain =
      "__global__ void k(const float* b, int w) {\n\n\n    v = *(const float4*)(b + row * w);\n}\n";
  const MergedFinding made = shown(plain, 21);
  CHECK_FALSE(made.other);
  CHECK_THAT(made.help, contains_text("only where the length of a row is a multiple of 4"));
}

TEST_CASE("where the kernel asks nothing, the only line of the host that asks for a multiple is shown") {
  const std::string kernel =
      "__global__ void k(const float* b, int w) {\n\n\n    v = *(const float4*)(b + row * w);\n}\n";
  const MergedFinding made = shown(kernel + "bool fits(int pixels) {\n  return pixels % 4 == 0;\n}\n", 21);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 7);
  CHECK(made.other->label == "this asks for a multiple of 4");
  CHECK_FALSE(shown(kernel + "bool fits(int pixels) {\n  return pixels % 8 == 0;\n}\n", 21).other);
  CHECK_FALSE(shown(kernel + "bool fits(int a, int b) {\n  if (a % 4) return 0;\n  return b % 4 == 0;\n}\n", 21).other);
}

}  // namespace cudalabs::test::of_misaligned_row
