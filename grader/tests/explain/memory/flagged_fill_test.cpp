// Memory that is cleared only where an argument asks for it.
#include "explain/memory/flagged_fill.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_flagged_fill {
namespace {

const std::string kKernel = "__global__ void k(const float* a, const float* b, int n) {\n  use(a[n], b[n]);\n}\n";

const std::string kClass = R"(enum class Fill { none, zeros };
class Padded {
 public:
  Padded(int rows, Fill fill) : rows_(rows), data_{nullptr} {
    good_ = check(cudaMalloc(&data_, rows_));
    if (good_ && fill == Fill::zeros) good_ = check(cudaMemset(data_, 0, rows_));
  }
  ~Padded() { cudaFree(data_); }
  Padded(const Padded&) = delete;
};
)";

/// The launch stands in the last line but one.
std::string with(const std::string& maker, const std::string& made,
                 const std::string& arguments = "a.data(), b.data(), n") {
  return kKernel + maker + "void f(int n) {\n  " + made + "\n  k<<<1, 1>>>(" + arguments + ");\n}\n";
}

std::uint32_t launch_of(const std::string& source) {
  return static_cast<std::uint32_t>(std::ranges::count(source, '\n')) - 1;
}

std::optional<FlaggedFill> fill_in(const std::string& source, std::size_t parameter = 1) {
  return flagged_fill(source, launch_of(source), parameter);
}

/// "wanted for given" of an object that `maker` makes by `made`.
std::string words_in(const std::string& maker, const std::string& made, const std::string& arguments = "a, b, n") {
  const auto found = fill_in(with(maker, made, arguments));
  return found ? found->wanted + " for " + found->given : "";
}

std::string function_with(const std::string& parameter, const std::string& body) {
  return "float* make(int n, " + parameter + ") {\n  float* d = nullptr;\n  cudaMalloc(&d, n);\n  " + body +
         "\n  return d;\n}\n";
}

MergedFinding shown(const std::string& source, std::uint32_t column = 13) {
  MergedFinding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.kernel = "(anonymous namespace)::k";
  finding.where = {"k.cu", 2, column};
  finding.thread = Index3{0, 2, 0};
  finding.launch.where = {"k.cu", launch_of(source), 0};
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_flagged_fills(findings, source, "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("the object whose memory an argument leaves as it is is found") {
  const std::string both = with(kClass, "const Padded a(n, Fill::zeros);\n  const Padded b(n, Fill::none);");
  CHECK(fill_in(both) == FlaggedFill{{{"b"}, 16, 16}, "Padded", "Fill::none", "Fill::zeros", 9, "a", false});
  CHECK_FALSE(fill_in(both, 0));
  CHECK_FALSE(fill_in(both, 2));
  CHECK_FALSE(fill_in(both, 3));
  CHECK(fill_in(with(kClass, "Padded b{n, Fill::none};"))->filled.empty());
  CHECK(fill_in(with(kClass, "auto b = Padded(n, Fill::none);"))->given == "Fill::none");
}

TEST_CASE("functions that allocate are followed, and flags in all their forms") {
  const std::string flag = function_with("bool zero", "if (zero) cudaMemset(d, 0, n);");
  CHECK(words_in(flag, "float* b = make(n, false);") == "true for false");
  CHECK(words_in(flag, "float* b = make(n, true);").empty());
  CHECK(words_in(function_with("bool zero", "if (!zero) return d;\n  cudaMemset(d, 0, n);"),
                 "float* b = make(n, false);") == "true for false");
  CHECK(words_in(function_with("bool raw", "if (!raw) cudaMemset(d, 0, n);"), "float* b = make(n, true);") ==
        "false for true");
  CHECK(words_in(function_with("bool raw", "if (raw || n == 0) return d;\n  cudaMemset(d, 0, n);"),
                 "float* b = make(n, true);") == "false for true");
  CHECK(words_in(function_with("Fill how", "if (how != Fill::zeros) return d;\n  cudaMemset(d, 0, n);"),
                 "float* b = make(n, Fill::none);") == "Fill::zeros for Fill::none");
  const auto left_out = fill_in(
      with(function_with("bool zero = false", "if (zero) cudaMemset(d, 0, n);"), "float* b = make(n);", "a, b, n"));
  REQUIRE(left_out);
  CHECK(left_out->omitted);
  CHECK(left_out->given == "false");
}

TEST_CASE("nothing is said where the text leaves a choice") {
  const std::string flag = function_with("bool zero", "if (zero) cudaMemset(d, 0, n);");
  // A variable, two objects of one name, a choice in the launch, and memory that is made elsewhere.
  CHECK(words_in(flag, "float* b = make(n, n > 3);").empty());
  CHECK(words_in(flag, "float* b = make(n, wanted);").empty());
  CHECK(words_in(flag, "float* b = make(n, false);\n  if (n) b = make(n, true);").empty());
  CHECK(words_in(flag, "float* b = make(n, false);", "a, n > 3 ? b : a, n").empty());
  CHECK(words_in(flag, "float* b = other(n, false);").empty());
  // Another number is asked for, and an `else`, and several fills.
  CHECK(words_in(function_with("int n2", "if (n2) cudaMemset(d, 0, n);"), "float* b = make(n, false);").empty());
  CHECK(words_in(function_with("bool zero", "if (zero || n > 3) cudaMemset(d, 0, n);"), "float* b = make(n, false);")
            .empty());
  CHECK(words_in(function_with("bool raw", "if (raw) use(d); else cudaMemset(d, 0, n);"), "float* b = make(n, false);")
            .empty());
  CHECK(words_in(function_with("bool zero", "if (zero) cudaMemset(d, 0, n);\n  else cudaMemset(d, 255, n);"),
                 "float* b = make(n, false);")
            .empty());
  CHECK(words_in(function_with("bool zero", "cudaMemset(d, 0, n);"), "float* b = make(n, false);").empty());
  CHECK(words_in("#if 1\n" + flag + "#endif\n", "float* b = make(n, false);").empty());
}

TEST_CASE("the line that makes the memory is shown, and what to make it with") {
  const MergedFinding made = shown(with(kClass, "const Padded a(n, Fill::zeros);\n  const Padded b(n, Fill::none);"));
  CHECK(made.where == SourcePlace{"k.cu", 16, 16});
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 2, 13});
  CHECK(made.other->role == PlaceRole::access);
  CHECK(made.other->thread == Index3{0, 2, 0});
  CHECK_FALSE(made.thread);
  CHECK(made.help ==
        "nothing clears the memory of `b`: `Padded` calls `cudaMemset` only where line 9 finds `Fill::zeros`, and here "
        "it gets `Fill::none`; if what is not written is to be zeros, make `b` with `Fill::zeros`, as `a` is");
}

TEST_CASE("reads of another array, and of what is cleared, stay as they are") {
  const std::string source = with(kClass, "const Padded a(n, Fill::zeros);\n  const Padded b(n, Fill::none);");
  CHECK(shown(source, 7).help == "as before");
  CHECK(shown(source, 3).help == "as before");
  CHECK(shown(source, 0).help == "as before");
  CHECK(shown(with(kClass, "const Padded b(n, Fill::zeros);")).help == "as before");
}

TEST_CASE("a long text of objects is read all the same") {
  std::string many;
  for (int i = 0; i < 60'000; ++i) many += "Padded b(n, ";
  CHECK_FALSE(fill_in(with(kClass, many)));
  std::string makers;
  for (int i = 0; i < 60'000; ++i) makers += "float* make(";
  CHECK_FALSE(fill_in(with(makers, "float* b = make(n, false);", "a, b, n")));
  const std::string name = std::string(1 << 20, 'b');
  CHECK_FALSE(fill_in(with(kClass, "Padded " + name + "(n, Fill::none);")));
}

}  // namespace cudalabs::test::of_flagged_fill
