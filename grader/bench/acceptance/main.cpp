// Puts together what run_acceptance.sh found, as JSON and as Markdown. Exits 1 when something is not as it must be.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

Json read(const fs::path& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error("cannot read " + path.string());
  return Json::parse(stream);
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream stream(path);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + path.string());
}

struct Tally {
  std::size_t met = 0, all = 0;
  void add(bool as_expected) {
    ++all;
    if (as_expected) ++met;
  }
};

/// Samples by lab and kind, those that were not as expected in full, and the speeds that were measured: none of what
/// failed before it was timed, and none that only the model tells.
Json samples_part(const std::vector<fs::path>& files) {
  Json samples = Json::array();
  for (const fs::path& file : files) {
    for (const Json& sample : read(file)) samples.push_back(sample);
  }
  std::map<std::string, std::map<std::string, Tally>> tallies;
  Json part{{"table", Json::object()}, {"not_as_expected", Json::array()}, {"speeds", Json::array()}};
  for (const Json& sample : samples) {
    const bool met = sample.at("objection").get<std::string>().empty();
    tallies[sample.at("lab")][sample.at("kind")].add(met);
    if (!met) part["not_as_expected"].push_back(sample);
    for (const Json& speed : sample.at("speed")) {
      if (speed.at("pairs") == 0) continue;
      part["speeds"].push_back({{"lab", sample.at("lab")},
                                {"kind", sample.at("kind")},
                                {"sample", sample.at("sample")},
                                {"check", speed.at("check")},
                                {"ratio", speed.at("ratio")},
                                {"interval", speed.at("interval")},
                                {"pairs", speed.at("pairs")},
                                {"decided", speed.at("decided")},
                                {"credit", speed.at("credit")}});
    }
  }
  for (const auto& [lab, kinds] : tallies) {
    for (const auto& [kind, tally] : kinds) part["table"][lab][kind] = {{"met", tally.met}, {"all", tally.all}};
  }
  return part;
}

/// What Catch2's JUnit reporter said of the tests that break the GPU: {"name of the test case": passed}.
Json faults_part(const fs::path& junit) {
  std::ifstream stream(junit);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  static const std::regex kCase("<testcase [^>]*\\bname=\"([^\"]*)\"[^>]*>");
  Json part = Json::object();
  for (std::sregex_iterator at(text.begin(), text.end(), kCase), end; at != end; ++at) {
    const std::string tag = at->str(), rest = at->suffix();
    const std::string body = tag.ends_with("/>") ? "" : rest.substr(0, rest.find("</testcase>"));
    part[(*at)[1].str()] = body.find("<failure") == std::string::npos && body.find("<error") == std::string::npos;
  }
  if (part.empty()) throw std::runtime_error("no test case in " + junit.string());
  return part;
}

/// The tier of isolation that the gradings name. Throws when they ran in several.
std::string sandbox_of(const std::vector<fs::path>& reports) {
  std::set<std::string> tiers;
  for (const fs::path& path : reports) tiers.insert(read(path).at("sandbox"));
  if (tiers.size() != 1) throw std::runtime_error("the gradings ran in several tiers of the sandbox");
  return *tiers.begin();
}

/// How many different scores the gradings of one lab's solution gave, and how far their ratios are apart.
Json stability_part(const std::vector<fs::path>& reports) {
  struct Row {
    std::size_t gradings = 0, undecided = 0;
    std::set<double> points;
    double least = 1e300, most = 0;
  };
  std::map<std::string, Row> rows;
  for (const fs::path& path : reports) {
    const Json report = read(path);
    Row& row = rows[report.at("lab")];
    ++row.gradings;
    row.points.insert(report.at("score").at("points").get<double>());
    for (const Json& speed : report.at("speed")) {
      row.least = std::min(row.least, speed.at("ratio").get<double>());
      row.most = std::max(row.most, speed.at("ratio").get<double>());
      if (!speed.at("decided").get<bool>()) ++row.undecided;
    }
  }
  Json part = Json::object();
  for (const auto& [lab, row] : rows) {
    part[lab] = {{"gradings", row.gradings},
                 {"points", row.points},
                 {"undecided", row.undecided},
                 {"least_ratio", row.least},
                 {"greatest_ratio", row.most}};
  }
  return part;
}

/// The share of the limit that each ladder's last step reaches at its largest size.
Json ladder_part(const Json& ladder) {
  Json part = Json::array();
  for (const Json& lab : ladder.at("ladders")) {
    for (const Json& size : lab.at("sizes")) {
      const Json& last = size.at("results").back();
      part.push_back({{"lab", lab.at("lab")},
                      {"size", size.at("size")},
                      {"limit", size.at("limit")},
                      {"step", last.at("name")},
                      {"share", last.at("share")}});
    }
  }
  return part;
}

/// The steps and submissions at sizes where the model says that it cannot tell, and why.
Json cannot_tell(const Json& model) {
  Json part = Json::array();
  for (const Json& time : model.at("times")) {
    if (time.at("doubt").is_null()) continue;
    part.push_back(
        {{"lab", time.at("lab")}, {"name", time.at("name")}, {"size", time.at("size")}, {"why", time.at("doubt")}});
  }
  return part;
}

std::string markdown(const Json& all) {
  std::string text =
      fmt::format("# Acceptance on {}\n\n{}, driver {}, toolkit {}, {} s. Sandbox: tier {}.\n\n",
                  all.at("machine").at("device").get<std::string>(), all.at("date").get<std::string>(),
                  all.at("machine").at("driver").get<std::string>(), all.at("machine").at("toolkit").get<std::string>(),
                  all.at("seconds").get<int>(), all.at("sandbox").get<std::string>());
  text += "## A GPU that fails\n\n| test | |\n|---|---|\n";
  for (const auto& [name, passed] : all.at("faults").items()) {
    text += fmt::format("| {} | {} |\n", name, passed.get<bool>() ? "passed" : "FAILED");
  }
  text += "\n## Sample submissions, on both devices\n\n| lab | skeleton | solution | alternative | wrong | ladder |\n";
  text += "|---|---|---|---|---|---|\n";
  for (const auto& [lab, kinds] : all.at("samples").at("table").items()) {
    text += "| " + lab;
    for (const char* kind : {"skeleton", "solution", "alternative", "wrong", "ladder"}) {
      text += kinds.contains(kind)
                  ? fmt::format(" | {} of {}", kinds.at(kind).at("met").get<int>(), kinds.at(kind).at("all").get<int>())
                  : " | -";
    }
    text += " |\n";
  }
  for (const Json& sample : all.at("samples").at("not_as_expected")) {
    text += fmt::format("\n- {} {}: expected {}, got {}", sample.at("lab").get<std::string>(),
                        sample.at("sample").get<std::string>(), sample.at("expected").get<std::string>(),
                        sample.at("objection").get<std::string>());
  }
  text +=
      "\n\n## Speeds of solutions and alternative submissions\n\n| lab | sample | check | ratio | 95 % | pairs | "
      "credit "
      "|\n";
  text += "|---|---|---|---|---|---|---|\n";
  for (const Json& speed : all.at("samples").at("speeds")) {
    if (speed.at("kind") == "ladder") continue;
    text += fmt::format("| {} | {} | {} | {:.3g} | {:.3g} to {:.3g} | {}{} | {:.2f} |\n",
                        speed.at("lab").get<std::string>(), speed.at("sample").get<std::string>(),
                        speed.at("check").get<std::string>(), speed.at("ratio").get<double>(),
                        speed.at("interval").at(0).get<double>(), speed.at("interval").at(1).get<double>(),
                        speed.at("pairs").get<int>(), speed.at("decided").get<bool>() ? "" : ", undecided",
                        speed.at("credit").get<double>());
  }
  text +=
      "\n## The same grading again and again\n\n| lab | gradings | different scores | ratios | undecided "
      "|\n|---|---|---|---|---|\n";
  for (const auto& [lab, row] : all.at("stability").items()) {
    text += fmt::format("| {} | {} | {} | {:.3g} to {:.3g} | {} |\n", lab, row.at("gradings").get<int>(),
                        row.at("points").size(), row.at("least_ratio").get<double>(),
                        row.at("greatest_ratio").get<double>(), row.at("undecided").get<int>());
  }
  text += "\n## The last steps of the ladders\n\n";
  if (all.at("ladder_date") != all.at("date")) {
    text += fmt::format("Measured on {}.\n\n", all.at("ladder_date").get<std::string>());
  }
  text += "| lab | size | step | share of the limit |\n|---|---|---|---|\n";
  for (const Json& row : all.at("ladder")) {
    text += fmt::format("| {} | {} | {} | {:.1f} % of {} |\n", row.at("lab").get<std::string>(),
                        row.at("size").get<std::string>(), row.at("step").get<std::string>(),
                        100 * row.at("share").get<double>(), row.at("limit").get<std::string>());
  }
  text += "\n## Modelled against measured ratios of two steps\n";
  if (!all.contains("model")) return text + "\nNot compared: the virtual GPU has no model of this GPU.\n";
  text += "\n| pairs | number | median error | in order, of those more than 20 % apart |\n|---|---|---|---|\n";
  for (const auto& [name, score] : all.at("model").items()) {
    text += fmt::format("| {} | {} | {:.1f} % | {} of {} |\n", name, score.at("pairs").get<int>(),
                        100 * score.at("median_error").get<double>(), score.at("in_order").get<int>(),
                        score.at("apart").get<int>());
  }
  for (const Json& time : all.at("cannot_tell")) {
    text += fmt::format("\n- left out, for the model cannot tell: {} {} at {}: {}", time.at("lab").get<std::string>(),
                        time.at("name").get<std::string>(), time.at("size").get<std::string>(),
                        time.at("why").get<std::string>());
  }
  return text + (all.at("cannot_tell").empty() ? "" : "\n");
}

bool stable(const Json& stability) {
  return std::ranges::all_of(stability, [](const Json& row) { return row.at("points").size() == 1; });
}

}  // namespace

int main(int argc, char** argv) {
  fs::path ladder, faults, model, output;
  std::string date;
  std::vector<fs::path> samples, reports;
  int seconds = 0;
  CLI::App app("Puts an acceptance run's results together.");
  app.add_option("--ladder", ladder, "what ladder_bench wrote")->required();
  app.add_option("--samples", samples, "what `grade lint --json` wrote, of one lab or more")
      ->required()
      ->allow_extra_args(false);
  app.add_option("--faults", faults, "what the tests of a failing GPU wrote, as JUnit")->required();
  app.add_option("--model", model, "what model_bench wrote, where the virtual GPU has a model of this GPU");
  app.add_option("--date", date, "the day of the gradings; unless given, the ladders'");
  app.add_option("--seconds", seconds, "how long it all took")->required();
  app.add_option("--output", output, "the files to write, without their extensions")->required();
  app.add_option("reports", reports, "reports of the same gradings again and again")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    const Json climbed = read(ladder);
    const std::string ladder_date = climbed.at("date");
    Json all{{"date", date.empty() ? ladder_date : date},
             {"machine", climbed.at("machine")},
             {"sandbox", sandbox_of(reports)},
             {"seconds", seconds},
             {"faults", faults_part(faults)},
             {"samples", samples_part(samples)},
             {"stability", stability_part(reports)},
             {"ladder", ladder_part(climbed)},
             {"ladder_date", ladder_date}};
    if (!model.empty()) {
      const Json modelled = read(model);
      all["model"] = modelled.at("scores");
      all["cannot_tell"] = cannot_tell(modelled);
    }
    const std::string text = markdown(all);
    write(output.string() + ".json", all.dump(1) + "\n");
    write(output.string() + ".md", text);
    std::fputs(text.c_str(), stdout);
    const bool passed = std::ranges::all_of(all.at("faults"), [](const Json& one) { return one.get<bool>(); });
    return passed && all.at("samples").at("not_as_expected").empty() && stable(all.at("stability")) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "acceptance_report: {}\n", error.what());
    return 2;
  }
}
