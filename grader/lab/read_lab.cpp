// From lab.toml and hidden.toml to a Lab, with every rule a lab's data must keep.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "lab/lab.h"
#include "lab/nearest.h"
#include "lab/read_contract.h"
#include "lab/toml_reader.h"
#include "vgpu/check/finding_table.h"
#include "vgpu/model/device_model.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// Lower-case letters, digits and underscores, a letter first: what check ids, case names and tags are made of, so that
/// they can stand in a Catch2 tag, a file name and a report as they are.
bool is_name(std::string_view text) {
  return !text.empty() && std::islower(static_cast<unsigned char>(text[0])) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '_'; });
}

std::string name(TableReader& reader, std::string_view key) {
  const Placed<std::string> text = reader.text(key);
  if (!is_name(text.value)) {
    reader.fail(text.line, fmt::format("`{}` is \"{}\": only a-z, 0-9 and _, a letter first", key, text.value));
  }
  return text.value;
}

std::string read_model(TableReader& reader) {
  const Placed<std::string> model = reader.text("model");
  try {
    vgpu::device_model(model.value);
  } catch (const std::invalid_argument&) {
    reader.fail(model.line,
                fmt::format("`model` is \"{}\"{}", model.value, suggestion(model.value, vgpu::device_model_names())));
  }
  reader.finish();
  return model.value;
}

Limits read_limits(TableReader reader) {
  Limits limits;
  limits.cpu_seconds = reader.positive_or("cpu_seconds", limits.cpu_seconds);
  limits.wall_seconds = reader.positive_or("wall_seconds", limits.wall_seconds);
  limits.kernel_seconds = reader.positive_or("kernel_seconds", limits.kernel_seconds);
  limits.kernel_instructions = reader.positive_count_or("kernel_instructions", limits.kernel_instructions);
  limits.memory_mib = reader.positive_count_or("memory_mib", limits.memory_mib);
  limits.device_mib = reader.positive_count_or("device_mib", limits.device_mib);
  limits.output_kib = reader.positive_count_or("output_kib", limits.output_kib);
  limits.processes = reader.positive_count_or("processes", limits.processes);
  limits.cases_at_a_time = reader.positive_count_or("cases_at_a_time", limits.cases_at_a_time);
  reader.finish();
  return limits;
}

constexpr std::array kCategories = {Category::build, Category::correctness, Category::sync, Category::speed,
                                    Category::quality};

Category read_category(TableReader& reader) {
  const Placed<std::string> text = reader.text("category");
  std::vector<std::string> names;
  for (const Category category : kCategories) {
    if (text.value == name_of(category)) return category;
    names.emplace_back(name_of(category));
  }
  reader.fail(text.line, fmt::format("`category` is \"{}\"{}", text.value, suggestion(text.value, names)));
}

constexpr std::array<std::pair<std::string_view, Ask::Kind>, 5> kAsks{
    {{"builds", Ask::Kind::builds},
     {"right-results", Ask::Kind::right_results},
     {"complete-results", Ask::Kind::complete_results},
     {"message-on-failure", Ask::Kind::message_on_failure},
     {"fast-enough", Ask::Kind::fast_enough}}};

/// The names of "no races or barrier-errors".
std::vector<std::string> findings_of(std::string_view text) {
  constexpr std::string_view kOr = " or ";
  std::vector<std::string> names;
  while (true) {
    const std::size_t end = text.find(kOr);
    names.emplace_back(text.substr(0, end));
    if (end == text.npos) return names;
    text.remove_prefix(end + kOr.size());
  }
}

Ask read_ask(const TableReader& reader, const Placed<std::string>& text) {
  constexpr std::string_view kNo = "no ";
  std::vector<std::string> known;
  for (const auto& [name, kind] : kAsks) {
    if (text.value == name) return {kind};
    known.emplace_back(name);
  }
  if (!text.value.starts_with(kNo)) {
    known.emplace_back("no FINDING");
    reader.fail(text.line, fmt::format("`asks` holds \"{}\"{}", text.value, suggestion(text.value, known)));
  }
  Ask ask{Ask::Kind::none, findings_of(std::string_view(text.value).substr(kNo.size()))};
  for (const std::string& name : ask.findings) {
    if (!ids_named(name).empty()) continue;
    reader.fail(text.line, fmt::format("`asks` holds \"{}\", and no finding is called \"{}\"{}", text.value, name,
                                       suggestion(name, finding_names())));
  }
  return ask;
}

CaseChoice read_case_choice(TableReader& reader) {
  const Placed<std::string> text = reader.text_or("cases", "tagged");
  if (text.value == "tagged") return CaseChoice::tagged;
  if (text.value == "all") return CaseChoice::all;
  if (text.value == "undisturbed") return CaseChoice::undisturbed;
  const std::vector<std::string> known{"tagged", "all", "undisturbed"};
  reader.fail(text.line, fmt::format("`cases` is \"{}\"{}", text.value, suggestion(text.value, known)));
}

/// What decides the check. Speed is asked for where there is one to look at, and there alone.
void read_asks(TableReader& reader, Check& check) {
  for (const Placed<std::string>& text : reader.texts_or_none("asks")) {
    check.asks.push_back(read_ask(reader, text));
    if (check.asks.back().kind == Ask::Kind::fast_enough && check.category != Category::speed)
      reader.fail(text.line, "`fast-enough` is for checks of category speed");
  }
  check.cases = read_case_choice(reader);
  check.output = reader.text_or("output", "").value;
  const auto about_results = [](const Ask& ask) { return ask.kind == Ask::Kind::right_results; };
  if (!check.output.empty() && std::ranges::none_of(check.asks, about_results))
    reader.fail(reader.line(), "`output` says which results must be right, and `asks` holds no \"right-results\"");
}

/// `needs` may only name checks further up: a student meets them in that order, and there can be no circle.
std::vector<Check> read_checks(TableReader& top) {
  std::vector<Check> checks;
  std::vector<std::string> ids;
  for (TableReader& reader : top.tables("checks")) {
    Check check;
    check.id = name(reader, "id");
    if (std::ranges::find(ids, check.id) != ids.end()) {
      reader.fail(reader.line(), fmt::format("`id` \"{}\" is taken by an earlier check", check.id));
    }
    check.title = reader.text("title").value;
    check.category = read_category(reader);
    check.points = reader.points("points");
    for (const Placed<std::string>& need : reader.texts_or_none("needs")) {
      if (std::ranges::find(ids, need.value) == ids.end()) {
        reader.fail(need.line, fmt::format("`needs` of \"{}\" names \"{}\", which is no check above it{}", check.id,
                                           need.value, suggestion(need.value, ids)));
      }
      check.needs.push_back(need.value);
    }
    read_asks(reader, check);
    check.help = reader.text("help").value;
    reader.finish();
    // Catch2 knows a test case by its name.
    if (std::ranges::find(checks, check.title, &Check::title) != checks.end())
      reader.fail(reader.line(), fmt::format("`title` \"{}\" is taken by an earlier check", check.title));
    ids.push_back(check.id);
    checks.push_back(std::move(check));
  }
  return checks;
}

SpeedThreshold read_threshold(TableReader& reader) {
  SpeedThreshold threshold;
  const Placed<std::string> device = reader.text("device");
  std::vector<std::string> known = vgpu::device_model_names();
  known.emplace_back("any");
  if (std::ranges::find(known, device.value) == known.end()) {
    reader.fail(device.line, fmt::format("`device` is \"{}\"{}", device.value, suggestion(device.value, known)));
  }
  threshold.device = device.value;
  threshold.none = reader.points("none");
  threshold.full = reader.points("full");
  threshold.honours = reader.points_or("honours", 0);
  if (!(threshold.none < threshold.full) || (threshold.honours != 0 && threshold.honours < threshold.full)) {
    reader.fail(reader.line(), "the ratios must grow from `none` to `full` to `honours`");
  }
  threshold.source = reader.text("source").value;
  reader.finish();
  return threshold;
}

std::map<std::string, std::int64_t> read_parameters(TableReader& reader, std::string_view key) {
  std::map<std::string, std::int64_t> parameters;
  for (auto& [name, value] : reader.integers(key)) parameters.emplace(std::move(name), value);
  return parameters;
}

SpeedTest read_speed(TableReader& reader, const std::vector<Check>& checks, const std::string& generator) {
  SpeedTest speed;
  const Placed<std::string> check = reader.text("check");
  const auto decided = std::ranges::find(checks, check.value, &Check::id);
  if (decided == checks.end() || decided->category != Category::speed) {
    reader.fail(check.line, fmt::format("`check` is \"{}\", which is no check of category speed", check.value));
  }
  speed.check = check.value;
  speed.work = reader.text_or("work", generator).value;
  speed.parameters = read_parameters(reader, "parameters");
  speed.modelled_parameters = read_parameters(reader, "modelled_parameters");
  const Placed<std::string> unit = reader.text_or("unit", "call");
  if (unit.value != "call" && unit.value != "launch") {
    reader.fail(unit.line, fmt::format("`unit` is \"{}\"; it is \"call\" or \"launch\"", unit.value));
  }
  speed.per_launch = unit.value == "launch";
  speed.baseline = name(reader, "baseline");
  speed.baseline_parameters = read_parameters(reader, "baseline_parameters");
  speed.modelled_baseline_parameters = read_parameters(reader, "modelled_baseline_parameters");
  speed.bytes = reader.points("bytes");
  speed.operations = reader.points("operations");
  speed.baseline_bytes = reader.points_or("baseline_bytes", 0);
  speed.baseline_operations = reader.points_or("baseline_operations", 0);
  if (speed.baseline_bytes > 0 && speed.baseline_operations > 0) {
    reader.fail(reader.line(), "rates are compared by `baseline_bytes` or by `baseline_operations`, not by both");
  }
  if (!(speed.share_of_baseline() > 0)) reader.fail(reader.line(), "a rate needs the work that is done in a time");
  for (TableReader& threshold : reader.tables("thresholds")) {
    speed.thresholds.push_back(read_threshold(threshold));
    const auto same = [&](const SpeedThreshold& other) { return other.device == speed.thresholds.back().device; };
    if (std::ranges::count_if(speed.thresholds, same) > 1) {
      threshold.fail(threshold.line(), "`device` has thresholds already");
    }
  }
  if (std::ranges::find(speed.thresholds, "any", &SpeedThreshold::device) == speed.thresholds.end()) {
    reader.fail(reader.line(), "[[speed.thresholds]] has none whose `device` is \"any\"");
  }
  reader.finish();
  return speed;
}

Explanation read_explanation(TableReader& reader) {
  Explanation explanation{name(reader, "detector"), reader.text("what").value, reader.text("help").value};
  reader.finish();
  return explanation;
}

/// `faults = { allocation = 3 }`: which call fails. Calls count from 1, and at least one has to. `message_only = true`:
/// the case asks for nothing but a message.
datasets::Faults read_faults(TableReader reader) {
  datasets::Faults faults;
  faults.allocation = reader.positive_count_or("allocation", 0);
  faults.copy = reader.positive_count_or("copy", 0);
  faults.launch = reader.positive_count_or("launch", 0);
  faults.function = reader.positive_count_or("function", 1);
  faults.last_launch = reader.flag_or("last_launch", false);
  faults.kernel = reader.positive_count_or("kernel", 0);
  faults.illegal_address = reader.flag_or("illegal_address", false);
  faults.message_only = reader.flag_or("message_only", false);
  reader.finish();
  if (faults.last_launch && faults.launch != 0)
    reader.fail(reader.line(), "`faults` in [[cases]] has `launch` and `last_launch`");
  if (faults.last_launch && faults.function != 1)
    reader.fail(reader.line(), "`faults` in [[cases]] has `function` and `last_launch`");
  if (!faults.any()) reader.fail(reader.line(), "`faults` in [[cases]] is empty");
  if (faults.illegal_address && faults.kernel == 0)
    reader.fail(reader.line(), "`faults` in [[cases]] has `illegal_address` without `kernel`");
  if (faults.message_only && faults.launch == 0 && !faults.last_launch)
    reader.fail(reader.line(), "`faults` in [[cases]] has `message_only` without `launch` or `last_launch`");
  return faults;
}

/// Appends the cases of `top` to `lab`; names are unique over visible and hidden cases together.
void read_cases(TableReader& top, Lab& lab) {
  std::vector<std::string> ids;
  for (const Check& check : lab.checks) ids.push_back(check.id);
  for (TableReader& reader : top.tables("cases")) {
    datasets::CaseSpec spec;
    spec.name = name(reader, "name");
    if (std::ranges::find(lab.cases, spec.name, &datasets::CaseSpec::name) != lab.cases.end()) {
      reader.fail(reader.line(), fmt::format("`name` \"{}\" is taken by an earlier case", spec.name));
    }
    spec.title = reader.text("title").value;
    for (auto& [key, value] : reader.integers("parameters")) spec.parameters.emplace(std::move(key), value);
    if (std::optional<TableReader> faults = reader.table_or_none("faults")) spec.faults = read_faults(*faults);
    spec.large = reader.flag_or("large", false);
    if (const Placed<std::string> after = reader.text_or("after", ""); !after.value.empty()) {
      const auto before = std::ranges::find(lab.cases, after.value, &datasets::CaseSpec::name);
      if (before == lab.cases.end() || !before->after.empty() || before->faults.last_launch ||
          before->faults.kernel != 0)
        reader.fail(after.line, fmt::format("`after` of \"{}\" names \"{}\", which is no case before it in which the "
                                            "function is called once, and neither the last launch nor a kernel fails",
                                            spec.name, after.value));
      if (before->faults.any() && spec.faults.any())
        reader.fail(after.line,
                    fmt::format("`after` of \"{}\" names \"{}\": only in one of two calls may something fail",
                                spec.name, after.value));
      if (spec.faults.last_launch)
        reader.fail(after.line,
                    fmt::format("`faults` of \"{}\" has `last_launch`, and so it cannot have `after`", spec.name));
      spec.after = after.value;
    }
    for (const Placed<std::string>& tag : reader.texts_or_none("tags")) {
      if (std::ranges::find(ids, tag.value) == ids.end()) {
        reader.fail(tag.line, fmt::format("`tags` of \"{}\" names \"{}\", which is no check{}", spec.name, tag.value,
                                          suggestion(tag.value, ids)));
      }
      spec.tags.push_back(tag.value);
    }
    reader.finish();
    lab.cases.push_back(std::move(spec));
  }
}

BoundaryCases read_boundary_cases(TableReader& reader, const Lab& lab) {
  BoundaryCases read;
  for (const Placed<std::string>& size : reader.texts("sizes")) {
    const auto has_size = [&](const datasets::CaseSpec& spec) { return spec.parameters.contains(size.value); };
    if (std::ranges::none_of(lab.cases, has_size))
      reader.fail(size.line, fmt::format("`sizes` names \"{}\", which is a parameter of no case", size.value));
    read.sizes.push_back(size.value);
  }
  for (auto& [key, value] : reader.integers_or_none("parameters")) read.parameters.emplace(std::move(key), value);
  std::vector<std::string> ids;
  for (const Check& check : lab.checks) ids.push_back(check.id);
  const auto known = [&](std::string_view key, const std::vector<Placed<std::string>>& tags) {
    std::vector<std::string> names;
    for (const Placed<std::string>& tag : tags) {
      if (std::ranges::find(ids, tag.value) == ids.end())
        reader.fail(tag.line, fmt::format("`{}` of [boundary_cases] names \"{}\", which is no check{}", key, tag.value,
                                          suggestion(tag.value, ids)));
      names.push_back(tag.value);
    }
    return names;
  };
  read.tags = known("tags", reader.texts("tags"));
  read.most_work = static_cast<std::int64_t>(reader.positive_count("most_work"));
  read.most_of_two = static_cast<std::int64_t>(reader.positive_count_or("most_of_two", 0));
  read.most_alone = static_cast<std::int64_t>(reader.positive_count_or("most_alone", 0));
  read.most_failing = static_cast<std::int64_t>(reader.positive_count_or("most_failing", 0));
  read.failing_tags = known("failing_tags", reader.texts_or_none("failing_tags"));
  if ((read.most_failing == 0) != read.failing_tags.empty())
    reader.fail(reader.line(), "[boundary_cases] needs both `most_failing` and `failing_tags`, or none of them");
  if (read.most_failing != 0 && read.sizes.size() != 1)
    reader.fail(reader.line(), "[boundary_cases] has `most_failing`, and so `sizes` must name one parameter");
  reader.finish();
  return read;
}

void read_hidden(const fs::path& path, Lab& lab) {
  const TomlFile file(path);
  TableReader top = file.top(hidden_keys());
  const std::size_t visible = lab.cases.size();
  const std::uint64_t seed = top.count("seed");
  read_cases(top, lab);
  top.finish();
  for (std::size_t i = visible; i < lab.cases.size(); ++i) {
    lab.cases[i].hidden = true;
    lab.cases[i].seed = seed;
  }
}

}  // namespace

Lab read_lab(const fs::path& lab_folder, const fs::path& solutions_root) {
  const fs::path folder = lab_folder.has_filename() ? lab_folder : lab_folder.parent_path();  // "labs/lab3_x/" has none
  Lab lab;
  lab.folder = folder;
  lab.slug = folder.filename().string();
  lab.solution_folder = solutions_root / lab.slug;

  const TomlFile file(folder / "lab.toml");
  TableReader top = file.top(lab_keys());
  const Placed<std::string> id = top.text("id");
  if (!is_name(id.value) || id.value.find('_') != std::string::npos || !lab.slug.starts_with(id.value + "_")) {
    top.fail(id.line, fmt::format("`id` is \"{}\", but it must be the folder's name \"{}\" up to the first _", id.value,
                                  lab.slug));
  }
  lab.id = id.value;
  lab.title = top.text("title").value;
  lab.task = top.text_or("task", "").value;
  lab.teaches = top.text_or("teaches", "").value;
  lab.generator = top.text_or("generator", lab.slug).value;
  lab.seed = top.count_or("seed", lab.seed);
  lab.contract = read_contract(top.table("contract"), folder);
  if (std::optional<TableReader> device = top.table_or_none("device")) {
    lab.device_model = read_model(*device);
  }
  if (std::optional<TableReader> limits = top.table_or_none("limits")) lab.limits = read_limits(*limits);
  lab.checks = read_checks(top);
  if (!(lab.max_points() > 0)) top.fail(top.line(), "the `points` of all [[checks]] add up to nothing");
  for (TableReader& speed : top.tables_or_none("speed"))
    lab.speed.push_back(read_speed(speed, lab.checks, lab.generator));
  for (const Check& check : lab.checks) {
    if (check.category != Category::speed) continue;
    if (std::ranges::count(lab.speed, check.id, &SpeedTest::check) != 1) {
      top.fail(top.line(), fmt::format("\"{}\" is of category speed: one [[speed]] must name it", check.id));
    }
  }
  for (TableReader& explanation : top.tables_or_none("explanations"))
    lab.explanations.push_back(read_explanation(explanation));
  read_cases(top, lab);
  if (std::optional<TableReader> boundaries = top.table_or_none("boundary_cases"))
    lab.boundary_cases = read_boundary_cases(*boundaries, lab);
  top.finish();

  if (const fs::path hidden = lab.solution_folder / "hidden.toml"; fs::exists(hidden)) read_hidden(hidden, lab);
  return lab;
}

}  // namespace cudalabs
