// Runs for the tests of renderers.
#include "sample_run.h"

namespace cudalabs::test {

namespace {

Finding race() {
  Finding finding;
  finding.id = "shared-race";
  finding.message = "read of `partial` races with a write";
  finding.where = {"src/tree.cu", 6, 33};
  finding.kernel = "tree<float>";
  finding.block = {1, 0, 0};
  finding.thread = {3, 0, 0};
  finding.address = 0x40;
  finding.count = 1014;
  finding.note = "both access 4 bytes at offset 64 of `partial`";
  finding.help = "put a `__syncthreads()` between the two accesses";
  finding.other = OtherPlace{"earlier write of 4 bytes here", {"src/tree.cu", 4, 3}, std::nullopt, Index3{35, 0, 0}};
  return finding;
}

Finding leak() {
  Finding finding;
  finding.id = "memory-leak";
  finding.severity = Severity::warning;
  finding.message = "4,096 bytes are never freed";
  finding.help = "call `cudaFree`";
  return finding;
}

Finding advice() {
  Finding finding;
  finding.id = "redundant-barrier";
  finding.severity = Severity::advice;
  finding.message = "this barrier orders nothing";
  finding.where = {"src/tree.cu", 7, 3};
  finding.kernel = "tree<float>";
  finding.help = "leave it out";
  return finding;
}

}  // namespace

sanitizer::RunReport clean_run() {
  sanitizer::RunReport run;
  run.command = {"./build/tree", "1024"};
  run.device = "NVIDIA T4";
  run.checks = "memory, race";
  run.launches = 3;
  run.kernel_seconds = 0.125;
  run.coverage.lines = {{"src/tree.cu", {{3, 64}, {4, 64}, {6, 32}, {7, 0}}}};
  run.coverage.cases = 1;
  return run;
}

sanitizer::RunReport sample_run() {
  sanitizer::RunReport run = clean_run();
  run.exit_code = 3;
  run.findings = {race(), leak(), advice()};
  Finding known = race();
  known.where.line = 4;
  run.suppressed = {{known, "the library's authors say that it is benign"}};
  run.failures = {"device code cannot be loaded: the fat binary holds no PTX"};
  run.remarks = {"findings in host code have no lines: compile with `-g`"};
  return run;
}

sanitizer::RunReport hostile_run() {
  sanitizer::RunReport run = clean_run();
  run.command = {"./<b>\x1b[2J", "--x=\"'&"};
  Finding finding = race();
  finding.message = "\x1b[2J`<script>`\r";
  finding.kernel = "k\n<img>";
  finding.where = {"<a href=x>.cu", 1, 1};
  finding.other->label = "</code>";
  finding.note = "${{x}} {0} [a](javascript:b)";
  run.findings = {finding};
  run.suppressed = {{finding, "</li>\x07"}};
  run.remarks = {"`</ul>`\x1b]0;x\x07"};
  return run;
}

FileSources sample_sources() {
  FileSources sources;
  sources.add_text("src/tree.cu",
                   "template <class T>\n"
                   "__global__ void tree(const T* in, T* out) {\n"
                   "  __shared__ T partial[64];\n"
                   "  partial[threadIdx.x] = in[threadIdx.x];\n"
                   "  for (int left = 32; left > 0; left /= 2)\n"
                   "    if (threadIdx.x < left) out[0] += partial[threadIdx.x + left];\n"
                   "  __syncthreads();\n"
                   "}\n");
  return sources;
}

}  // namespace cudalabs::test
