// Members that own memory and get another address.
#include "explain/memory/overwritten_owner.h"

#include <string>

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_overwritten_owner {
namespace {

std::string class_with(const std::string& members) {
  return "struct Buffer {\n"
         "  explicit Buffer(int n) { check(cudaMalloc(reinterpret_cast<void**>(&data_), n), \"cudaMalloc\"); }\n"
         "  ~Buffer() { if (data_ != nullptr) cudaFree(data_); }\n" +
         members + "\n  float* data_ = nullptr;\n};\n";
}

const std::string kMove =
    "  Buffer& operator=(Buffer&& other) noexcept {\n"
    "    if (this != &other) {\n"
    "      data_ = other.data_;\n"
    "      other.data_ = nullptr;\n"
    "    }\n"
    "    return *this;\n"
    "  }";

MergedFinding leak() {
  MergedFinding finding;
  finding.id = finding_ids::kMemoryLeak;
  finding.where = {"k.cu", 2, 0};
  finding.cases = {"large"};
  finding.note = "it is the first of the 2 allocations made here in this call of the function";
  finding.help = "as before";
  finding.other = OtherPlace{"the other one is freed here", {"k.cu", 3, 0}, {}, {}, PlaceRole::freeing};
  return finding;
}

MergedFinding shown(const std::string& source, MergedFinding finding = leak(), bool fails = false) {
  SubmissionRun run;
  run.case_runs.resize(1);
  run.case_runs.front().test.spec.name = "large";
  run.case_runs.front().test.spec.faults.allocation = fails ? 2 : 0;
  run.case_runs.front().observed.end = RunEnd::finished;
  std::vector<MergedFinding> findings{std::move(finding)};
  show_overwritten_owners(findings, source, "k.cu", run);
  return findings.front();
}

}  // namespace

TEST_CASE("a move that frees nothing of what the object had is shown beside the leak") {
  const MergedFinding made = shown(class_with(kMove));
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 6, 7});
  CHECK(made.other->label == "`data_` gets another address here");
  CHECK(made.help ==
        "line 6 gives `data_` another address, and nothing frees the memory that it has: call `cudaFree(data_)` before "
        "that");
  const std::string exchange =
      "  Buffer& operator=(Buffer&& o) {\n    data_ = std::exchange(o.data_, nullptr);\n    return *this;\n  }";
  CHECK(overwritten_owner(class_with(exchange), 2) == Setting{{"data_"}, 5, 5});
}

TEST_CASE("a function that allocates again without freeing is shown") {
  const auto with_resize = [](const std::string& before) {
    return class_with("  void resize(int n) {\n    " + before + "\n    cudaMalloc(&data_, n);\n  }");
  };
  CHECK(overwritten_owner(with_resize("count_ = n;"), 6) == Setting{{"data_"}, 6, 17});
  CHECK_FALSE(overwritten_owner(with_resize("cudaFree(data_);"), 6));
  CHECK_FALSE(overwritten_owner(with_resize("if (data_ != nullptr) return;"), 6));
  CHECK_FALSE(overwritten_owner(with_resize("reset();"), 6));
}

TEST_CASE("an object that frees what it had, or never gets another address, is not blamed") {
  const std::string freeing =
      "  Buffer& operator=(Buffer&& o) {\n    cudaFree(data_);\n    data_ = o.data_;\n    o.data_ = nullptr;\n"
      "    return *this;\n  }";
  CHECK_FALSE(overwritten_owner(class_with(freeing), 2));
  const std::string swapping =
      "  Buffer& operator=(Buffer&& o) {\n    std::swap(data_, o.data_);\n    return *this;\n  }";
  CHECK_FALSE(overwritten_owner(class_with(swapping), 2));
  CHECK_FALSE(overwritten_owner(class_with(""), 2));
  CHECK_FALSE(overwritten_owner("void f() {\n  cudaMalloc(&p, 4);\n}\n", 2));
  // Where a call failed, the last allocation, and another finding.
  CHECK(shown(class_with(kMove), leak(), true) == leak());
  MergedFinding last = leak();
  last.note = "it is the last of the 2 allocations made here";
  last.last_of_call = true;
  CHECK(shown(class_with(kMove), last) == last);
  MergedFinding other = leak();
  other.other->role = PlaceRole::unsaid;
  CHECK(shown(class_with(kMove), other) == other);
}

TEST_CASE("a long text of destructors is read all the same") {
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "struct T" + std::to_string(i) + " { ~T" + std::to_string(i) + "() {} };\n";
  CHECK_FALSE(overwritten_owner(class_with("") + many, 2));
  std::string moves;
  for (int i = 0; i < 20'000; ++i) moves += kMove;
  overwritten_owner(class_with(moves), 2);
  overwritten_owner(class_with("void resize() { " + std::string(1 << 20, '{')) + "\ncudaMalloc(&data_, 4);", 6);
}

}  // namespace cudalabs::test::of_overwritten_owner
