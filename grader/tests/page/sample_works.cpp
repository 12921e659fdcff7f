// Gradings with all that a page can show.
#include "sample_works.h"

#include "sample_reports.h"

namespace cudalabs::test {
namespace {

constexpr const char* kSource = R"(#include "tiled_matmul.h"

constexpr int TILE = 16;

__global__ void tiled_kernel(const float* a, const float* b, float* c, int m, int n, int p) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  for (int phase = 0; phase < n / TILE; ++phase) {
    tile_a[ty][tx] = a[row * n + phase * TILE + tx];
    tile_b[ty][tx] = b[(phase * TILE + ty) * p + col];
  __syncthreads();
	for (int k = 0; k < TILE; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    if (row < 0) return;
  }
  c[row * p + col] = sum;
}
)";

/// Small pictures, 12 by 9: as they came, as expected, and where the last row is wrong.
constexpr const char* kGot =
    "89504e470d0a1a0a0000000d494844520000000c00000009080200000089da5a03000000344944415478da6360606010"
    "1111d1d0d0b0b1b1090808484949a9a8a8e8e9e959b060c1962d5b4e9c3871e7ce1d8651450cc400004fb77bc1ea8971"
    "220000000049454e44ae426082";
constexpr const char* kExpected =
    "89504e470d0a1a0a0000000d494844520000000c00000009080200000089da5a03000000344944415478da6360606010"
    "1111d1d0d0b0b1b1090808484949a9a8a8e8e9e959b060c1962d5b4e9c3871e7ce1d8651454429020009668b39aaa00d"
    "d30000000049454e44ae426082";
constexpr const char* kWrong =
    "89504e470d0a1a0a0000000d494844520000000c00000009080200000089da5a030000003a4944415478da6358b56ad5"
    "c68d1b77ecd8b17ffffe63c78e9d3d7bf6ca952bb76fdf7ef4e8d1cb972f3f7cf8f0fdfb778651450cd7e4e50922006b"
    "a8f781c5f15fd50000000049454e44ae426082";

std::string bytes_of(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  return bytes;
}

page::GradedWork with_source(const Report& report, const std::string& source) {
  page::GradedWork work{.report = report, .sources = {}, .coverage = {}, .accesses = {}, .pictures = {}, .ladders = {}};
  work.report.submission = "matmul.cu";
  work.sources.add_text("matmul.cu", source);
  return work;
}

vgpu::AccessSample access() {
  vgpu::AccessSample sample;
  sample.kernel = "tiled_kernel";
  sample.where = {"matmul.cu", 9, 22};
  sample.active = ~0u;
  sample.region = 0x70000000;
  sample.region_bytes = 1 << 16;
  for (std::uint32_t lane = 0; lane < vgpu::kWarpSize; ++lane) sample.address[lane] = sample.region + 256 * lane;
  return sample;
}

page::GradedWork failing_work() {
  page::GradedWork work = with_source(failing_report(), kSource);
  KernelCoverage coverage;
  coverage.cases = 17;
  coverage.lines = {
      {"matmul.cu",
       {{7, 30720}, {8, 30720}, {9, 61440}, {10, 61440}, {11, 61440}, {12, 983040}, {13, 0}, {15, 30720}}}};
  coverage.branches = {{{"matmul.cu", 13, 9}, {{"matmul.cu", 13, 18}, 0}, {{"matmul.cu", 8, 3}, 61440}}};
  work.coverage = coverage;
  work.accesses = AccessPicture{"lab4", "case `many_tiles` (several tiles)", {access()}};
  work.pictures = {{"case `one_more` (one more than whole tiles in every direction)",
                    {{"c", 12, 108}},
                    {{"`c` as it is", bytes_of(kGot), 12, 9},
                     {"`c` as expected", bytes_of(kExpected), 12, 9},
                     {"difference", bytes_of(kWrong), 12, 9}}},
                   {"case `whole` (whole tiles)", {{"c", 0, 108}}, {{"`c` as it is", bytes_of(kExpected), 12, 9}}}};
  return work;
}

page::Ladder ladder() {
  return {"NVIDIA H200",
          "2048",
          "cuBLAS, FP32",
          "GFLOP/s",
          {{"cuBLAS", 50000, 1}, {"naive coalesced", 5400, 0.108}, {"register pipeline", 51000, 1.02}},
          8200};
}

}  // namespace

std::vector<NamedWork> all_works() {
  std::vector<NamedWork> works;
  for (const auto& [name, report] : all_reports()) {
    if (name != "failing" && name != "hostile") works.push_back({name, with_source(report, kSource)});
  }
  works.push_back({"failing", failing_work()});
  works.push_back({"hostile", hostile_work()});
  for (NamedWork& each : works) {
    if (each.name == "slow") each.work.ladders = {{"tile_speedup", ladder()}};
  }
  return works;
}

page::GradedWork hostile_work() {
  const std::string nasty =
      "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&--><!--{{{json}}}{{x}}\x1b[31m\xe2\x80\xae\xff";
  page::GradedWork work =
      with_source(hostile_report(), "int x;\n" + nasty + "\n\tx = \xff;\n" + std::string(2000, 'y'));
  work.report.submission = "matmul.cu" + nasty;
  work.report.title = nasty;
  work.report.lab = "lab4\" onclick=\"" + nasty;
  work.report.frontend = nasty;
  work.report.sandbox = nasty;
  for (Finding& finding : work.report.findings) {
    finding.where.file = work.report.submission;
    finding.message += nasty;
  }
  work.report.findings[0].other = OtherPlace{nasty, {work.report.submission, 2, 3}, {}, {}};
  work.report.checks[0].because = {1, 2, 99};
  work.report.checks[0].id = nasty;
  work.report.speed[0].check = nasty;
  work.report.build_output += nasty;
  work.report.console += nasty;
  work.report.next_steps = {nasty};
  work.sources.add_text(work.report.submission, "int x;\n" + nasty + "\n\tx = \xff;\n" + std::string(2000, 'y'));
  work.coverage = KernelCoverage{{{work.report.submission, {{1, 0}, {3, 5}}}}, {}, 1};
  vgpu::AccessSample sample = access();
  sample.kernel = nasty;
  sample.name = nasty;
  sample.where = {nasty, 1, 1};
  work.accesses = AccessPicture{nasty, nasty, {sample}};
  work.pictures = {{nasty, {{nasty, 1, 2}}, {{nasty, bytes_of(kGot), 12, 9}}}};
  page::Ladder hostile = ladder();
  hostile.device = hostile.size = hostile.limit = hostile.unit = hostile.steps[0].name = nasty;
  work.ladders = {{nasty, hostile}};
  return work;
}

}  // namespace cudalabs::test
