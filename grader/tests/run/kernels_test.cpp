// Runs that need the virtual GPU to execute something.
#include <algorithm>
#include <string>

#include "add_lab.h"
#include "catch.h"

namespace cudalabs {
namespace {

using testing::AddLab;
using testing::honest_submission;
using testing::is_right;

TEST_CASE("a kernel's result, counters, coverage and time come back", "[run]") {
  AddLab lab;
  const Observation observed = lab.run(honest_submission());
  CAPTURE(observed.detail, observed.console);
  REQUIRE(observed.end == RunEnd::finished);
  CHECK(is_right(observed, lab.test()));
  CHECK(observed.findings.empty());
  REQUIRE(observed.launches.size() == 1);
  CHECK(observed.launches[0].kernel == "add_kernel");
  CHECK(observed.launches[0].config.block == Index3{256, 1, 1});
  CHECK(observed.kernel_seconds > 0);
  CHECK(observed.kernel_seconds < observed.wall_seconds);
  REQUIRE(observed.coverage.contains(lab.source()));
  CHECK(observed.coverage.at(lab.source()).contains(5));  // the sum
  const auto guard = std::ranges::find(observed.branches, 5u, [](const auto& branch) { return branch.where.line; });
  REQUIRE(guard != observed.branches.end());
  CHECK(guard->where.file == lab.source());
  CHECK(guard->next.threads + guard->other.threads == 256 * observed.launches[0].config.grid[0]);
  CHECK(observed.accesses.empty());  // nobody asked
}

TEST_CASE("nvcc's device code gives the same", "[run]") {
  if (!find_toolchain(Frontend::nvcc)) {
    WARN("nvcc is not installed: skipped");
    return;
  }
  AddLab lab(Frontend::nvcc);
  const Observation observed = lab.run(honest_submission());
  CAPTURE(observed.detail, observed.console);
  REQUIRE(observed.end == RunEnd::finished);
  CHECK(is_right(observed, lab.test()));
  CHECK(observed.findings.empty());
  REQUIRE(observed.coverage.contains(lab.source()));
  CHECK(observed.coverage.at(lab.source()).contains(5));
}

TEST_CASE("device code that comes with a run is executed in the place of the program's own", "[run]") {
  for (const Frontend frontend : {Frontend::clang, Frontend::nvcc}) {
    if (!find_toolchain(frontend)) {
      WARN("nvcc is not installed: skipped");
      continue;
    }
    AddLab lab(frontend);
    std::string wrong = honest_submission();
    wrong.replace(wrong.find("if (i < n) "), 11, "if (i < n - 1) ");
    BuildResult built = lab.build(wrong);
    CHECK_FALSE(is_right(lab.run_built(built), lab.test()));
    built.device_code = lab.build(honest_submission(), BuildKind::fast, BuildPart::device_code).device_code;
    const Observation observed = lab.run_built(built);
    CAPTURE(observed.detail, observed.console);
    REQUIRE(observed.end == RunEnd::finished);
    CHECK(is_right(observed, lab.test()));
    CHECK(observed.findings.empty());
    REQUIRE(observed.coverage.contains(lab.source()));
    CHECK(observed.coverage.at(lab.source()).contains(5));
  }
}

TEST_CASE("an access outside the output is found at its line, and the CUDA error is told", "[run]") {
  AddLab lab;
  std::string text = honest_submission();
  text.replace(text.find("if (i < n) "), 11, "");
  const Observation observed = lab.run(text);
  CHECK(observed.end == RunEnd::runtime_error);
  CHECK(observed.detail.find("cudaErrorIllegalAddress") != std::string::npos);
  const auto found = std::ranges::find(observed.findings, std::string("global-out-of-bounds"), &Finding::id);
  REQUIRE(found != observed.findings.end());
  CHECK(found->where.file == lab.source());
  CHECK(found->where.line == 5);
}

TEST_CASE("a kernel that writes to an input is found at the store, and its result stands", "[run]") {
  AddLab lab;
  std::string text = honest_submission();
  text.replace(text.find("c[i] = a[i] + b[i];"), 19, "{ c[i] = a[i] + b[i]; const_cast<float*>(b)[i] = 0; }");
  const Observation observed = lab.run(text);
  CAPTURE(observed.detail, observed.console);
  REQUIRE(observed.end == RunEnd::finished);
  CHECK(is_right(observed, lab.test()));
  REQUIRE(observed.findings.size() == 1);
  CHECK(observed.findings[0].id == "input-overwritten");
  CHECK(observed.findings[0].message.find("`b[0]`") != std::string::npos);
  CHECK(observed.findings[0].where.file == lab.source());
  CHECK(observed.findings[0].where.line == 5);
}

TEST_CASE("what a kernel prints is shown, and cut when it is too much; that ends nothing", "[run]") {
  AddLab lab;
  std::string text = honest_submission();
  text.replace(text.find("if (i < n) "), 11, "if (i == 3) printf(\"thread %d\\n\", i);\n  if (i < n) ");
  text.insert(0, "#include <cstdio>\n");
  const Observation observed = lab.run(text);
  CHECK(observed.end == RunEnd::finished);
  CHECK(observed.console == "thread 3\n");
  text.replace(text.find("if (i == 3)"), 11, "for (int k = 0; k < 100; ++k)");
  const Observation chatty = lab.run(text);
  CHECK(chatty.end == RunEnd::finished);
  CHECK(is_right(chatty, lab.test()));
  CHECK(chatty.console.find("is cut here") != std::string::npos);
  CHECK(chatty.console.size() <= lab.lab().limits.output_kib * 1024);
}

TEST_CASE("a program that leaves while its kernel runs does not keep the grader", "[run]") {
  AddLab lab;
  lab.lab().limits.kernel_seconds = 1;
  std::string text = honest_submission();
  text.replace(text.find("c[i] = a[i] + b[i];"), 19, "for (;;) c[i] += b[i];");
  text.replace(text.find("if (cudaGetLastError"), 20, "_exit(0); if (cudaGetLastError");
  text.insert(0, "#include <unistd.h>\n");
  CHECK(lab.run(text).end == RunEnd::exited_early);
}

TEST_CASE("a kernel that does not end is ended, and says so", "[run]") {
  AddLab lab;
  lab.lab().limits.kernel_seconds = 0.3;
  std::string text = honest_submission();
  text.replace(text.find("c[i] = a[i] + b[i];"), 19, "for (;;) c[i] += b[i];");
  const Observation observed = lab.run(text);
  CHECK(observed.end == RunEnd::runtime_error);
  CHECK(std::ranges::count(observed.findings, std::string("timed-out"), &Finding::id) == 1);
  CHECK(observed.outputs.empty());
}

TEST_CASE("a kernel that cannot end is ended long before its limits", "[run]") {
  AddLab lab;
  lab.lab().limits.kernel_instructions = 0;
  for (const char* loop :
       {"for (int k = 0; k < 5;) c[i] += b[i];", "while (n > 0) c[i] += b[i];", "for (;;) c[i] += b[i];"}) {
    std::string text = honest_submission();
    text.replace(text.find("c[i] = a[i] + b[i];"), 19, loop);
    const Observation observed = lab.run(text);
    const auto found = std::ranges::find(observed.findings, std::string("timed-out"), &Finding::id);
    REQUIRE(found != observed.findings.end());
    CHECK(found->note == "a thread that goes on in this loop never leaves it");
  }
}

TEST_CASE("long loops that end by a flag, by a vote or by what others do are not taken for endless ones", "[run]") {
  AddLab lab;
  lab.lab().limits.kernel_instructions = 0;
  for (const char* loop : {"bool go = true; int k = 0; while (go) { if (++k > 20000) go = false; }",
                           "int k = 0; bool go = true; for (;;) { if (!go) break; if (++k > 20000) go = false; }",
                           "int k = 0; while (__any_sync(__activemask(), ++k < 20000)) { if (k < 0) break; }"}) {
    std::string text = honest_submission();
    text.replace(text.find("c[i] = a[i] + b[i];"), 19, std::string("{ ") + loop + " c[i] = a[i] + b[i]; }");
    const Observation observed = lab.run(text);
    CHECK(observed.end == RunEnd::finished);
    CHECK(is_right(observed, lab.test()));
  }
}

TEST_CASE("a kernel may execute so many warp instructions a block, and not one more", "[run]") {
  AddLab lab;
  std::string text = honest_submission();
  text.replace(text.find("c[i] = a[i] + b[i];"), 19, "for (int k = 0; k < 10000; ++k) c[i] += b[i];");
  lab.lab().limits.kernel_instructions = 10'000'000;
  CHECK(lab.run(text).end == RunEnd::finished);
  lab.lab().limits.kernel_instructions = 10'000;
  const Observation observed = lab.run(text);
  CHECK(observed.end == RunEnd::runtime_error);
  const auto found = std::ranges::find(observed.findings, std::string("timed-out"), &Finding::id);
  REQUIRE(found != observed.findings.end());
  CHECK(found->note.find("a block may execute 10000 warp instructions") != std::string::npos);
}

TEST_CASE("a block that draws its work from a counter may do the share of four, and endless draws end", "[run]") {
  AddLab lab;
  const std::string kernel = "__global__";
  const auto work = [&](const std::string& body) {
    std::string text = honest_submission();
    text.replace(text.find("c[i] = a[i] + b[i];"), 19, body);
    return lab.run(text.insert(text.find(kernel), "__device__ unsigned drawn;\n"));
  };
  const std::string round = "for (int k = 0; k < 100; ++k) c[i] += b[i];";
  lab.lab().limits.kernel_instructions = 80'000;
  CHECK(work("while (atomicAdd(&drawn, 1u) < 4000u) " + round).end == RunEnd::finished);
  CHECK(work("for (int draw = 0; draw < 125; ++draw) " + round).end == RunEnd::runtime_error);
  CHECK(work("while (atomicAdd(&drawn, 1u) < 40000u) " + round).end == RunEnd::runtime_error);
  CHECK(work("while (atomicAdd(&drawn, 1u) != ~0u) {}").end == RunEnd::runtime_error);
  CHECK(work("while (atomicAdd(&drawn, 0u) == 0u) {}").end == RunEnd::runtime_error);
}

}  // namespace
}  // namespace cudalabs
