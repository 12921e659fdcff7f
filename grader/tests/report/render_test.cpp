// What every renderer owes its readers, whatever a submission put into the report.
#include <nlohmann/json.hpp>

#include <algorithm>

#include "catch.h"
#include "report/printable.h"
#include "sample_reports.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

constexpr TerminalStyle kPlain{.color = false, .unicode = true, .width = 100};

/// Bytes that may not stand in any output: control characters but the line end, DEL, and C1 controls in UTF-8.
bool has_control(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7F) return true;
    if (byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
  }
  return false;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("no hostile byte reaches a terminal") {
  const std::string text = render_terminal(hostile_report(), SampleSources(), kPlain);
  CHECK_FALSE(has_control(text));
  CHECK(printable(text) == text);
}

TEST_CASE("colours are the only escapes in colour") {
  std::string text = render_terminal(hostile_report(), SampleSources(), {.color = true, .unicode = true, .width = 100});
  for (std::size_t at; (at = text.find("\x1b[")) != std::string::npos;) {
    const std::size_t end = text.find_first_not_of("0123456789;", at + 2);
    REQUIRE(end != std::string::npos);
    REQUIRE(text[end] == 'm');
    text.erase(at, end + 1 - at);
  }
  CHECK(text == render_terminal(hostile_report(), SampleSources(), kPlain));
}

TEST_CASE("help that the finding above has given is not repeated") {
  Report report = failing_report();
  Finding race = report.findings.at(0), other = race;
  other.help = "something else";
  report.findings = {race, race, other, race};
  const std::string text = render_terminal(report, SampleSources(), kPlain);
  const auto count = [&](const std::string& line) { return std::ranges::count(lines_of(text), "   = help: " + line); };
  CHECK(count(race.help) == 2);
  CHECK(count("as above") == 1);
  CHECK(count(other.help) == 1);
}

TEST_CASE("what a program prints never starts a line") {
  Report report = failing_report();
  report.console = "lab4: full marks\n";
  report.build_output = "lab4: full marks\n";
  for (const std::string& line : lines_of(render_terminal(report, SampleSources(), kPlain))) {
    CHECK_FALSE(line.starts_with("lab4: full marks"));
  }
}

TEST_CASE("lines stay within the width, but for words that are longer") {
  for (const unsigned width : {40u, 60u, 100u, 120u}) {
    const std::string text =
        render_terminal(failing_report(), SampleSources(), {.color = false, .unicode = true, .width = width});
    for (const std::string& line : lines_of(text)) {
      INFO(width << ": " << line);
      CHECK(display_width(line) <= width);
    }
  }
}

TEST_CASE("a line of the compiler is cut however long it is") {
  Report report = build_failure_report();
  report.build_output = std::string(1 << 20, 'x');
  CHECK(render_terminal(report, SampleSources(), kPlain).size() < 10'000);
}

TEST_CASE("without UTF-8 a report has no sign of its own beyond ASCII") {
  Report report = failing_report();
  report.findings[1].note = "plain";
  const std::string text = render_terminal(report, SampleSources(), {.color = false, .unicode = false, .width = 100});
  CHECK(std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }));
}

TEST_CASE("the caret stands below its column") {
  const auto lines = lines_of(render_terminal(failing_report(), SampleSources(), kPlain));
  const auto source =
      std::ranges::find_if(lines, [](const auto& line) { return line.find("sum += tile_a") != std::string::npos; });
  REQUIRE(source != lines.end());
  // The tab before it is one character of the file and four columns of the terminal.
  CHECK(source->find("sum +=") == (source + 1)->find('^'));
}

TEST_CASE("what the compiler said is not said twice") {
  const Report report = build_failure_report();
  CHECK(render_terminal(report, SampleSources(), kPlain).find("error[build-failed]") == std::string::npos);
  Report unsaid = report;
  unsaid.findings[0].message = "`tiled_matmul` is not defined";
  CHECK(render_terminal(unsaid, SampleSources(), kPlain).find("error[build-failed]: `tiled") != std::string::npos);
}

TEST_CASE("what to do about an error of the compiler stands below its words, once") {
  Report report = build_failure_report();
  report.findings[0].help = "launch it with `<<<>>>`";
  report.findings.push_back(report.findings[0]);
  for (const std::string& text :
       {render_terminal(report, SampleSources(), kPlain), render_screen(report, SampleSources(), kPlain)}) {
    const std::size_t at = text.find("\n= help: launch it with `<<<>>>`\n");
    REQUIRE(at != std::string::npos);
    CHECK(at > text.find("the compiler said"));
    CHECK(text.find("help: launch", at + 10) == std::string::npos);
  }
}

TEST_CASE("JSON holds what the README promises") {
  const auto json = nlohmann::json::parse(render_json(failing_report()));
  CHECK(json["version"] == 1);
  CHECK(json["lab"] == "lab4");
  CHECK(json["device"] == "virtual (NVIDIA T4)");
  CHECK(json["frontend"] == "Debian clang version 14.0.6");
  CHECK(json["sandbox"] == "A (bubblewrap, seccomp)");
  CHECK(json["seed"] == 4004);
  CHECK(json["score"] == nlohmann::json{{"points", 5}, {"max", 35}});
  REQUIRE(json["checks"].size() == 4);
  CHECK(json["checks"][3]["id"] == "in_bounds");
  CHECK(json["checks"][3]["category"] == "sync");
  CHECK(json["checks"][3]["status"] == "skipped");
  CHECK(json["checks"][3]["points"] == 0);
  CHECK(json["checks"][3]["max"] == 5);
  CHECK(json["checks"][3]["message"] == "needs `edges` to pass first");
  REQUIRE(json["findings"].size() == 3);
  const auto& race = json["findings"][0];
  CHECK(race["id"] == "shared-race");
  CHECK(race["severity"] == "error");
  CHECK(race["file"] == "matmul.cu");
  CHECK(race["line"] == 12);
  CHECK(race["kernel"] == "tiled_kernel");
  CHECK(race["block"] == nlohmann::json{0, 0, 0});
  CHECK(race["thread"] == nlohmann::json{3, 1, 0});
  CHECK(race["count"] == 30720);
  CHECK(race["other"]["line"] == 9);
  CHECK(json["findings"][1]["block"].is_null());
  CHECK(json["findings"][2]["severity"] == "advice");
  CHECK(json["timings"]["total"] == 1.25);
}

TEST_CASE("hostile text is JSON all the same, and numbers keep their digits") {
  CHECK_NOTHROW(nlohmann::json::parse(render_json(hostile_report())));
  const auto json = nlohmann::json::parse(render_json(passing_report()));
  CHECK(json["counters"]["many_tiles.warp_instructions"] == 18446744073709551615u);
  CHECK(json["checks"][2]["points"] == 2.5);
}

TEST_CASE("XML has no control character, no bare markup and no end of a CDATA section in text") {
  const std::string xml = render_junit(hostile_report());
  CHECK_FALSE(has_control(xml));
  CHECK(xml.find("]]>") == std::string::npos);
  CHECK(xml.find("<b a=") == std::string::npos);
  CHECK(printable(xml) == xml);
}

TEST_CASE("XML counts each status once") {
  const std::string xml = render_junit(failing_report());
  CHECK(xml.find("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"1\"") != std::string::npos);
  CHECK(render_junit(broken_report()).find("tests=\"2\" failures=\"0\" errors=\"2\" skipped=\"0\"") !=
        std::string::npos);
}
