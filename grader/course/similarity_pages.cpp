// Pages of who is alike in a lab: for whoever teaches the class.
#include <fmt/format.h>

#include <algorithm>

#include "course/html.h"
#include "course/moment.h"
#include "course/pages.h"
#include "course/similar/matches.h"
#include "course/similarity.h"

namespace cudalabs::course {
namespace {

using similar::Evidence;

constexpr std::string_view kStyle = R"(
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.sides > div { overflow-x: auto; }
body:has(.sides) { max-width: none; }
.code td { border: 0; padding: 0 .6rem 0 0; white-space: pre; overflow-wrap: normal;
  font: .82rem/1.4 ui-monospace, "Liberation Mono", "DejaVu Sans Mono", monospace; }
.code td.n { color: var(--soft); user-select: none; }
.code tr.t td.c { background: color-mix(in srgb, var(--bar) 22%, transparent); }
.code tr.f td.m { border-right: .3rem solid var(--warn); }
)";

std::string names_of(const ClassData& data, const AlikeFile& file) {
  std::string names;
  for (const std::string& id : file.students) {
    const Student& student = data.student(id);
    if (!names.empty()) names += ", ";
    names += student.name.empty() ? student.id : student.name;
  }
  return names;
}

Html linked_names(const ClassData& data, const std::vector<std::string>& students) {
  Html names;
  for (const std::string& id : students) {
    const Student& student = data.student(id);
    if (!names.empty()) names += ", ";
    names += element("a", student.name.empty() ? student.id : student.name,
                     {{"href", link_path("../../students/" + student_file(student.id))}});
  }
  return names;
}

/// "3 of 44850": how many pairs are at least so alike.
std::string one_in(double share, std::size_t pairs) {
  const double count = share * static_cast<double>(pairs);
  if (count < 0.5) return fmt::format("none of {}", pairs);
  return fmt::format("{:.0f} of {}", count, pairs);
}

Html cells_of(const Evidence& evidence) {
  const std::string style = evidence.above ? "n" : "n soft";
  return element("td", fmt::format("{:.0f} %", 100 * evidence.alike.score), {{"class", style}}) +
         element("td", std::to_string(evidence.alike.shared), {{"class", style}});
}

Html head_of_pairs() {
  Html titles;
  for (const char* title : {"one", "the other"}) titles += element("th", title);
  for (const char* title : {"tokens", "shared runs", "data flow", "shared places", "pairs as alike", ""})
    titles += element("th", title, {{"class", "n"}});
  return element("tr", titles);
}

/// Of the signal that fewer pairs have.
double rarest(const similar::Pair& pair) {
  return std::min(pair.tokens.class_share, pair.flow.class_share);
}

Html side(const AlikeFile& file, const similar::LineMatches& tokens, const similar::LineMatches& flow) {
  constexpr std::size_t kMostLines = 5000;
  Html rows;
  std::string_view rest = file.text;
  for (std::uint32_t line = 1; !rest.empty() && line <= kMostLines; ++line) {
    const std::size_t end = rest.find('\n');
    const auto token = tokens.find(line), value = flow.find(line);
    const bool by_tokens = token != tokens.end(), by_flow = value != flow.end();
    const std::string there = by_flow     ? std::to_string(value->second)
                              : by_tokens ? std::to_string(token->second)
                                          : std::string();
    rows += element("tr",
                    element("td", std::to_string(line), {{"class", "n"}}) +
                        element("td", there.empty() ? Html() : Html("\xe2\x86\x94 " + there), {{"class", "n m"}}) +
                        element("td", rest.substr(0, end), {{"class", "c"}}),
                    {{"class", by_tokens && by_flow ? "t f"
                               : by_tokens          ? "t"
                               : by_flow            ? "f"
                                                    : ""}});
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return element("table", rows, {{"class", "code"}});
}

Html signal(std::string_view name, std::string_view pieces, const Evidence& evidence, const similar::Comparison& all,
            std::size_t holders) {
  const Html title = element("b", name);
  if (evidence.alike.shared == 0) return element("p", title + ": nothing rare is in both.");
  return element("p",
                 title + fmt::format(": {:.0f} %, {} {}. At least as alike are {} pairs of the class, and {} pairs "
                                     "of independent samples. Half of what both have is in at most {} of {} "
                                     "submissions.",
                                     100 * evidence.alike.score, evidence.alike.shared, pieces,
                                     one_in(evidence.class_share, all.class_pairs),
                                     one_in(evidence.sample_share, all.sample_pairs), holders, all.compared));
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
  Html body =
      element("p", element("a", data.lab(similarity.lab).title, {{"href", "index.html"}})) + element("h1", title);
  body += signal("Tokens", "rare runs of 12 tokens in both", pair.tokens, all, tokens.typical_holders);
  body += signal("Data flow", "rare places in the kernels' data flow in both", pair.flow, all, flow.typical_holders);
  body +=
      element("p",
              "Coloured: the same rare row of tokens is in the other file. A bar at the left: what is computed there "
              "is computed in the other file, too. The number says in which of its lines. What most of the class "
              "wrote, or was given, is not marked.",
              {{"class", "soft"}});
  body += element(
      "div",
      element("div", element("h3", linked_names(data, one.students)) + side(one, tokens.one, flow.one)) +
          element("div", element("h3", linked_names(data, other.students)) + side(other, tokens.other, flow.other)),
      {{"class", "sides"}});
  return page(title, body, kStyle).markup();
}

std::string similarity_page(const ClassData& data, const Similarity& similarity, const SimilaritySummary& summary) {
  const similar::Comparison& all = similarity.comparison;
  const std::string title = "Alike: " + data.lab(similarity.lab).title;
  Html body = element("p", element("a", "The class", {{"href", "../../index.html"}})) + element("h1", title);
  body += element("p",
                  fmt::format("{} students, {} different files, compared {}. This page is evidence to look at, no "
                              "verdict: two people may well have the same idea.",
                              summary.students, summary.files, shown_moment(summary.made)),
                  {{"class", "soft"}});
  body += element("h2", "Groups");
  if (summary.groups.empty()) body += element("p", "No two files are alike beyond the thresholds.");
  Html groups;
  for (const std::vector<std::string>& group : summary.groups) groups += element("li", linked_names(data, group));
  if (!groups.empty()) body += element("ol", groups);

  Html equal;
  for (const AlikeFile& file : similarity.files) {
    if (file.students.size() > 1) equal += element("li", linked_names(data, file.students));
  }
  if (!equal.empty()) body += element("h2", "The same file, byte for byte") + element("ul", equal);

  if (!all.pairs.empty()) {
    Html rows = head_of_pairs();
    for (std::size_t i = 0; i < std::min(all.pairs.size(), kMostPairPages); ++i) {
      const similar::Pair& pair = all.pairs[i];
      rows += element(
          "tr",
          element("td", names_of(data, similarity.files[pair.one])) +
              element("td", names_of(data, similarity.files[pair.other])) + cells_of(pair.tokens) +
              cells_of(pair.flow) + element("td", one_in(rarest(pair), all.class_pairs), {{"class", "n"}}) +
              element("td", element("a", "side by side", {{"href", pair_file(similarity, pair)}}), {{"class", "n"}}));
    }
    body += element("h2", "Pairs, the most alike first") + element("div", element("table", rows), {{"class", "wide"}});
    if (all.pairs.size() > kMostPairPages)
      body += element("p", fmt::format("and {} more", all.pairs.size() - kMostPairPages));
  }
  body += element("h2", "How to read it");
  body += element(
      "p",
      "Tokens: how much of both files is the same row of kinds of tokens, whatever names, numbers, comments and layout "
      "are. Data flow: how much of both files' kernels computes the same from the same, in the compiler's optimised "
      "PTX, whatever the names of registers, the order of independent statements, the form of loops and the cut into "
      "functions. In both, what was given and what many of the class have counts nothing, and the rest counts the "
      "more the fewer have it. Shown are pairs with one of the two above its threshold; the other is pale when it is "
      "below. \xe2\x80\x9cPairs as alike\xe2\x80\x9d says how many pairs of the class are at least so alike in the "
      "rarer of the two.");
  return page(title, body, kStyle).markup();
}

}  // namespace cudalabs::course
