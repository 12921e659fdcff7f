// Who in a class has handed in what is alike: the evidence for one lab, as pages. No verdict.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "course/class_data.h"
#include "course/similar/all_pairs.h"
#include "course/similarity_summary.h"

namespace cudalabs::course {

/// One file, however many have handed it in.
struct AlikeFile {
  std::string digest;
  std::vector<std::string> students;  // by id
  std::string text;
  similar::Piece piece;
};

/// Everything compared for one lab.
struct Similarity {
  std::string lab;               // its id
  std::vector<AlikeFile> files;  // in the order of `comparison`
  similar::Comparison comparison;
};

/// The attempts that count, one entry a file, without their pieces; `given`, the file that everybody started from, and
/// empty files are left out.
std::vector<AlikeFile> files_to_compare(const ClassData& data, Store& store, const std::string& lab,
                                        const std::string& given);

/// Groups are of students whose files are equal, or hang together by pairs above a threshold; the largest first.
SimilaritySummary summary_of(const Similarity& similarity, std::int64_t now);

/// The page of a lab, and that of one of its pairs: both files side by side, with what both have marked.
std::string similarity_page(const ClassData& data, const Similarity& similarity, const SimilaritySummary& summary);
std::string pair_page(const ClassData& data, const Similarity& similarity, const similar::Pair& pair);
/// The name of a pair's page; the same as long as the files are.
std::string pair_file(const Similarity& similarity, const similar::Pair& pair);

constexpr std::size_t kMostPairPages = 300;  // the strongest ones have pages

/// Writes `folder`/similar/LAB/: index.html, pages of pairs, and the summary; what was there is removed. Returns the
/// summary. Throws std::runtime_error naming the file.
SimilaritySummary write_similarity(const std::filesystem::path& folder, const ClassData& data,
                                   const Similarity& similarity, std::int64_t now);

}  // namespace cudalabs::course
