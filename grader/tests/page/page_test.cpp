// Pages for a browser: what stands on them, and that no text of a submission is more than text.
#include <algorithm>
#include <iterator>
#include <limits>
#include <regex>
#include <set>
#include <string>

#include "catch.h"
#include "golden_page.h"
#include "page/base64.h"
#include "page/graded_page.h"
#include "page/measured_ladders.h"
#include "page/speed_plot.h"
#include "page/templates.h"
#include "sample_works.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs;
using namespace cudalabs::page;
using namespace cudalabs::test;

namespace {

bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

page::GradedWork work_called(const std::string& name) {
  const std::vector<NamedWork> works = all_works();
  return std::ranges::find(works, name, &NamedWork::name)->work;
}

std::set<std::string> all_of(const std::string& page, const std::string& pattern) {
  const std::regex form(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(page.begin(), page.end(), form), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

}  // namespace

TEST_CASE("text is text, also a submission's") {
  CHECK(escaped("<b> & \"x\" 'y'") == "&lt;b&gt; &amp; &quot;x&quot; &#39;y&#39;");
  CHECK(escaped("\x1b\xff") == "\\x1b\\xff");
  CHECK(Markup::prose("use `a<b` or `c").text() == "use <code>a&lt;b</code> or `c");
}

TEST_CASE("bytes in base 64") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64(std::string("\0\xff\x10", 3)) == "AP8Q");
}

TEST_CASE("markup and text cannot be taken for each other") {
  Values values;
  CHECK_THROWS_AS(values.text("a_markup", "<b>"), std::logic_error);
  CHECK_THROWS_AS(values.markup("a", Markup::prose("x")), std::logic_error);
  // What a template takes in as it is has a name that says so.
  const std::regex raw(R"(\{\{\{\s*(\w+)|\{\{&\s*(\w+))");
  for (const auto& [name, text] : page_templates()) {
    if (name == "page") continue;
    const std::string whole(text);
    for (std::sregex_iterator at(whole.begin(), whole.end(), raw), end; at != end; ++at) {
      CAPTURE(name, at->str());
      CHECK(at->str().ends_with("_markup"));
    }
  }
}

TEST_CASE("a template that is not there or not well formed is an error") {
  CHECK_THROWS_AS(fill("no_such_template", {}), std::logic_error);
  CHECK_THROWS_AS(fill("bad", {}, {{"bad", "{{#open}}"}}), std::logic_error);
  CHECK(fill("good", Values().text("x", "<"), {{"good", "{{x}}"}}).text() == "&lt;");
}

TEST_CASE("what is empty hides what is called alike further out") {
  Values inner;
  inner.text("note", "");
  Values outer;
  outer.text("note", "outer").part("inner", inner);
  CHECK(fill("nested", outer, {{"nested", "{{#inner}}[{{note}}]{{/inner}}"}}).text() == "[]");
}

TEST_CASE("pages of reports") {
  for (const auto& [name, work] : all_works()) check_golden_page(name + ".html", render_page(work));
}

TEST_CASE("no page has a script, a handler, a style of an element or an address outside of it") {
  for (const auto& [name, work] : all_works()) {
    CAPTURE(name);
    const std::string page = render_page(work);
    CHECK(has(page, "content=\"default-src 'none'; img-src data:; style-src 'sha256-"));
    CHECK_FALSE(has(page, "<script"));
    CHECK_FALSE(has(page, "<img src=x"));
    CHECK_FALSE(has(page, " style="));
    CHECK_FALSE(has(page, "\x1b"));
    CHECK_FALSE(has(page, "\xe2\x80\xae"));
    CHECK(all_of(page, "<[^>]*\\s(on\\w+)\\s*=\\s*\"").empty());
    for (const std::string& address : all_of(page, "(?:href|src)=\"([^\"]*)\"")) {
      CAPTURE(address);
      CHECK((address.starts_with("#") || address.starts_with("data:image/png;base64,")));
    }
  }
}

TEST_CASE("what looks like a template in a text is text") {
  CHECK(has(render_page(hostile_work()), "{{{json}}}{{x}}"));
}

TEST_CASE("every link on a page leads somewhere, and no two places have one name") {
  for (const auto& [name, work] : all_works()) {
    CAPTURE(name);
    const std::string page = render_page(work);
    const std::set<std::string> places = all_of(page, " id=\"([^\"]*)\"");
    for (const std::string& target : all_of(page, "href=\"#([^\"]*)\"")) {
      CAPTURE(target);
      CHECK(places.contains(target));
    }
    const std::regex id(" id=\"[^\"]*\"");
    CHECK(static_cast<std::size_t>(std::distance(std::sregex_iterator(page.begin(), page.end(), id), {})) ==
          places.size());
  }
}

TEST_CASE("a race stands at both of its lines, and each leads to the other") {
  const std::string page = render_page(work_called("failing"));
  CHECK(has(page, "<a href=\"#lab4-L9\">see line 9: earlier write of 4 bytes</a>"));
  CHECK(has(page, "<a href=\"#lab4-L12\">see line 12</a>"));
  CHECK(has(page, "<li id=\"lab4-L9\"><div class=\"row other\">"));
  CHECK(has(page, "<li id=\"lab4-L12\"><div class=\"row error\">"));
}

TEST_CASE("the page says which lines ran and which conditions went one way") {
  const std::string page = render_page(work_called("failing"));
  CHECK(has(page, "<div class=\"row never\"><span>13</span><span class=\"ran\">never ran</span>"));
  CHECK(has(page, "<span class=\"ran\">983,040<span class=\"sr\"> threads</span></span>"));
  CHECK(has(page, "Of this condition one side never ran: all 61440 threads went back to line 8"));
  CHECK(has(page, "7 of 8 lines ran, 1 of 2 sides of conditions."));
}

TEST_CASE("pictures of what is wrong come first and are open") {
  const std::string page = render_page(work_called("failing"));
  const std::size_t wrong = page.find("12 of 108 wrong in <code>c</code>"),
                    right = page.find("<code>c</code> is right");
  REQUIRE(wrong != std::string::npos);
  REQUIRE(right != std::string::npos);
  CHECK(wrong < right);
  CHECK(has(page, "<details open><summary>case <code>one_more</code>"));
  CHECK(has(page, "<details><summary>case <code>whole</code>"));
}

TEST_CASE("a page stays small: pictures beyond the limit are left out, and it says so") {
  page::GradedWork work = work_called("failing");
  work.pictures[1].images[0].png.assign(7u << 20, 'x');
  const std::string page = render_page(work);
  CHECK(page.size() < (1u << 20));
  CHECK(has(page, "1 more case has large pictures"));
  CHECK(has(page, "12 of 108 wrong"));
}

TEST_CASE("of a long file the lines that findings name are shown, and no anchor is missing") {
  page::GradedWork work = work_called("failing");
  std::string text;
  for (int i = 0; i < 9000; ++i) text += "int x;\n";
  work.sources.add_text("matmul.cu", text);
  work.report.findings[0].where.line = 8000;
  const std::string page = render_page(work);
  CHECK(has(page, "id=\"lab4-L8000\""));
  CHECK(has(page, "4,994 lines are left out"));
  CHECK_FALSE(has(page, "id=\"lab4-L7000\""));
  for (const std::string& target : all_of(page, "href=\"#(lab4-L[0-9]+)\"")) CHECK(has(page, "id=\"" + target + "\""));
}

TEST_CASE("a plot has the thresholds, every pair and the interval") {
  SpeedResult speed;
  CHECK(speed_plot(speed).empty());
  speed.kind = SpeedResult::Kind::measured;
  speed.ratio = 1.2;
  speed.low = 1.1;
  speed.high = 1.3;
  speed.none = 1;
  speed.full = 1.5;
  speed.ratios = {1.1, 1.2, 1.3};
  const std::string plot = speed_plot(speed).text();
  CHECK(has(plot, "no points up to 1<"));
  CHECK(has(plot, "all points from 1.5<"));
  std::size_t pairs = 0;
  for (std::size_t at = 0; (at = plot.find("class=\"pair\"", at)) != std::string::npos; ++at) ++pairs;
  CHECK(pairs == 3);
  CHECK(
      has(plot,
          "aria-label=\"1.2 times the speed of the baseline, between 1.1 and 1.3; no points up to 1, all from 1.5\""));
  CHECK_FALSE(has(plot, "beyond what is asked"));
  speed.honours = 3;
  const std::string with_honours = speed_plot(speed).text();
  CHECK(has(with_honours, ">beyond what is asked from 3<"));
  CHECK(has(with_honours, "all from 1.5; beyond what is asked from 3\""));
  speed.ratio = std::numeric_limits<double>::infinity();
  CHECK(speed_plot(speed).empty());
}

TEST_CASE("a ladder is read at the size nearest to the one that is timed") {
  sandbox::TemporaryFolder folder;
  folder.write("ladder-h200.json", R"({"machine": {"device": "NVIDIA H200"}, "ladders": [{"lab": "lab1", "sizes": [
    {"size": "2^20", "limit": "copy", "unit": "GB/s", "results": []},
    {"size": "2^24", "limit": "copy", "unit": "GB/s", "results": [
      {"name": "copy", "rate": 4000.0, "share": 1.0}, {"name": "02_grid_stride", "rate": 3000, "share": 0.75}]}]}]})");
  Lab lab;
  lab.id = "lab1";
  SpeedTest test;
  test.check = "bandwidth";
  test.parameters = {{"n", 30'000'000}};
  test.bytes = 4e9;
  lab.speed = {test};
  Report report;
  SpeedResult speed;
  speed.check = "bandwidth";
  speed.kind = SpeedResult::Kind::measured;
  speed.device = "NVIDIA H200";
  speed.seconds = 0.002;
  report.speed = {speed};
  const auto ladders = measured_ladders(lab, report, folder.path());
  REQUIRE(ladders.size() == 1);
  CHECK(ladders[0].first == "bandwidth");
  const Ladder& ladder = ladders[0].second;
  CHECK(ladder.size == "2^24");
  REQUIRE(ladder.steps.size() == 2);
  CHECK(ladder.steps[1].name == "grid stride");
  CHECK(ladder.own_rate == Approx(2000));
  report.speed[0].device = "NVIDIA T4";
  CHECK(measured_ladders(lab, report, folder.path())[0].second.own_rate == 0);
  lab.id = "lab9";
  CHECK(measured_ladders(lab, report, folder.path()).empty());
  CHECK(measured_ladders(lab, report, folder.path() / "none").empty());
  folder.write("ladder-bad.json", "[");
  CHECK_THROWS_AS(measured_ladders(lab, report, folder.path()), std::runtime_error);
}
