// The server's report as JSON and back, and everything the reader must refuse.
#include <nlohmann/json.hpp>

#include "catch/catch.h"
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
  race.help = "help";
  race.other = cudalabs::OtherPlace{"earlier write", {"k.cu", 10, 0}, cudalabs::Index3{1, 2, 3}, std::nullopt};
  Finding leak;
  leak.id = "memory-leak";
  leak.severity = cudalabs::Severity::warning;
  report.findings = {race, leak};
  report.origins = {{1, 0x1234}};
  LaunchCounters launch;
  launch.kernel = "tiled";
  launch.config = {{1, 2, 3}, {4, 5, 6}, 7};
  launch.values = {{"warp_instructions", 1ull << 60}};
  report.launches = {launch};
  report.launch_count = 5;
  report.coverage = {{"k.cu", {{1, 2}, {3, 4}}}, {"empty.cu", {}}};
  report.barriers.sites = {{"tiled", {"k.cu", 3, 1}, 40}, {"tiled", {"k.cu", 9, 1}, 40}};
  report.barriers.needs = {{0}, {0, 1}};
  report.kernel_seconds = 0.125;
  report.calls = {{"cudaMalloc", 0, 7, 0}, {"cudaMemcpyAsync", 3, 8, 1}};
  report.call_count = 12;
  report.module_errors = {"PTX line 3: bad"};
  report.context_error = 700;
  report.said_goodbye = true;
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
  const ServerReport report = full_report();
  const std::string text = to_json(report);
  const ServerReport back = server_report_from_json(text);
  CHECK(to_json(back) == text);
  CHECK(back.findings == report.findings);
  CHECK(back.origins == report.origins);
  CHECK(back.calls == report.calls);
  CHECK(back.barriers == report.barriers);
  CHECK(back.coverage == report.coverage);
  CHECK(back.kernel_seconds == report.kernel_seconds);
  CHECK(back.launches.at(0).values == report.launches.at(0).values);
  CHECK(back.launches.at(0).config.block == report.launches.at(0).config.block);
  CHECK(back.launch_count == 5);
  CHECK(back.context_error == 700);
  CHECK(back.said_goodbye);
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
    for (const auto& wrong : {nlohmann::json(nullptr), nlohmann::json(-1), nlohmann::json::array({1.5}),
                              nlohmann::json::object({{"x", 1}})}) {
      auto changed = whole;
      changed[key] = wrong;
      CHECK(reason(changed.dump()) != "none");
    }
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
  CHECK(with("/barriers/needs/1/0", 2) == "report: `barriers.needs[1][0]` is not the index of a site");
  CHECK(with("/findings/0/severity", "fatal") == "report: `fatal` is not a severity");
  CHECK(with("/findings/0/where/line", 1ull << 32) == "report: `findings[0].where.line` is not a number in range");
  CHECK(with("/findings/0/block", {1, 2}) == "report: `findings[0].block` is not three numbers");
  CHECK(with("/kernel_seconds", -1.0) == "report: `kernel_seconds` is not a duration");
  CHECK(with("/coverage/k.cu/0", {1}) == "report: `coverage.k.cu[0]` is not a line and a count");
  CHECK(with("/launches/0/values/warp_instructions", "many") != "none");
  CHECK(reason("") == "report: it is not JSON");
  CHECK(reason("{} x") == "report: it is not JSON");
  CHECK(reason("[]") == "report: it is not an object");
}

TEST_CASE("call sites become source places") {
  ServerReport report = full_report();
  CHECK(origin_addresses(report) == std::vector<std::uint64_t>{0x1234});
  CHECK(addr2line_command("./a b", origin_addresses(report)) ==
        std::vector<std::string>{"addr2line", "-e", "./a b", "0x1234"});
  const auto places = parse_addr2line("/src/vector add.cu:42 (discriminator 3)\n", 1);
  CHECK(places == std::vector<SourcePlace>{{"/src/vector add.cu", 42, 0}});
  place_findings(report, places);
  CHECK(report.findings[1].where == places[0]);
  CHECK(report.findings[0].where == SourcePlace{"k.cu", 12, 5});
}

TEST_CASE("what addr2line does not know stays unknown") {
  const SourcePlace unknown;
  CHECK(parse_addr2line("??:0\n??:?\nk.cu:?\nk.cu:0\nnothing\n:\nk.cu:7\n", 8) ==
        std::vector<SourcePlace>{unknown, unknown, unknown, unknown, unknown, unknown, {"k.cu", 7, 0}, unknown});
  CHECK(parse_addr2line("", 2) == std::vector<SourcePlace>(2));
  CHECK(parse_addr2line("k.cu:1\nk.cu:2\n", 1).size() == 1);
  CHECK(parse_addr2line("k.cu:99999999999\n", 1) == std::vector<SourcePlace>(1));
}
