// Holds modelled times against measured ones: every ratio of two steps of a lab at the same size.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "bench/model/measured.h"
#include "bench/model/pairs.h"
#include "bench/model/step_program.h"
#include "bench/table.h"
#include "sandbox/temporary_folder.h"
#include "tree/tree_paths.h"
#include "vgpu/model/modelled_time.h"

namespace {

using namespace cudalabs;
using namespace cudalabs::bench;
namespace fs = std::filesystem;

struct Options {
  std::vector<fs::path> files{source_path("grader/bench/results/ladder-h200.json"),
                              source_path("grader/bench/results/submissions-h200.json")};
  std::string gpu = "h200", only;
  Frontend frontend = find_toolchain(Frontend::clang) ? Frontend::clang : Frontend::nvcc;
  std::uint64_t blocks = 16;
  fs::path json;
};

struct Row {
  Timed timed;
  bool of_ladder = false;  // else a solution or an alternative submission
  vgpu::ModelledTime modelled;
  std::vector<vgpu::LaunchCounters> launches;
};

/// Sizes the model's constants were not fitted on, by lab: everything else of the results was used.
bool is_held_out(const Timed& timed) {
  static const std::map<std::string, std::set<std::string>> kHeldOut{{"lab1", {"2^26"}},
                                                                     {"lab2", {"16384 × 16384"}},
                                                                     {"lab3", {"512", "2048"}},
                                                                     {"lab4", {"512", "2048", "4096", "8192"}},
                                                                     {"lab5", {"2^26"}}};
  const auto lab = kHeldOut.find(timed.lab);
  return lab != kHeldOut.end() && lab->second.contains(timed.size);
}

std::vector<Row> predict(const Options& options) {
  const sandbox::TemporaryFolder scratch("model");  // programs and reports
  const vgpu::DeviceModel device = vgpu::device_model(options.gpu);
  std::map<fs::path, StepProgram> programs;
  std::vector<Row> rows;
  for (const Timed& timed : read_measured(options.files)) {
    if ((timed.lab + "/" + timed.name).find(options.only) == std::string::npos) continue;
    const auto source = find_source(timed.lab, timed.name);
    if (!source) continue;  // the limit: a copy, a library
    Row row;
    row.timed = timed;
    row.of_ladder = source->parent_path().filename() == "ladder";
    try {
      auto program = programs.find(*source);
      if (program == programs.end()) {
        const fs::path folder = scratch.path() / std::to_string(programs.size());
        fs::create_directory(folder);
        program = programs.emplace(*source, StepProgram(*source, options.frontend, folder)).first;
      }
      row.launches = program->second.launches(timed.function, numbers_of(timed.size), options.gpu, options.blocks);
      row.modelled = vgpu::modelled_time(device, row.launches);
      if (row.launches.empty()) row.modelled.doubt = "no launch";
    } catch (const std::exception& error) {
      row.modelled.doubt = error.what();
    }
    rows.push_back(std::move(row));
  }
  if (!rows.empty() && std::ranges::all_of(rows, [](const Row& row) { return row.modelled.doubt.has_value(); })) {
    throw std::runtime_error("no time can be modelled, the first one because " + *rows.front().modelled.doubt);
  }
  return rows;
}

PairScore score_of(const std::vector<Row>& rows, const std::function<bool(const Row&)>& wanted) {
  std::vector<Prediction> predictions;
  predictions.reserve(rows.size());
  for (const Row& row : rows) {
    if (row.modelled.doubt || !wanted(row)) continue;
    predictions.push_back({row.timed.lab + " " + row.timed.function + " " + row.timed.size, row.timed.milliseconds,
                           1e3 * row.modelled.seconds});
  }
  return score_pairs(predictions);
}

std::vector<std::pair<std::string, PairScore>> scores_of(const std::vector<Row>& rows) {
  std::vector<std::pair<std::string, PairScore>> scores;
  std::set<std::string> labs;
  for (const Row& row : rows) labs.insert(row.timed.lab);
  scores.reserve(labs.size() + 5);
  for (const std::string& lab : labs) {
    scores.emplace_back(lab, score_of(rows, [&](const Row& row) { return row.timed.lab == lab; }));
  }
  scores.emplace_back("sizes it was fitted on", score_of(rows, [](const Row& row) { return !is_held_out(row.timed); }));
  scores.emplace_back("sizes held out", score_of(rows, [](const Row& row) { return is_held_out(row.timed); }));
  scores.emplace_back("steps of ladders", score_of(rows, [](const Row& row) { return row.of_ladder; }));
  scores.emplace_back("solutions and alternative submissions",
                      score_of(rows, [](const Row& row) { return !row.of_ladder; }));
  scores.emplace_back("all", score_of(rows, [](const Row&) { return true; }));
  return scores;
}

void print(const std::vector<Row>& rows) {
  std::vector<std::vector<std::string>> lines;
  for (const Row& row : rows) {
    const double predicted = 1e3 * row.modelled.seconds;
    lines.push_back({row.timed.lab + " " + row.timed.name, row.timed.size,
                     fmt::format("{:.4f}", row.timed.milliseconds), fmt::format("{:.4f}", predicted),
                     fmt::format("{:.2f}", predicted / row.timed.milliseconds),
                     row.modelled.doubt ? "cannot tell: " + *row.modelled.doubt : row.modelled.bound});
  }
  print_table("Times, ms", {"step", "size", "measured", "modelled", "ratio", "bound"}, lines);
  lines.clear();
  for (const auto& [name, score] : scores_of(rows)) {
    lines.push_back({name, std::to_string(score.errors.size()), fmt::format("{:.1f} %", 100 * score.median_error()),
                     fmt::format("{}/{}", score.in_order, score.apart), fmt::format("{:.1f} %", 100 * score.order())});
  }
  print_table("Ratios of two steps of a lab at the same size",
              {"pairs", "number", "median error", "in order (more than 20 % apart)", ""}, lines);
}

nlohmann::json to_json(const std::vector<Row>& rows) {
  nlohmann::json times = nlohmann::json::array(), scores = nlohmann::json::object();
  for (const Row& row : rows) {
    nlohmann::json launches = nlohmann::json::array();
    for (const vgpu::LaunchCounters& launch : row.launches) {
      launches.push_back({{"kernel", launch.kernel},
                          {"grid", launch.config.grid},
                          {"block", launch.config.block},
                          {"registers", launch.registers},
                          {"shared_bytes", launch.shared_bytes},
                          {"values", launch.values}});
    }
    times.push_back({{"lab", row.timed.lab},
                     {"name", row.timed.name},
                     {"size", row.timed.size},
                     {"measured_ms", row.timed.milliseconds},
                     {"modelled_ms", 1e3 * row.modelled.seconds},
                     {"bound", row.modelled.bound},
                     {"doubt", row.modelled.doubt ? nlohmann::json(*row.modelled.doubt) : nlohmann::json()},
                     {"held_out", is_held_out(row.timed)},
                     {"launches", std::move(launches)}});
  }
  for (const auto& [name, score] : scores_of(rows)) {
    scores[name] = {{"pairs", score.errors.size()},
                    {"median_error", score.median_error()},
                    {"apart", score.apart},
                    {"in_order", score.in_order}};
  }
  return {{"times", std::move(times)}, {"scores", std::move(scores)}};
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Holds modelled times against times measured on a GPU.");
  app.add_option("results", options.files, "files of the ladder's benchmark (default: the H200's)");
  app.add_option("--frontend", options.frontend, "the compiler (default: clang where it is installed)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Frontend>{{"clang", Frontend::clang}, {"nvcc", Frontend::nvcc}}));
  app.add_option("--gpu", options.gpu, "the GPU they were measured on")->capture_default_str();
  app.add_option("--sampled-blocks", options.blocks, "blocks of each launch that are executed")->capture_default_str();
  app.add_option("--only", options.only, "LAB/NAME must hold this text");
  app.add_option("--json", options.json, "write times, counters and scores to this file");
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<Row> rows = predict(options);
    print(rows);
    if (!options.json.empty()) std::ofstream(options.json) << to_json(rows).dump(1) << '\n';
    return rows.empty() ? 1 : 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "model_bench: {}\n", error.what());
    return 1;
  }
}
