// One grading as a page for a browser.
#include "page/graded_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "page/base64.h"
#include "page/finding_values.h"
#include "page/source_values.h"
#include "page/speed_plot.h"
#include "page/templates.h"
#include "report/number_text.h"
#include "report/speed_text.h"

namespace cudalabs::page {
namespace {

/// The lab's id as a name for anchors.
std::string anchor_of(const Report& report) {
  std::string name;
  for (const char c : report.lab) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') name += c;
  }
  return name.empty() ? "lab" : name;
}

/// "lab3-check-2"
std::string check_anchor(const Report& report, const std::string& check) {
  const auto found = std::ranges::find(report.checks, check, &CheckResult::id);
  return fmt::format("{}-check-{}", anchor_of(report), found - report.checks.begin() + 1);
}

std::vector<Values> blamed_checks(const Report& report, std::size_t number) {
  std::vector<Values> values;
  for (const CheckResult& check : report.checks) {
    if (std::ranges::find(check.because, number) == check.because.end()) continue;
    Values one;
    one.text("target", check_anchor(report, check.id)).text("name", check.id).flag("last", false);
    values.push_back(one);
  }
  if (!values.empty()) values.back().flag("last", true);
  return values;
}

constexpr std::size_t kMostImageBytes = 3u << 20;  // of PNG files on one page

class GradingValues {
 public:
  GradingValues(const GradedWork& work, const Setting& setting)
      : work_(work),
        report_(work.report),
        setting_(setting),
        id_(anchor_of(work.report)),
        found_{id_, work.report.findings, work.sources, {work.report.submission}} {}

  Values values() {
    head();
    first();
    checks();
    findings();
    if (std::optional<Values> source = source_values(found_, 0, coverage())) {
      values_.part("source", *source);
      enter("source", "Source");
    } else {
      values_.flag("source", false);
    }
    pictures();
    accesses();
    speeds();
    output();
    values_.list("contents", contents_);
    return std::move(values_);
  }

 private:
  /// Adds a part of the page to the list of its contents.
  void enter(std::string_view part, std::string_view name) {
    Values entry;
    contents_.push_back(entry.text("target", fmt::format("{}-{}", id_, part)).text("name", name));
  }

  void head() {
    values_.text("id", id_).text("top", std::to_string(setting_.heading));
    values_.text("sub", std::to_string(setting_.heading + 1)).text("deep", std::to_string(setting_.heading + 2));
    values_.text("title", report_.title.empty() ? report_.lab : report_.title);
    const double counted = setting_.points.value_or(report_.points);
    const std::string points = points_of(counted, report_.max);
    values_.text("points", points).text("max", fmt::format("{:g}", report_.max));
    values_.markup("scale_markup", share_bar(report_.max > 0 ? counted / report_.max : 0,
                                             counted >= report_.max ? "scale" : "scale short", points + " points"));
    values_.text("tally", tally());
    values_.list("remarks", pairs(setting_.remarks, "kind", "text"));
    std::vector<std::pair<std::string, std::string>> facts = setting_.facts;
    facts.insert(facts.end(), {{"submission", report_.submission},
                               {"device", report_.device},
                               {"compiler", report_.frontend},
                               {"sandbox", report_.sandbox},
                               {"seed", std::to_string(report_.seed)}});
    if (const auto total = report_.timings.find("total"); total != report_.timings.end())
      facts.emplace_back("time", fmt::format("{:.1f} s", total->second));
    std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
    values_.list("facts", pairs(facts, "name", "value"));
  }

  static std::vector<Values> pairs(const std::vector<std::pair<std::string, std::string>>& all, const char* first,
                                   const char* second) {
    std::vector<Values> values;
    values.reserve(all.size());
    for (const auto& [one, two] : all) values.push_back(Values().text(first, one).text(second, two));
    return values;
  }

  std::string tally() const {
    std::string text;
    for (const auto& [status, words] : {std::pair{CheckStatus::passed, "passed"},
                                        {CheckStatus::failed, "failed"},
                                        {CheckStatus::skipped, "skipped"},
                                        {CheckStatus::error, "not judged"}}) {
      const auto count = std::ranges::count(report_.checks, status, &CheckResult::status);
      if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "checks: " : ", ", count, words);
    }
    return text;
  }

  void first() {
    values_.flag("done", false).flag("first_finding", false).flag("first_check", false);
    const bool broken = std::ranges::any_of(
        report_.checks, [](const CheckResult& check) { return check.status == CheckStatus::error; });
    const auto check = std::ranges::find(report_.checks, report_.first_check, &CheckResult::id);
    const bool finding = !report_.findings.empty() && report_.findings.front().severity != Severity::advice;
    std::string title = "Fix this first";
    if (broken) {
      title = "The grader failed: there is no verdict";
    } else if (!report_.first_check.empty() && check != report_.checks.end()) {
      values_.part("first_check", first_check(*check));
    } else if (finding) {
      first_ = 1;
      values_.part("first_finding", finding_card(1));
    } else {
      title = report_.points >= report_.max ? "Full marks" : "What is missing";
      values_.flag("done", report_.points >= report_.max);
    }
    values_.text("first_title", title);
    std::vector<Values> steps;
    for (const std::string& step : report_.next_steps) steps.push_back(Values().text("text", step));
    values_.flag("has_steps", !steps.empty()).list("steps", steps);
    enter("first", title);
    if (!report_.build_output.empty()) enter("compiler", "What the compiler says");
  }

  Values first_check(const CheckResult& check) const {
    Values values;
    values.markup("title_markup", Markup::prose(check.title)).text("target", check_anchor(report_, check.id));
    values.text("name", "check " + check.id).text("message", check.message);
    values.markup("message_markup", Markup::prose(check.message));
    return values.markup("help_markup", Markup::prose(check.help));
  }

  void checks() {
    std::vector<Values> rows;
    for (const CheckResult& check : report_.checks) rows.push_back(row_of(check));
    values_.list("checks", rows);
    enter("checks", "Checks");
  }

  Values row_of(const CheckResult& check) const {
    std::vector<Values> because;
    for (const std::size_t number : check.because) {
      if (number == 0 || number > report_.findings.size()) continue;
      Values link;
      link.text("target", finding_anchor(found_, number)).text("number", std::to_string(number)).flag("last", false);
      because.push_back(link);
    }
    if (!because.empty()) because.back().flag("last", true);
    const auto speed = std::ranges::find(report_.speed, check.id, &SpeedResult::check);
    const bool timed = speed != report_.speed.end() && check.status != CheckStatus::skipped;
    Values values;
    values.text("target", check_anchor(report_, check.id)).text("status", name_of(check.status));
    values.text("check", check.id).markup("title_markup", Markup::prose(check.title));
    values.text("message", check.message).markup("message_markup", Markup::prose(check.message));
    const bool passed = check.status == CheckStatus::passed;
    values.markup("help_markup", passed ? Markup() : Markup::prose(check.help));
    values.flag("has_because", !because.empty()).list("because", because);
    values.text("speed", timed ? speed_anchor(*speed) : "");
    return values.text("points", points_of(check.points, check.max)).text("max", fmt::format("{:g}", check.max));
  }

  Values finding_card(std::size_t number) const {
    return finding_values(found_, number, setting_.heading + 2, blamed_checks(report_, number));
  }

  std::optional<ShownCoverage> coverage() const {
    if (!work_.coverage) return std::nullopt;
    const std::size_t cases = work_.coverage->cases;
    return ShownCoverage{*work_.coverage, fmt::format("{} {}", cases, cases == 1 ? "case" : "cases")};
  }

  /// The first one stands above.
  void findings() {
    std::vector<Values> cards;
    for (std::size_t number = first_ + 1; number <= report_.findings.size(); ++number)
      cards.push_back(finding_card(number));
    values_.flag("has_findings", !cards.empty()).list("findings", cards);
    const std::string title = first_ == 0 ? "Findings" : "Other findings";
    values_.text("findings_title", title);
    if (!cards.empty()) enter("findings", title);
  }

  Values image(const Image& image, std::string_view test) const {
    Values values;
    values.text("source", "data:image/png;base64," + base64(image.png));
    values.text("width", std::to_string(image.width)).text("height", std::to_string(image.height));
    values.text("description", fmt::format("{} of {}, {} by {}", image.name, test, image.width, image.height));
    return values.markup("caption_markup", Markup::prose(image.name));
  }

  static std::string title_of(const CasePictures& pictures) {
    std::string title = pictures.test;
    for (const CasePictures::Output& output : pictures.outputs) {
      const auto wrong = static_cast<std::uint64_t>(output.wrong), of = static_cast<std::uint64_t>(output.of);
      title += output.wrong == 0
                   ? fmt::format("; `{}` is right", output.name)
                   : fmt::format("; {} of {} wrong in `{}`", count_text(wrong), count_text(of), output.name);
    }
    return title;
  }

  /// Those in which something is wrong come first, and are open.
  void pictures() {
    std::vector<const CasePictures*> order;
    for (const CasePictures& each : work_.pictures) order.push_back(&each);
    std::stable_partition(order.begin(), order.end(), [](const CasePictures* each) { return each->wrong(); });
    std::vector<Values> cases;
    std::size_t bytes = 0, left_out = 0;
    for (const CasePictures* each : order) {
      std::size_t size = 0;
      for (const Image& one : each->images) size += one.png.size();
      if (bytes + size > kMostImageBytes) {
        ++left_out;
        continue;
      }
      bytes += size;
      std::vector<Values> images;
      for (const Image& one : each->images) images.push_back(image(one, each->test));
      Values values;
      values.flag("open", each->wrong()).markup("title_markup", Markup::prose(title_of(*each)));
      cases.push_back(values.list("images", images));
    }
    values_.flag("has_pictures", !cases.empty()).list("pictures", cases);
    values_.text("pictures_left_out",
                 left_out == 0
                     ? ""
                     : fmt::format("{} large pictures: --pictures DIR writes them all.",
                                   left_out == 1 ? "1 more case has" : fmt::format("{} more cases have", left_out)));
    if (!cases.empty()) enter("pictures", "Pictures");
  }

  void accesses() {
    values_.flag("accesses", false);
    if (!work_.accesses || work_.accesses->samples.empty()) return;
    Values values;
    values.markup("test_markup", Markup::prose(work_.accesses->test));
    values.markup("picture_markup", Markup::made_here(render_access_svg(*work_.accesses, work_.sources)));
    values.text("words",
                render_accesses(*work_.accesses, work_.sources, {.color = false, .unicode = true, .width = 100}));
    values_.part("accesses", values);
    enter("accesses", "Memory accesses");
  }

  static Values ladder_values(const Ladder& ladder) {
    double most = 1;
    for (const Ladder::Step& step : ladder.steps) most = std::max(most, step.share);
    const auto row = [&](const std::string& name, double rate, double share, bool own) {
      Values values;
      values.text("name", name).flag("own", own).markup("bar_markup", share_bar(share / most, "ladder", ""));
      return values.text("share", fmt::format("{:.2f}", share))
          .text("rate", count_text(static_cast<std::uint64_t>(std::llround(rate))));
    };
    std::vector<Values> steps;
    for (const Ladder::Step& step : ladder.steps) steps.push_back(row(step.name, step.rate, step.share, false));
    const auto limit = std::ranges::find_if(ladder.steps, [](const auto& step) { return step.share > 0; });
    if (ladder.own_rate > 0 && limit != ladder.steps.end())
      steps.push_back(row("this submission", ladder.own_rate, ladder.own_rate * limit->share / limit->rate, true));
    Values values;
    values.text("caption",
                fmt::format("Versions of this kernel from simple to fast, measured before on an {}, size {}.",
                            ladder.device, ladder.size));
    return values.text("limit", ladder.limit).text("unit", ladder.unit).list("steps", steps);
  }

  std::string speed_anchor(const SpeedResult& speed) const {
    return fmt::format("{}-speed-{}", id_, &speed - report_.speed.data() + 1);
  }

  void speeds() {
    std::vector<Values> all;
    for (const SpeedResult& speed : report_.speed) {
      const auto check = std::ranges::find(report_.checks, speed.check, &CheckResult::id);
      std::string ratios;
      for (const double ratio : speed.ratios) ratios += fmt::format("{}{:.4g}", ratios.empty() ? "" : ", ", ratio);
      Values values;
      values.markup("title_markup", Markup::prose(check == report_.checks.end() ? speed.check : check->title));
      values.text("target", speed_anchor(speed))
          .text("text", speed_text(speed))
          .markup("plot_markup", speed_plot(speed));
      values.flag("has_ratios", !ratios.empty()).text("ratios", ratios).flag("ladder", false);
      for (const auto& [id, ladder] : work_.ladders) {
        if (id == speed.check) values.part("ladder", ladder_values(ladder));
      }
      all.push_back(values);
    }
    values_.flag("has_speed", !all.empty()).list("speeds", all);
    if (!all.empty()) enter("speed", "Speed");
  }

  void output() {
    values_.text("build_output", report_.build_output).text("console", report_.console);
    if (!report_.console.empty()) enter("output", "What the program printed");
    values_.text("json", render_json(report_));
    enter("data", "Raw data");
  }

  const GradedWork& work_;
  const Report& report_;
  const Setting& setting_;
  std::string id_;
  FindingList found_;
  Values values_;
  std::vector<Values> contents_;
  std::size_t first_ = 0;  // number of the finding that is shown above all; 0: none
};

}  // namespace

bool CasePictures::wrong() const {
  return std::ranges::any_of(outputs, [](const Output& output) { return output.wrong > 0; });
}

Values grading_values(const GradedWork& work, const Setting& setting) {
  return GradingValues(work, setting).values();
}

std::string render_page(const GradedWork& work) {
  Values values;
  values.part("grading", grading_values(work, {}));
  const std::string title = fmt::format("{}: {} of {:g} points", work.report.lab,
                                        points_of(work.report.points, work.report.max), work.report.max);
  return whole_page(title, fill("single", values));
}

}  // namespace cudalabs::page
