// The server's report as JSON and back, and everything the reader must refuse.
#include <nlohmann/json.hpp>

#include "catch/catch.h"
#include "vgpu/check/allocation_place.h"
#include "vgpu/cudart/origins.h"
#include "vgpu/cudart/server_report.h"

using namespace cudalabs::vgpu;
using cudalabs::Finding;
using cudalabs::SourcePlace;

namespace {

ServerReport full_report() {
  ServerReport report;
  report.model = "NVIDIA T4";
  Finding race;
  race.id = "shared-race";
  race.severity = cudalabs::Severity::error;
  race.message = "two threads, `s[i]`";
  race.where = {"k.cu", 12, 5};
  race.kernel = "tiled";
  race.block = {1, 2, 3};
  race.thread = {4, 5, 6};
  race.address = 0xffff'ffff'ffff'ffff;
  race.count = 9;
  race.note = "note";
  race.help = {cudalabs::Advice::block_barrier, "help"};
  race.barrier = {.condition = 3, .after = 9, .before = 4, .next_round = true, .guarded = true};
  race.other = cudalabs::OtherPlace{"earlier write", {"k.cu", 10, 0}, cudalabs::Index3{1, 2, 3}, std::nullopt};
  race.other->role = cudalabs::PlaceRole::late_launch;
  race.other->name = "tiled";
  race.called_from = {{"k.cu", 20, 3}, {"k.cu", 21, 3}};
  race.other_called_from = {{"k.cu", 22, 3}};
  race.access = {.array = "c",
                 .shared_array = "s",
                 .begin = 0x2000,
                 .element = "s[3]",
                 .what = "read of 16 bytes",
                 .only_reads = true,
                 .by_host = true,
                 .allocated = 64,
                 .bytes = 16};
  race.cause = cudalabs::OtherPlace{"a barrier of a warp", {"k.cu", 11, 1}, std::nullopt, std::nullopt};
  race.launch = {7, {"k.cu", 30, 2}, 1, 2, 3};
  race.launch.refused_grid = cudalabs::Index3{0, 1, 2};
  race.missed_barrier = cudalabs::MissedBarrier::waits_elsewhere;
  race.failed_call = "cudaMemcpy";
  Finding leak;
  leak.id = "memory-leak";
  leak.severity = cudalabs::Severity::warning;
  leak.wrong_pointer = true;
  leak.last_of_call = true;
  report.findings = {race, leak};
  report.origins = {{1, {0x1234, 0x5678}}};
  LaunchCounters launch;
  launch.kernel = "tiled";
  launch.config = {{1, 2, 3}, {4, 5, 6}, 7};
  launch.executed_blocks = 5;
  launch.complete = false;
  launch.registers = 40;
  launch.shared_bytes = 4096;
  launch.values = {{"warp_instructions", 1ull << 60}};
  report.launches = {launch};
  report.launch_count = 5;
  report.asked_launches = 6;
  report.coverage = {{"k.cu", {{1, 2}, {3, 4}}}, {"empty.cu", {}}};
  report.branches = {{{"k.cu", 3, 9}, {{"k.cu", 4, 5}, 1ull << 40}, {{}, 0}}};
  AccessSample access;
  access.kernel = "tiled";
  access.where = {"k.cu", 5, 17};
  access.kind = AccessKind::store;
  access.space = MemorySpace::shared;
  access.bytes = 16;
  access.block = {1, 2, 3};
  access.warp = 31;
  access.active = 0x8000'0001;
  access.present = 0x8fff'ffff;
  access.address[31] = 0xffff'ffff'ffff'fff0;
  access.region = 64;
  access.region_bytes = 1 << 20;
  access.name = "table";
  report.accesses = {access};
  report.barriers.sites = {{"tiled", {"k.cu", 3, 1}, 40}, {"tiled", {"k.cu", 9, 1}, 40}};
  report.barriers.needs = {{0}, {0, 1}};
  report.kernel_seconds = 0.125;
  report.launch_seconds = {0.0625, 0.03125};
  report.calls = {{"cudaMalloc", 0, 7, 0},
                  {"cudaMemcpyAsync", 3, 8, 1},
                  {"cudaLaunchKernel", 0, 9, 0, true, false, false, true, 17}};
  report.writers = {{"c", "tiled", {"k.cu", 12, 5}},
                    {"",
                     "tiled",
                     {"k.cu", 13, 0},
                     {{OriginKind::fill, {"k.cu", 9, 2}, "a"}, {OriginKind::own_array, {"k.cu", 4, 1}, {}}}}};
  report.idle_stores = {{"c", "tiled", {"k.cu", 20, 7}}};
  report.extents = {{"c", "tiled", {"k.cu", 12, 5}, 2, 32, 96, 128, 512}};
  report.host_copies = {{"cudaMemcpy", {0x12, 0x34}, 3, 400, 100, true, report.writers, report.extents}};
  report.launch_calls = {{"tiled", {0x56, 0x78}, {0x9a, 0xbc}}};
  report.on_device = {"c"};
  report.early_copies = report.host_copies;
  report.host_writes = {{"c", "cudaMemset", {0x21, 0x43}}};
  report.has_managed = true;
  report.gaps = {{"c", {{0, 4}, {12, 64}}}};
  report.overreaches = {{{1, 2}, {3, 4}, true, 1024, 4, 2, 1026, true}};
  report.kept_values = {{{"count", 3, "tiled", "7", "0"}, {0x11, 0x22}}};
  report.refused_pointers = {{{1, 2}, {PointerKind::host, PointerKind::stray, 2}}};
  report.call_count = 12;
  report.module_errors = {"PTX line 3: bad"};
  report.context_error = 700;
  report.said_goodbye = true;
  report.optimised = true;
  report.wide_accesses = true;
  report.interrupted = true;
  report.protocol_error = "p";
  report.internal_error = "i";
  return report;
}

std::string reason(const std::string& text) {
  try {
    server_report_from_json(text);
  } catch (const ReportError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a report survives the journey") {
  ServerReport report = full_report();
  report.origins.push_back({0, {0x12, 0x34}, false, true});
  const std::string text = to_json(report);
  const ServerReport back = server_report_from_json(text);
  CHECK(to_json(back) == text);
  CHECK(back.findings == report.findings);
  CHECK(back.origins == report.origins);
  CHECK(back.calls == report.calls);
  CHECK(back.barriers == report.barriers);
  CHECK(back.coverage == report.coverage);
  CHECK(back.branches == report.branches);
  CHECK(back.accesses == report.accesses);
  CHECK(back.writers == report.writers);
  CHECK(back.idle_stores == report.idle_stores);
  CHECK(back.extents == report.extents);
  CHECK(back.host_copies == report.host_copies);
  CHECK(back.on_device == report.on_device);
  CHECK(back.early_copies == report.early_copies);
  CHECK(back.host_writes == report.host_writes);
  CHECK(back.has_managed);
  CHECK(back.gaps == report.gaps);
  CHECK(back.overreaches == report.overreaches);
  CHECK(back.refused_pointers == report.refused_pointers);
  CHECK(back.kernel_seconds == report.kernel_seconds);
  CHECK(back.launch_seconds == report.launch_seconds);
  CHECK(back.launch_calls == report.launch_calls);
  CHECK(back.launches.at(0).executed_blocks == 5);
  CHECK_FALSE(back.launches.at(0).complete);
  CHECK(back.launches.at(0).registers == 40);
  CHECK(back.launches.at(0).shared_bytes == 4096);
  CHECK(back.launches.at(0).values == report.launches.at(0).values);
  CHECK(back.launches.at(0).config.block == report.launches.at(0).config.block);
  CHECK(back.launch_count == 5);
  CHECK(back.asked_launches == 6);
  CHECK(back.context_error == 700);
  CHECK(back.said_goodbye);
  CHECK(back.optimised);
  CHECK(back.wide_accesses);
  CHECK(back.interrupted);
  CHECK(to_json(server_report_from_json(to_json({}))) == to_json({}));
}

TEST_CASE("text that is not UTF-8 does not stop a report") {
  ServerReport report;
  report.protocol_error = "bad \xff byte";
  CHECK(server_report_from_json(to_json(report)).protocol_error == "bad \xef\xbf\xbd byte");
}

TEST_CASE("a report that lacks any member is refused by name") {
  const auto whole = nlohmann::json::parse(to_json(full_report()));
  for (const auto& [key, value] : whole.items()) {
    auto lacking = whole;
    lacking.erase(key);
    CHECK(reason(lacking.dump()).find("`" + key + "`") != std::string::npos);
    for (const auto& wrong : {nlohmann::json(nullptr), nlohmann::json(-1), nlohmann::json::array({-1.5}),
                              nlohmann::json::object({{"x", 1}})}) {
      auto changed = whole;
      changed[key] = wrong;
      CHECK(reason(changed.dump()) != "none");
    }
  }
  for (const auto& [key, value] : whole["accesses"][0].items()) {
    auto lacking = whole;
    lacking["accesses"][0].erase(key);
    CHECK(reason(lacking.dump()) == "report: `accesses[0]` has no `" + key + "`");
  }
  for (const auto& [key, value] : whole["findings"][0].items()) {
    auto lacking = whole;
    lacking["findings"][0].erase(key);
    CHECK(reason(lacking.dump()).find("findings[0]") != std::string::npos);
  }
}

TEST_CASE("reports that contradict themselves are refused") {
  const auto whole = nlohmann::json::parse(to_json(full_report()));
  const auto with = [&](const std::string& pointer, const nlohmann::json& value) {
    auto changed = whole;
    changed[nlohmann::json::json_pointer(pointer)] = value;
    return reason(changed.dump());
  };
  CHECK(with("/version", 2) == "report: version 2, expected 1");
  CHECK(with("/origins/0/finding", 2) == "report: `origins[0]` is not the origin of a finding");
  CHECK(with("/origins/0/of_other", true) == "report: `origins[0]` is not the origin of a finding");
  CHECK(with("/origins/0/of_cause", true) == "report: `origins[0]` is not the origin of a finding");
  CHECK(with("/extents/0/end", 128) == "report: `extents[0].end` is not behind the first byte");
  CHECK(with("/extents/0/threads", 97) == "report: `extents[0].threads` is not a part of the stores");
  CHECK(with("/host_copies/0/unwritten", 401) == "report: `host_copies[0].unwritten` is not a part of the bytes");
  CHECK(with("/refused_pointers/0/direction", 6) ==
        "report: `refused_pointers[0].direction` is not a direction of copies");
  CHECK(with("/refused_pointers/0/first", "far") == "report: `far` is not a kind of pointer");
  CHECK(with("/gaps/0/unwritten/1/begin", 3) == "report: `gaps[0].unwritten` is not a list of ranges in their order");
  CHECK(with("/gaps/0/unwritten/0/end", 0) == "report: `gaps[0].unwritten` is not a list of ranges in their order");
  CHECK(with("/barriers/needs/1/0", 2) == "report: `barriers.needs[1][0]` is not the index of a site");
  CHECK(with("/findings/0/severity", "fatal") == "report: `fatal` is not a severity");
  CHECK(with("/findings/0/where/line", 1ull << 32) == "report: `findings[0].where.line` is not a number in range");
  CHECK(with("/findings/0/block", {1, 2}) == "report: `findings[0].block` is not three numbers");
  CHECK(with("/launch_seconds/1", -1.0) == "report: `launch_seconds[1]` is not a duration");
  CHECK(with("/kernel_seconds", -1.0) == "report: `kernel_seconds` is not a duration");
  CHECK(with("/coverage/k.cu/0", {1}) == "report: `coverage.k.cu[0]` is not a line and a count");
  CHECK(with("/branches/0/next/threads", -1) == "report: `branches[0].next.threads` is not a number in range");
  CHECK(with("/branches/0/other/to", "here") == "report: `branches[0].other.to` is not an object");
  CHECK(with("/accesses/0/kind", "glance") == "report: `glance` is not a kind of access");
  CHECK(with("/accesses/0/space", "local") == "report: `local` is not global or shared memory");
  CHECK(with("/accesses/0/bytes", 3) == "report: `accesses[0].bytes` is not the width of an access");
  CHECK(with("/accesses/0/bytes", 32) == "report: `accesses[0].bytes` is not the width of an access");
  CHECK(with("/accesses/0/active", 0) == "report: `accesses[0].active` is not a set of lanes");
  CHECK(with("/accesses/0/active", 1ull << 32) == "report: `accesses[0].active` is not a number in range");
  CHECK(with("/accesses/0/address", {1, 2}) == "report: `accesses[0].address` is not an address for each lane");
  CHECK(with("/launches/0/values/warp_instructions", "many") != "none");
  CHECK(reason("") == "report: it is not JSON");
  CHECK(reason("{} x") == "report: it is not JSON");
  CHECK(reason("[]") == "report: it is not an object");
}

TEST_CASE("call sites become source places") {
  ServerReport report = full_report();
  CHECK(origin_addresses(report) == std::vector<std::uint64_t>{0x1234, 0x5678});
  CHECK(addr2line_command("./a b", origin_addresses(report)) ==
        std::vector<std::string>{"addr2line", "-a", "-i", "-e", "./a b", "0x1234", "0x5678"});
  const SourcePlace student{"/src/vector add.cu", 42, 0}, other{"/src/main.cu", 7, 0},
      header{"/usr/include/cuda_runtime.h", 879, 0};

  SECTION("plain") {
    place_findings(report, std::vector{student, other});
    CHECK(report.findings[1].where == student);
    CHECK(report.findings[0].where == SourcePlace{"k.cu", 12, 5});
  }
  SECTION("in a wrapper of the CUDA headers") {
    place_findings(report, std::vector{header, other});
    CHECK(report.findings[1].where == other);
  }
  SECTION("in a wrapper that nobody is known to have called") {
    place_findings(report, std::vector{header, SourcePlace{}});
    CHECK(report.findings[1].where == header);
  }
  SECTION("unknown") {
    place_findings(report, std::vector{SourcePlace{}, other});
    CHECK_FALSE(report.findings[1].where.known());
  }
}

TEST_CASE("an access behind memory whose allocation nobody can place is told of without it") {
  const SourcePlace access{"k.cu", 12, 5}, allocation{"k.cu", 30, 0};
  ServerReport report;
  report.findings.resize(1);
  report.origins = {{0, {0x1234, 0}}};
  Finding& finding = report.findings[0];
  finding.id = "global-out-of-bounds";
  SECTION("which is to blame") {
    finding.other = cudalabs::OtherPlace{"read of 4 bytes past its end", access, cudalabs::Index3{1, 0, 0},
                                         cudalabs::Index3{2, 0, 0}, cudalabs::PlaceRole::access};
    CHECK(allocation_place(finding) == AllocationPlace::where);
    SECTION("known") {
      place_findings(report, std::vector{allocation, SourcePlace{}});
      CHECK(finding.where == allocation);
      CHECK(finding.other->place == access);
      return;
    }
    place_findings(report, std::vector{SourcePlace{}, SourcePlace{}});
    CHECK(finding.thread == cudalabs::Index3{2, 0, 0});
  }
  SECTION("which is not") {
    finding.where = access;
    finding.other = cudalabs::OtherPlace{"allocated here", {}, {}, {}, cudalabs::PlaceRole::allocation};
    report.origins[0].of_other = true;
    CHECK(allocation_place(finding) == AllocationPlace::other);
    place_findings(report, std::vector{SourcePlace{}, SourcePlace{}});
  }
  CHECK(finding.where == access);
  CHECK_FALSE(finding.other);
  CHECK(allocation_place(finding) == AllocationPlace::none);
}

TEST_CASE("a launch is placed apart from the finding and its other place") {
  const SourcePlace access{"k.cu", 12, 5}, launch{"k.cu", 30, 0};
  ServerReport report;
  report.findings.resize(1);
  report.findings[0].where = access;
  report.findings[0].other = cudalabs::OtherPlace{"the other thread's read is here", access, {}, {}};
  report.origins = {{0, {0x1234, 0}, false, true}};
  place_findings(report, std::vector{launch, SourcePlace{}});
  CHECK(report.findings[0].launch.where == launch);
  CHECK(report.findings[0].where == access);
  CHECK(report.findings[0].other->place == access);
}

TEST_CASE("a cause is placed apart from the finding") {
  const SourcePlace access{"k.cu", 12, 5}, wait{"k.cu", 30, 0};
  ServerReport report;
  report.findings.resize(1);
  report.findings[0].where = access;
  report.findings[0].cause = cudalabs::OtherPlace{"this waits for nothing", {}, {}, {}};
  report.origins = {{.finding = 0, .origin = {0x1234, 0}, .of_cause = true}};
  place_findings(report, std::vector{wait, SourcePlace{}});
  CHECK(report.findings[0].cause->place == wait);
  CHECK(report.findings[0].where == access);
  CHECK_FALSE(report.findings[0].other);
}

TEST_CASE("of what was freed the call of the function that freed it is kept as well") {
  const SourcePlace own{"k.cu", 12, 0}, outer{"k.cu", 30, 0}, in_header{"/usr/local/cuda/include/cuda_runtime.h", 9, 0};
  const auto cause = [&](std::string id, const SourcePlace& free, const SourcePlace& call) {
    ServerReport report;
    report.findings.resize(1);
    report.findings[0].id = std::move(id);
    report.findings[0].other = cudalabs::OtherPlace{"it was freed here", {}, {}, {}};
    report.origins = {{0, {0x1234, 0x5678}, true}};
    place_findings(report, std::vector{free, call});
    return report.findings[0].cause ? report.findings[0].cause->place.line : 0;
  };
  CHECK(cause("use-after-free", own, outer) == 30);
  CHECK(cause("use-after-free", in_header, outer) == 0);  // that is where it was freed
  CHECK(cause("use-after-free", own, {}) == 0);
  CHECK(cause("invalid-free", own, outer) == 0);
}

TEST_CASE("another place that is no allocation stays, whether known or not") {
  Finding finding;
  finding.id = "global-out-of-bounds";
  finding.where = {"k.cu", 12, 5};
  finding.other = cudalabs::OtherPlace{"the index loses its upper bits here", {"k.cu", 10, 3}, {}, {}};
  const Finding before = finding;
  CHECK(allocation_place(finding) == AllocationPlace::none);
  forget_allocation_place(finding);
  CHECK(finding == before);
  finding.other->place = {};
  CHECK(allocation_place(finding) == AllocationPlace::none);
}

TEST_CASE("a function that is part of its caller leads to the call") {
  const std::string lines = "0x1\n/src/a.cu:19\n/src/a.cu:40\n/src/a.cu:50\n0x2\n/src/a.cu:7\n0x3\n??:0\n";
  const std::vector<SourcePlace> calls = parse_inlined_calls(lines, 4);
  REQUIRE(calls.size() == 4);
  CHECK(calls[0] == SourcePlace{"/src/a.cu", 40, 0});
  CHECK_FALSE(calls[1].known());
  CHECK_FALSE(calls[2].known());
  CHECK_FALSE(calls[3].known());
  CHECK(parse_addr2line(lines, 2) == std::vector<SourcePlace>{{"/src/a.cu", 19, 0}, {"/src/a.cu", 7, 0}});
}

TEST_CASE("what addr2line prints") {
  const SourcePlace unknown;
  CHECK(parse_addr2line("0x0000000000001234\n/src/vector add.cu:42 (discriminator 3)\n", 1) ==
        std::vector<SourcePlace>{{"/src/vector add.cu", 42, 0}});
  // Inlined: innermost first; a CUDA header gives way to its caller.
  // nvcc's own name for the code of a template.
  CHECK(parse_addr2line("0x1\n/tmp/tmpxft_00000004_00000000-6_my_sum.cudafe1.cpp:40\n", 1) ==
        std::vector<SourcePlace>{{"my_sum.cu", 40, 0}});
  CHECK(parse_addr2line("0x1\n/tmp/tmpxft.cudafe1.cpp:40\n", 1) ==
        std::vector<SourcePlace>{{"/tmp/tmpxft.cudafe1.cpp", 40, 0}});
  CHECK(parse_addr2line("0x1\n/x/cuda_runtime.h:879\n/src/a.cu:3\n/src/b.cu:4\n0x2\n/src/c.cu:5\n/src/d.cu:6\n0x3\n"
                        "/x/cuda_runtime.h:1\n",
                        3) ==
        std::vector<SourcePlace>{{"/src/a.cu", 3, 0}, {"/src/c.cu", 5, 0}, {"/x/cuda_runtime.h", 1, 0}});
  // So does one of the compiler's.
  CHECK(parse_addr2line("0x1\n/usr/include/c++/12/bits/shared_ptr.h:1\n/x/a.cu:3\n0x2\n/usr/include/stdlib.h:2\n", 2) ==
        std::vector<SourcePlace>{{"/x/a.cu", 3, 0}, {"/usr/include/stdlib.h", 2, 0}});
  // What is not known, missing or not understood stays unknown, and the others keep their numbers.
  CHECK(parse_addr2line("0x1\n??:0\n0x2\n??:?\n0x3\nk.cu:?\n0x4\nk.cu:0\n0x5\nnothing\n0x6\n:\n0x7\nk.cu:7\n", 8) ==
        std::vector<SourcePlace>{unknown, unknown, unknown, unknown, unknown, unknown, {"k.cu", 7, 0}, unknown});
  CHECK(parse_addr2line("", 2) == std::vector<SourcePlace>(2));
  CHECK(parse_addr2line("k.cu:1\n0x1\nk.cu:2\n0x2\nk.cu:3\n", 1) == std::vector<SourcePlace>{{"k.cu", 2, 0}});
  CHECK(parse_addr2line("0x1\nk.cu:99999999999\n", 1) == std::vector<SourcePlace>(1));
}
