// Reports for the renderers' tests.
#include "sample_reports.h"

namespace cudalabs::test {
namespace {

CheckResult check(const std::string& id, const std::string& title, Category category, double max, CheckStatus status,
                  const std::string& message = "", const std::string& help = "") {
  return {id, title, category, status == CheckStatus::passed ? max : 0, max, status, message, help};
}

Report base() {
  Report report;
  report.lab = "lab4";
  report.title = "Tiled matrix product";
  report.submission = "labs/lab4_tiled_matmul/tiled_matmul.cu";
  report.device = "virtual (NVIDIA T4)";
  report.frontend = "Debian clang version 14.0.6";
  report.sandbox = "A (bubblewrap, seccomp)";
  report.seed = 4004;
  report.timings = {{"build", 0.5}, {"kernels", 0.125}, {"run", 0.75}, {"total", 1.25}};
  return report;
}

void add_points(Report& report) {
  for (const CheckResult& one : report.checks) {
    report.points += one.points;
    report.max += one.max;
  }
}

Finding race() {
  Finding finding;
  finding.id = "shared-race";
  finding.message = "`tile_b` is read before the thread that writes it has passed a barrier";
  finding.where = {"matmul.cu", 12, 33};
  finding.kernel = "tiled_kernel";
  finding.block = Index3{0, 0, 0};
  finding.thread = Index3{3, 1, 0};
  finding.address = 4224;
  finding.count = 30720;
  finding.note =
      "4 bytes at offset 128 of shared memory\nin 17 cases: `one_tile`, `many_tiles`, `wide`, `tall` and 13 more";
  finding.help = "put a `__syncthreads()` between the loads and the products";
  finding.other = OtherPlace{"earlier write of 4 bytes", {"matmul.cu", 9, 5}, Index3{0, 0, 0}, Index3{3, 0, 0}};
  return finding;
}

Finding mismatch() {
  Finding finding;
  finding.id = "result-mismatch";
  finding.message = "`c` is wrong in row 32: beyond the last whole block of 16 rows; every wrong element is 0";
  finding.count = 97;
  finding.note =
      "case `one_more` (one more than whole tiles in every direction): 97 of 3201 elements\n"
      "first: c[32][0] is 0, expected 1.25 ± 3e-06";
  finding.help = "the number of blocks (or of tiles) must be rounded up: `(size + tile - 1) / tile`, in integers";
  return finding;
}

Finding advice() {
  Finding finding;
  finding.id = "redundant-barrier";
  finding.severity = Severity::advice;
  finding.message = "no thread depends on another across this barrier";
  finding.where = {"matmul.cu", 11, 3};
  finding.kernel = "tiled_kernel";
  finding.help = "it can go";
  return finding;
}

SpeedResult speed(SpeedResult::Kind kind, double ratio) {
  SpeedResult result;
  result.kind = kind;
  result.check = "tile_speedup";
  result.device = kind == SpeedResult::Kind::measured ? "NVIDIA H200" : "NVIDIA T4";
  result.device_class = "any";
  result.baseline = "a naive product with coalesced accesses";
  result.size = "m = 2048, n = 2048, p = 2048";
  result.none = 1;
  result.full = 1.3;
  result.honours = 3;
  result.ratio = ratio;
  return result;
}

SpeedResult measured(double ratio) {
  SpeedResult result = speed(SpeedResult::Kind::measured, ratio);
  result.low = ratio - 0.03125;
  result.high = ratio + 0.03125;
  result.pairs = 3;
  result.ratios = {ratio - 0.03125, ratio, ratio + 0.03125};
  result.seconds = 0.00048828125;
  result.baseline_seconds = result.seconds * ratio;
  result.event_seconds = 0.000484375;
  return result;
}

}  // namespace

Report slow_report() {
  Report report = base();
  report.device = "NVIDIA H200 and virtual (NVIDIA T4)";
  CheckResult slow = check("tile_speedup", "the product is faster than without tiles", Category::speed, 5,
                           CheckStatus::failed, "full points from 1.3 times the speed of a naive product on",
                           "tiles of 16×16 or 32×32 and no bank conflicts are enough");
  slow.points = 2.5;
  report.checks = {slow};
  report.first_check = "tile_speedup";
  report.speed = {measured(1.15625)};
  report.speed[0].decided = false;
  report.speed[0].credit = 0.5;
  add_points(report);
  return report;
}

Report modelled_report() {
  Report report = base();
  report.checks = {
      check("tile_speedup", "the product is faster than without tiles", Category::speed, 5, CheckStatus::passed),
      check("host_speedup", "the product is far faster than on one core of the host", Category::speed, 2,
            CheckStatus::passed),
      check("skipped_speed", "what nobody looked at", Category::speed, 1, CheckStatus::skipped,
            "needs `edges` to pass first")};
  SpeedResult unknown = speed(SpeedResult::Kind::unknown, 0);
  unknown.check = "host_speedup";
  unknown.doubt = "the model knows nothing of the host";
  SpeedResult unseen = speed(SpeedResult::Kind::modelled, 2);
  unseen.check = "skipped_speed";
  report.speed = {speed(SpeedResult::Kind::modelled, 3.5), unknown, unseen};
  report.speed[0].credit = 1;
  report.speed[0].doubt = "blocks that wait for each other cannot be sampled";
  add_points(report);
  return report;
}

Report passing_report() {
  Report report = base();
  report.checks = {
      check("compiles", "`tiled_matmul.cu` compiles", Category::build, 5, CheckStatus::passed),
      check("edges", "sizes that no tile divides are right", Category::correctness, 15, CheckStatus::passed),
      check("reuse", "a value fetched from global memory is used by many threads", Category::quality, 2.5,
            CheckStatus::passed),
      check("tile_speedup", "the product is faster than without tiles", Category::speed, 5, CheckStatus::passed)};
  report.speed = {measured(1.5)};
  report.speed[0].credit = 1;
  report.counters = {{"many_tiles.global_load_bytes", 65536}, {"many_tiles.warp_instructions", 18446744073709551615u}};
  add_points(report);
  return report;
}

Report failing_report() {
  Report report = base();
  report.checks = {
      check("compiles", "`tiled_matmul.cu` compiles", Category::build, 5, CheckStatus::passed),
      check("edges", "sizes that no tile divides are right", Category::correctness, 15, CheckStatus::failed,
            "of 8 cases 1 did not give the right result:\ncase `one_more` (one more than whole tiles in every "
            "direction): "
            "`c` is wrong in row 32 (97 of 3201 elements)",
            "there are ceil(n / TILE) phases, rounded up in integers"),
      check(
          "no_races",
          "no thread reads a tile that another is still writing, or overwrites one that another still reads, whatever "
          "the order",
          Category::sync, 10, CheckStatus::failed,
          "of 17 cases 17 did not pass:\ncase `one_tile`: shared-race at "
          "tiled_matmul.cu:12"),
      check("in_bounds", "no thread reads or writes outside A, B and C", Category::sync, 5, CheckStatus::skipped,
            "needs `edges` to pass first")};
  report.checks[1].because = report.checks[3].because = {2};
  report.checks[2].because = {1};
  report.findings = {race(), mismatch(), advice()};
  report.console = "starting\ndone\n";
  report.next_steps = {"when it is fixed: make lab4 && ./grade lab4", "stuck? ./grade hint lab4"};
  add_points(report);
  return report;
}

Report build_failure_report() {
  Report report = base();
  report.checks = {check("compiles", "`tiled_matmul.cu` compiles", Category::build, 5, CheckStatus::failed,
                         "the submission does not compile: expected `;` at matmul.cu:9"),
                   check("edges", "sizes that no tile divides are right", Category::correctness, 15,
                         CheckStatus::skipped, "needs `compiles` to pass first")};
  Finding finding;
  finding.id = "build-failed";
  finding.message = "expected ';' after expression";
  finding.where = {"matmul.cu", 9, 0};
  report.findings = {finding};
  report.build_output =
      "matmul.cu:9:43: error: expected ';' after expression\n"
      "\ttile_a[ty][tx] = a[row * n + k]\n"
      "                                  ^\n1 error generated.\n";
  add_points(report);
  return report;
}

Report broken_report() {
  Report report = base();
  report.sandbox.clear();
  report.checks = {check("compiles", "`tiled_matmul.cu` compiles", Category::build, 5, CheckStatus::error,
                         "cannot make a pipe: Too many open files"),
                   check("edges", "sizes that no tile divides are right", Category::correctness, 15, CheckStatus::error,
                         "cannot make a pipe: Too many open files")};
  report.next_steps = {"this is not your fault: the grader failed; show this report to your instructor"};
  add_points(report);
  return report;
}

Report hostile_report() {
  const std::string nasty = std::string("\x1b[2J\x1b]0;pwned\x07 \x80\xff \xc3\x28 \xe2\x80\xae]]><b a=\"&'\">\r") +
                            '\0' + " \xf4\x90\x80\x80 \xef\xbf\xbf \x7f\xc2\x9b" + "1m";
  Report report = base();
  report.submission = nasty + "\n.cu";
  report.checks = {check("compiles", nasty, Category::build, 5, CheckStatus::failed, nasty + "\n" + nasty, nasty)};
  Finding finding;
  finding.id = "shared-race" + nasty + std::string(90, 'z') + " z";
  finding.message = nasty + "\nsecond line";
  finding.where = {"matmul.cu", 3, 9};
  finding.kernel = nasty;
  finding.thread = Index3{0, 0, 0};
  finding.note = nasty;
  finding.help = nasty;
  finding.other = OtherPlace{nasty, {nasty, 4, 4}, Index3{1, 2, 3}, {}};
  Finding far_right = finding;
  far_right.where = {"matmul.cu", 4, 400};
  far_right.other.reset();
  report.findings = {finding, far_right};
  report.build_output = nasty + "\n" + std::string(300, 'x') + "\n";
  for (int i = 0; i < 100; ++i) report.build_output += "line\n";
  report.console = "lab4: full marks\n100 of 100 points\n" + nasty;
  report.counters = {{nasty, 1}};
  report.next_steps = {nasty};
  report.speed = {speed(SpeedResult::Kind::unknown, 0)};
  report.speed[0].check = "compiles";
  report.speed[0].doubt = nasty;
  add_points(report);
  return report;
}

std::vector<NamedReport> all_reports() {
  return {{"passing", passing_report()}, {"failing", failing_report()}, {"build_failure", build_failure_report()},
          {"broken", broken_report()},   {"slow", slow_report()},       {"modelled", modelled_report()},
          {"hostile", hostile_report()}};
}

std::string SampleSources::line(std::string_view file, std::uint32_t line) const {
  if (file != "matmul.cu") return {};
  switch (line) {
    case 3:
      return "  int \x1b[31m\tx = \xff 1;";
    case 4:
      return std::string(450, 'y');
    case 9:
      return "    tile_a[ty][tx] = a[row * n + k];";
    case 11:
      return "  __syncthreads();";
    case 12:
      return "\tfor (int k = 0; k < TILE; ++k) sum += tile_a[ty][k] * tile_b[k][tx];";
    default:
      return {};
  }
}

}  // namespace cudalabs::test
