// Pages of who is alike in a lab: for those who teach the class.
#include <fmt/format.h>

#include <algorithm>

#include "course/moment.h"
#include "course/pages.h"
#include "course/similar/matches.h"
#include "course/similarity.h"
#include "course_template_files.h"
#include "page/table.h"
#include "page/templates.h"
#include "report/source_paths.h"

namespace cudalabs::course {
namespace {

using page::Cell;
using page::link_cell;
using page::number_cell;
using page::text_cell;
using page::Values;
using similar::Evidence;

std::string names_of(const ClassData& data, const AlikeFile& file) {
  std::string names;
  for (const std::string& id : file.students) {
    if (!names.empty()) names += ", ";
    names += data.shown_name(data.student(id));
  }
  return names;
}

/// The list `students`, each with the name and a link to the page.
Values linked_names(const ClassData& data, const std::vector<std::string>& students) {
  std::vector<Values> names;
  for (const std::string& id : students) {
    const Student& student = data.student(id);
    Values values;
    values.text("name", data.shown_name(student)).text("link", uri_of("../../students/" + student_file(student.id)));
    names.push_back(values.flag("last", &id == &students.back()));
  }
  return Values().list("students", names);
}

/// "3 of 450": how many pairs are at least so alike.
std::string count_of(double share, std::size_t pairs) {
  if (pairs == 0) return "no pairs to compare with";
  const double count = share * static_cast<double>(pairs);
  if (count < 0.5) return fmt::format("none of {}", pairs);
  return fmt::format("{:.0f} of {}", count, pairs);
}

void add_cells(std::vector<Cell>& cells, const Evidence& evidence) {
  const std::string kind = evidence.above ? "" : "soft";
  cells.push_back(number_cell(fmt::format("{:.0f} %", 100 * evidence.alike.score), kind));
  cells.push_back(number_cell(std::to_string(evidence.alike.shared), kind));
}

/// Of the signal that fewer pairs have.
double rarest(const similar::Pair& pair) {
  return std::min(pair.tokens.class_share, pair.flow.class_share);
}

Values pairs_table(const ClassData& data, const Similarity& similarity) {
  const similar::Comparison& all = similarity.comparison;
  std::vector<std::vector<Cell>> rows;
  for (std::size_t i = 0; i < std::min(all.pairs.size(), kMostPairPages); ++i) {
    const similar::Pair& pair = all.pairs[i];
    std::vector<Cell> cells{text_cell(names_of(data, similarity.files[pair.one])),
                            text_cell(names_of(data, similarity.files[pair.other]))};
    add_cells(cells, pair.tokens);
    add_cells(cells, pair.flow);
    cells.push_back(number_cell(count_of(rarest(pair), all.class_pairs)));
    cells.push_back(link_cell("side by side", uri_of(pair_file(similarity, pair)), "key"));
    rows.push_back(std::move(cells));
  }
  return page::table_values("Pairs",
                            {{"one"},
                             {"the other"},
                             {"tokens", true},
                             {"shared runs", true},
                             {"data flow", true},
                             {"shared places", true},
                             {"pairs as alike", true},
                             {"pages"}},
                            rows);
}

Values side(const ClassData& data, const AlikeFile& file, const similar::LineMatches& tokens,
            const similar::LineMatches& flow) {
  constexpr std::size_t kMostLines = 5000;
  std::vector<Values> rows;
  std::string_view rest = file.text;
  for (std::uint32_t line = 1; !rest.empty() && line <= kMostLines; ++line) {
    const std::size_t end = rest.find('\n');
    const auto token = tokens.find(line), value = flow.find(line);
    const bool by_tokens = token != tokens.end(), by_flow = value != flow.end();
    Values row;
    row.text("number", std::to_string(line)).text("text", rest.substr(0, end));
    const std::uint32_t there = by_flow ? value->second : by_tokens ? token->second : 0;
    row.text("there", there == 0 ? "" : fmt::format("\xe2\x86\x94 {}", there));
    row.text("kind", by_tokens && by_flow ? "other flow" : by_tokens ? "other" : by_flow ? "flow" : "");
    rows.push_back(row);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return linked_names(data, file.students).text("file", "the file of " + names_of(data, file)).list("rows", rows);
}

Values signal(std::string_view name, std::string_view pieces, const Evidence& evidence, const similar::Comparison& all,
              std::size_t holders) {
  Values values;
  values.text("name", name);
  if (evidence.alike.shared == 0) return values.text("text", "nothing rare is in both.");
  return values.text(
      "text", fmt::format("{:.0f} %, {} {}. Pairs that are at least as alike, in the class: {}; among independent "
                          "samples: {}. Half of what both have is in at most {} of {} submissions.",
                          100 * evidence.alike.score, evidence.alike.shared, pieces,
                          count_of(evidence.class_share, all.class_pairs),
                          count_of(evidence.sample_share, all.sample_pairs), holders, all.compared));
}

std::string whole_page(std::string_view title, std::string_view name, const Values& values) {
  const page::Templates templates{kCourseTemplateFiles.begin(), kCourseTemplateFiles.end()};
  return page::whole_page(title, page::fill(name, values, templates));
}

}  // namespace

std::string pair_file(const Similarity& similarity, const similar::Pair& pair) {
  return fmt::format("{:.12}-{:.12}.html", similarity.files[pair.one].digest, similarity.files[pair.other].digest);
}

std::string pair_page(const ClassData& data, const Similarity& similarity, const similar::Pair& pair) {
  const AlikeFile &one = similarity.files[pair.one], &other = similarity.files[pair.other];
  const similar::Comparison& all = similarity.comparison;
  const similar::Matches tokens = matches(all.tokens, one.piece.tokens, other.piece.tokens);
  const similar::Matches flow = matches(all.flow, one.piece.flow, other.piece.flow);
  const std::string title = names_of(data, one) + " and " + names_of(data, other);
  Values values;
  values.text("title", title).text("lab", data.lab(similarity.lab).title);
  values.list("signals", {signal("Tokens", "rare runs of 12 tokens in both", pair.tokens, all, tokens.typical_holders),
                          signal("Data flow", "rare places in the kernels' data flow in both", pair.flow, all,
                                 flow.typical_holders)});
  values.list("sides", {side(data, one, tokens.one, flow.one), side(data, other, tokens.other, flow.other)});
  return whole_page(title, "alike_pair", values);
}

std::string similarity_page(const ClassData& data, const Similarity& similarity, const SimilaritySummary& summary) {
  const similar::Comparison& all = similarity.comparison;
  std::vector<Values> groups, equal;
  for (const std::vector<std::string>& group : summary.groups) groups.push_back(linked_names(data, group));
  for (const AlikeFile& file : similarity.files) {
    if (file.students.size() > 1) equal.push_back(linked_names(data, file.students));
  }
  const std::string title = "Alike: " + data.lab(similarity.lab).title;
  Values values;
  values.text("title", title);
  values.text("about", fmt::format("{} students, {} different files, compared {}.", summary.students, summary.files,
                                   shown_moment(summary.made)));
  values.flag("none", groups.empty()).list("groups", groups).flag("has_equal", !equal.empty()).list("equal", equal);
  if (all.pairs.empty()) {
    values.flag("pairs", false);
  } else {
    const std::size_t more = all.pairs.size() - std::min(all.pairs.size(), kMostPairPages);
    values.part("pairs",
                pairs_table(data, similarity).text("left_out", more == 0 ? "" : fmt::format("and {} more", more)));
  }
  return whole_page(title, "alike_lab", values);
}

}  // namespace cudalabs::course
