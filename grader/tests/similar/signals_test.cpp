// What each signal finds of planted copies, and how often it points at independent solutions.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "catch.h"
#include "class_of_samples.h"
#include "course/similar/extract.h"
#include "course/similar/pieces.h"
#include "text/file_text.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::similar;
using namespace cudalabs::test;

namespace {

struct Row {
  std::size_t all = 0, by_tokens = 0, by_flow = 0, by_either = 0;

  void add(const Pair* pair) {
    ++all;
    if (pair == nullptr) return;
    by_tokens += pair->tokens.above ? 1 : 0;
    by_flow += pair->flow.above ? 1 : 0;
    ++by_either;
  }
};

const Pair* find(const Comparison& comparison, std::size_t one, std::size_t other) {
  for (const Pair& pair : comparison.pairs) {
    if (pair.one == std::min(one, other) && pair.other == std::max(one, other)) return &pair;
  }
  return nullptr;
}

/// By how a copy was hidden; "independent": pairs of solutions that are no copies.
std::map<std::string, Row> rows(bool print) {
  std::map<std::string, Row> result;
  for (const char* id : {"lab1", "lab2", "lab3", "lab4", "lab5", "lab6"}) {
    const SampleClass samples = class_of_samples(id);
    const std::vector<Piece> independent(samples.pieces.begin(),
                                         samples.pieces.begin() + static_cast<std::ptrdiff_t>(samples.independent()));
    const Comparison alone = compare(samples.given, independent, {});
    for (std::size_t i = 0; i < independent.size(); ++i) {
      for (std::size_t k = i + 1; k < independent.size(); ++k) {
        const Pair* pair = find(alone, i, k);
        result["independent"].add(pair);
        if (pair != nullptr && print)
          fmt::print("  {} {} {}: tokens {:.2f} ({}), flow {:.2f} ({})\n", id, samples.names[i], samples.names[k],
                     pair->tokens.alike.score, pair->tokens.alike.shared, pair->flow.alike.score,
                     pair->flow.alike.shared);
      }
    }
    // One copy at a time: a class in which every solution has several would hold them for common.
    for (std::size_t i = 0; i < samples.planted.size(); ++i) {
      const std::size_t copy = samples.independent() + i;
      std::vector<Piece> with_copy = independent;
      with_copy.push_back(samples.pieces[copy]);
      const Planted& planted = samples.planted[i];
      INFO(samples.names[copy]);
      CHECK_FALSE(samples.pieces[copy].flow.empty());  // it compiles
      const std::size_t original =
          static_cast<std::size_t>(std::ranges::find(samples.names, planted.original) - samples.names.begin());
      const Comparison comparison = compare(samples.given, with_copy, {});
      const Pair* pair = find(comparison, original, independent.size());
      result[planted.how].add(pair);
      if (print) {
        Alike t, f;
        for (const auto& p : comparison.tokens.pairs())
          if (p.one == original && p.other == independent.size()) t = p.alike;
        for (const auto& p : comparison.flow.pairs())
          if (p.one == original && p.other == independent.size()) f = p.alike;
        fmt::print("  {} {}: tokens {:.2f} ({}), flow {:.2f} ({}) {}\n", id, samples.names[copy], t.score, t.shared,
                   f.score, f.shared, pair == nullptr ? "NOT FOUND" : "");
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("copies are found however they are hidden, and independent solutions seldom") {
  if (find_tokenizer().empty()) {
    fmt::print("skipped: no sim_c++ here\n");
    return;
  }
  const std::map<std::string, Row> table = rows(false);
  for (const auto& [how, row] : table) {
    CAPTURE(how, row.all, row.by_tokens, row.by_flow, row.by_either);
    if (how == "independent") {
      CHECK(row.all > 400);
      CHECK(row.by_either * 100 <= row.all);
    } else if (how == "renamed" || how == "comments") {
      CHECK(row.all >= 20);
      CHECK(row.by_either * 10 >= row.all * 8);  // the rest is what most wrote
      CHECK(row.by_tokens >= row.by_flow);
    } else {
      CHECK(row.all == 3);
      CHECK(row.by_flow == 3);
      CHECK(row.by_tokens < 3);
    }
  }
}

TEST_CASE("where nothing reads tokens, the data flow of kernels is still there") {
  const std::filesystem::path root = source_path();
  const Lab lab = read_lab(find_lab(root / "labs", "lab1"), root / "solutions");
  const std::string text = text_of(lab.solution_folder / lab.contract.source);
  const Piece piece = piece_of(extract(lab, find_toolchain(Frontend::clang).value(), "", text), lab);
  CHECK(piece.tokens.empty());
  CHECK_FALSE(piece.flow.empty());
}

TEST_CASE("table of docs/SIMILARITY.md", "[.table]") {
  for (const auto& [how, row] : rows(true))
    fmt::print("| {} | {} | {} | {} | {} |\n", how, row.all, row.by_tokens, row.by_flow, row.by_either);
}
