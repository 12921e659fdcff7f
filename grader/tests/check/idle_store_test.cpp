// Outputs that nobody wrote, for no thread came to the line that stores to them.
#include "check/idle_store.h"

#include "catch.h"
#include "make.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

const std::string kTicket =
    "__device__ void helper(int x) {\n"
    "  if (x > 3) *x = 1;\n"
    "}\n"
    "__global__ void sum(float* out, unsigned* done) {\n"
    "  __shared__ bool last;\n"
    "  if (threadIdx.x == 0) {\n"
    "    const unsigned ticket = atomicAdd(done, 1);\n"
    "    last = ticket == gridDim.x;\n"
    "  }\n"
    "  __syncthreads();\n"
    "  if (!last) return;\n"
    "  float total = f();\n"
    "  if (threadIdx.x == 0) *out = total;\n"
    "}\n";

Mismatch unwritten(std::uint64_t count) {
  Mismatch made;
  made.output = "sum";
  made.fault = Fault::unwritten;
  made.elements = 4;
  made.finding.count = count;
  made.finding.help = "as before";
  return made;
}

vgpu::BranchCount branch(std::uint32_t line, std::uint32_t next, std::uint64_t threads, std::uint32_t other,
                         std::uint64_t other_threads) {
  return {{"k.cu", line, 3}, {{"k.cu", next, 5}, threads}, {{"k.cu", other, 5}, other_threads}};
}

MergedFinding shown(vgpu::BranchCoverage branches, const std::string& source = kTicket) {
  SubmissionRun submission_run;
  submission_run.case_runs.resize(1);
  submission_run.case_runs[0].judgement.emplace();
  submission_run.case_runs[0].observed.branches = std::move(branches);
  MergedFinding made{finding(std::string(finding_ids::kUnwrittenOutput), 13), {}};
  made.where.file = "k.cu";
  made.help = "as before";
  show_deciding_condition(made, source, submission_run);
  return made;
}

}  // namespace

TEST_CASE("the only line that stores to an output that was never written is named") {
  Mismatch made = unwritten(4);
  name_idle_store(made, {{"other", "k", {"k.cu", 3, 0}}, {"sum", "k", {"k.cu", 13, 7}}, {"sum", "k", {"k.cu", 13, 9}}});
  CHECK(made.finding.where == SourcePlace{"k.cu", 13, 7});
  CHECK(made.finding.kernel == "k");
  CHECK(made.finding.note == "\nno thread came to line 13, which stores to `sum`");
  CHECK(made.reach == Reach::never);
  const auto unnamed = [](Mismatch mismatch, const std::vector<vgpu::ArrayWriter>& stores) {
    name_idle_store(mismatch, stores);
    return mismatch.reach == Reach::unsaid && mismatch.finding.help == "as before";
  };
  CHECK(unnamed(unwritten(3), {{"sum", "k", {"k.cu", 13, 7}}}));
  CHECK(unnamed(unwritten(4), {{"other", "k", {"k.cu", 13, 7}}}));
  CHECK(unnamed(unwritten(4), {{"sum", "k", {"k.cu", 13, 7}}, {"sum", "k", {"k.cu", 15, 7}}}));
  Mismatch wrong = unwritten(4);
  wrong.fault = Fault::wrong;
  CHECK(unnamed(wrong, {{"sum", "k", {"k.cu", 13, 7}}}));
}

TEST_CASE("the condition that turns all threads away leads to what it asks for") {
  // Also the helper's, which stands before the kernel, and one that threads pass.
  const MergedFinding made = shown({branch(2, 2, 0, 3, 40), branch(6, 7, 8, 10, 56), branch(11, 11, 64, 12, 0)});
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 8, 5});
  CHECK(made.other->label == "with the `last` from here, none passes line 11");
  CHECK(made.help ==
        "no thread that comes to the condition in line 11 goes on to line 13: look at what it asks for; `atomicAdd` "
        "returns the value that was there before the call");
}

TEST_CASE("a condition on nothing that is set before is shown itself") {
  std::string source = kTicket;
  source.replace(source.find("!last"), 5, "blockIdx.x + 1 > gridDim.x - 1");
  const MergedFinding made = shown({branch(11, 11, 64, 12, 0)}, source);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 11);
  CHECK(made.help.ends_with("look at what it asks for"));
}

TEST_CASE("without such a condition nothing is said") {
  CHECK(shown({}).help == "as before");
  CHECK(shown({branch(11, 11, 60, 12, 4)}).help == "as before");
  CHECK(shown({branch(11, 11, 0, 12, 0)}).help == "as before");
  CHECK(shown({branch(2, 2, 0, 3, 40)}).help == "as before");     // another function's
  CHECK(shown({branch(11, 12, 64, 14, 0)}).help == "as before");  // the side that nobody took leads past the store
}
