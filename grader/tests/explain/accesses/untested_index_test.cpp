// Parts of an index that no condition before the access asks for.
#include "explain/accesses/untested_index.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const Help kAskedBefore{Advice::look_at_conditions_and_sizes,
                        "look at the index and at the conditions around this access; check that `n` is the one"};

/// Of the access in line 7, whose column is that of `mark`.
std::string untested_help(const std::string& condition, const std::string& access, const std::string& mark) {
  const std::string source =
      "#define TILE 16\n__global__ void k(const float* b, float* c, int m, int n, int p) {\n"
      "  const int tx = threadIdx.x, ty = threadIdx.y;\n  int row = blockIdx.y * TILE + ty;\n"
      "  int col = blockIdx.x * TILE + tx, tile = blockIdx.y;\n  " +
      condition + "\n    " + access + "\n}\n";
  MergedFinding made{finding(std::string(finding_ids::kGlobalOutOfBounds), 7), {}};
  made.where = {"k.cu", 7, static_cast<std::uint32_t>(access.find(mark)) + 5};
  made.help = kAskedBefore;
  std::vector<MergedFinding> findings{made};
  show_untested_indices(findings, source, "k.cu");
  return findings.front().help;
}

}  // namespace

TEST_CASE("a thread's number that no condition asks for is named") {
  CHECK(untested_help("if (tx < n && col < p)", "x = b[(k0 + ty) * p + col];", "b[") ==
        "`ty` is in the index, but in no condition before this access: the conditions must ask for all that the index "
        "is computed from, in every dimension");
  CHECK(untested_help("if (col >= p) return;", "c[row * p + col] = 1;", "= 1").starts_with("`row` is in the index"));
  CHECK(untested_help("if (col < p)", "c[threadIdx.y * p + col] = 1;", "= 1")
            .starts_with("`threadIdx.y` is in the index"));
}

TEST_CASE("what is added to a name that is asked for alone is named") {
  CHECK(untested_help("if (row < m && col < p)", "c[(row + TILE) * p + col] = 1;", "= 1") ==
        "`row + TILE` is in the index, but the condition asks for `row` alone: make this access only where `row + "
        "TILE` is inside the array, too");
  CHECK(untested_help("if (row < m && col < p)", "x = b[row * p + col + 1];", "b[")
            .starts_with("`col + 1` is in the index"));
}

TEST_CASE("the condition of a choice that the access stands in counts like others") {
  const std::string loop = "for (int i = 0; i < 4; ++i) ";
  CHECK(untested_help("", loop + "s[i] = (row < m && col < p) ? b[(row + i * TILE) * p + col] : 0;", "b[") ==
        "`row + i * TILE` is in the index, and the condition asks for `row` alone: ask for `row + i * TILE < m`");
  CHECK(untested_help("if (row < m)", "s[0] = col < p ? b[(row + TILE) * p + col] : 0;", "b[")
            .starts_with("`row + TILE` is in the index, but the condition"));
  CHECK(untested_help("", "s[0] = tx < n ? b[ty * n + tx] : 0;", "b[").starts_with("`ty` is in the index, but in no"));
  // It is asked for, or the access is the other value, or something else may keep it from being made.
  for (const std::string access :
       {"s[i] = (row + i * TILE < m) ? b[row + i * TILE] : 0;", "s[i] = row < m ? 0 : b[row + i * TILE];",
        "s[i] = f && (row < m ? b[(row + i * TILE) * p + col] : 0);"})
    CHECK(untested_help("", loop + access, "b[") == kAskedBefore);
}

TEST_CASE("a variable that is a product with what a loop counts may be what is added") {
  const std::string loop = "for (int i = 0; i < 4; ++i) { const int dy = i * TILE; ";
  CHECK(untested_help("", loop + "s[dy] = row < m ? b[(row + dy) * p] : 0; }", "b[") ==
        "`row + dy` is in the index, and the condition asks for `row` alone: ask for `row + dy < m`");
  CHECK(untested_help("", "for (int i = 0; i < 4; ++i) { const int dy = i - m; s[i] = row < m ? b[row + dy] : 0; }",
                      "b[") == kAskedBefore);
}

TEST_CASE("a change of the condition is proposed") {
  MergedFinding made{finding(std::string(finding_ids::kGlobalOutOfBounds), 4), {}};
  made.help = kAskedBefore;
  const auto proposed = [&](std::uint32_t column, bool reads) {
    made.where = {"k.cu", 4, column};
    made.access.only_reads = reads;
    std::vector<MergedFinding> findings{made};
    show_untested_indices(findings,
                          "__global__ void k(const float* b, int n) {\n  const int row = threadIdx.y;\n"
                          "  for (int i = 0; i < 4; ++i)\n    s[i] = (row < n) ? b[row + i] : 0;\n}\n",
                          "k.cu");
    return findings.front().proposed;
  };
  const ProposedChange change{4, 13, "row", "row + i"};
  CHECK(proposed(24, true) == change);
  // Other compilers tell where the statement begins, or its line alone.
  CHECK(proposed(5, true) == change);
  CHECK(proposed(0, true) == change);
  CHECK_FALSE(proposed(5, false));
}

TEST_CASE("what a loop adds to a name that is asked for alone is named") {
  const std::string guard = "if (row < m && col < p)";
  CHECK(untested_help(guard, "for (int i = 0; i < 4; ++i) c[(row + i * TILE) * p + col] = s[i];", "= s") ==
        "`row + i * TILE` is in the index, but the condition asks for `row` alone: make this access only where `row + "
        "i * TILE` is inside the array, too");
  CHECK(untested_help(guard, "for (int i = 0; i < 4; ++i) x = b[row + i];", "b[").starts_with("`row + i` is in the"));
  // Counted otherwise, or asked for.
  for (const std::string access :
       {"for (int i = 4; i > 0; --i) c[(row + i * TILE) * p + col] = s[i];",
        "for (int i = j; i < 4; ++i) c[(row + i * TILE) * p + col] = s[i];",
        "for (int i = 0; i < 4; ++i) c[(row + i * p) * p + col] = s[i];",
        "for (int i = 0; i < 4; ++i) if (row + i * TILE < m) c[(row + i * TILE) * p + col] = s[i];"})
    CHECK(untested_help(guard, access, "= s") == kAskedBefore);
  // Whole rows of that length.
  CHECK(untested_help("if (row < m && col < TILE)", "for (int i = 0; i < 4; ++i) x = b[col + i * TILE];", "b[") ==
        kAskedBefore);
}

TEST_CASE("a variable that goes past what is asked for is named, with the condition") {
  const auto blamed = [](const std::string& guard, const std::string& set, const std::string& access = "c[i] = 1;") {
    const std::string source =
        "template <int THREADS, int ITEMS>\n__global__ void k(const float* a, float* c, int n) {\n"
        "  const unsigned first = blockIdx.x * THREADS * ITEMS + threadIdx.x;\n  " +
        guard + "\n  for (int k = 0; k < ITEMS; ++k) {\n    " + set + "\n    " + access + "\n  }\n}\n";
    MergedFinding made{finding(std::string(finding_ids::kGlobalOutOfBounds), 7), {}};
    made.where = {"k.cu", 7, static_cast<std::uint32_t>(access.find("= 1")) + 5};
    made.help = kAskedBefore;
    std::vector<MergedFinding> findings{made};
    show_untested_indices(findings, source, "k.cu");
    if (findings.front().help != kAskedBefore) {
      REQUIRE(findings.front().other);
      CHECK(findings.front().other->place == SourcePlace{"k.cu", 4, 0});
      CHECK(findings.front().other->label == "this asks for `first` alone");
    }
    return findings.front().help;
  };
  const std::string_view guard = "if (first >= n) return;";
  const std::string expected =
      "`i` is `first + k * THREADS`, and the condition in line 4 asks for `first` alone: make this access only where "
      "`i` is inside the array, too, `if (i < n)`";
  CHECK(blamed(std::string(guard), "const unsigned i = first + k * THREADS;") == expected);
  CHECK(blamed(std::string(guard), "const unsigned i = first + static_cast<unsigned>(k * THREADS);") == expected);
  CHECK(blamed(std::string(guard), "unsigned i = (unsigned)(k * THREADS) + first;") == expected);
  CHECK(blamed("if (first < n)", "const unsigned i = first + k * THREADS;") == expected);
  CHECK(blamed(std::string(guard), "const int i = first + k * blockDim.x;")
            .starts_with("`i` is `first + k * blockDim.x`"));
  // It is asked for, has a part that may be anything, or goes back.
  CHECK(blamed(std::string(guard), "const unsigned i = first + k * THREADS;", "if (i < n) c[i] = 1;") == kAskedBefore);
  CHECK(blamed(std::string(guard), "const unsigned i = first + k * THREADS; if (i >= n) break;") == kAskedBefore);
  CHECK(blamed(std::string(guard), "const unsigned i = first + k * n;") == kAskedBefore);
  CHECK(blamed(std::string(guard), "const unsigned i = first - k * THREADS;") == kAskedBefore);
  CHECK(blamed(std::string(guard), "const unsigned i = first + n / (k * THREADS);") == kAskedBefore);
  CHECK(blamed("if (blockIdx.x >= n) return;", "const unsigned i = first + k * THREADS;") == kAskedBefore);
}

TEST_CASE("nothing is said of an index whose parts are all asked for") {
  CHECK(untested_help("if (row < m && col < p)", "c[row * p + col] = 1;", "= 1") == kAskedBefore);
  CHECK(untested_help("if (row < n && col < p)", "x = b[row * p + col];", "b[") == kAskedBefore);
  CHECK(untested_help("if (row + TILE < m && col < p)", "c[(row + TILE) * p + col] = 1;", "= 1") == kAskedBefore);
  CHECK(untested_help("if (row < m - TILE && col < p)", "c[(row + TILE) * p + col] = 1;", "= 1") == kAskedBefore);
  CHECK(untested_help("if (row < m && col < p)", "c[row * p + 2 * col + 1] = 1;", "= 1") == kAskedBefore);
}

TEST_CASE("a long text before the access is read all the same") {
  std::string many = "if (row < m && col < p)";
  for (int i = 0; i < 50'000; ++i) many += " if (row < m) col = row + TILE;";
  untested_help(many, "c[col] = 1;", "= 1");
  untested_help("col = " + std::string(1 << 20, '(') + ";", "c[col] = 1;", "= 1");
}

TEST_CASE("nothing is said where it is not known what is asked for") {
  // A grid may have as many blocks as there are rows.
  CHECK(untested_help("if (col < p)", "c[tile * p + col] = 1;", "= 1") == kAskedBefore);
  CHECK(untested_help("if (inside)", "c[row * p + col] = 1;", "= 1") == kAskedBefore);
  CHECK(untested_help("", "c[row * p + col] = 1;", "= 1") == kAskedBefore);
  CHECK(untested_help("if (col < p)", "x = row < m ? b[row * p + col] : 0;", "b[") == kAskedBefore);
  CHECK(untested_help("if (col < p)", "x = b[at(row)];", "x =") == kAskedBefore);
  CHECK(untested_help("if (col < p)", "c[" + std::string(600, '(') + "] = 1;", "= 1") == kAskedBefore);
}

}  // namespace cudalabs::test
