// Who in a class has handed in what is alike.
#include "course/similarity.h"

#include <algorithm>
#include <map>
#include <set>

#include "course/pages.h"

namespace cudalabs::course {

namespace fs = std::filesystem;

std::vector<AlikeFile> files_to_compare(const ClassData& data, Store& store, const std::string& lab,
                                        const std::string& given) {
  std::map<std::string, AlikeFile> by_digest;
  for (const Standing& standing : data.standings) {
    if (standing.lab != lab || !standing.attempt) continue;
    AlikeFile& file = by_digest[standing.attempt->digest];
    file.digest = standing.attempt->digest;
    file.students.push_back(standing.student);
  }
  std::vector<AlikeFile> files;
  for (auto& [digest, file] : by_digest) {
    file.text = store.submission(digest);
    if (!file.text.empty() && file.text != given) files.push_back(std::move(file));
  }
  return files;
}

SimilaritySummary summary_of(const Similarity& similarity, std::int64_t now) {
  SimilaritySummary summary{.lab = similarity.lab,
                            .students = 0,
                            .files = similarity.files.size(),
                            .pairs = similarity.comparison.pairs.size(),
                            .made = now,
                            .groups = {}};
  std::vector<bool> grouped(similarity.files.size(), false);
  for (const std::vector<std::size_t>& cluster : similarity.comparison.clusters) {
    std::vector<std::string> students;
    for (const std::size_t file : cluster) {
      grouped.at(file) = true;
      students.insert(students.end(), similarity.files[file].students.begin(), similarity.files[file].students.end());
    }
    summary.groups.push_back(std::move(students));
  }
  for (std::size_t i = 0; i < similarity.files.size(); ++i) {
    summary.students += similarity.files[i].students.size();
    if (!grouped[i] && similarity.files[i].students.size() > 1) summary.groups.push_back(similarity.files[i].students);
  }
  std::ranges::stable_sort(summary.groups, std::greater{}, &std::vector<std::string>::size);
  return summary;
}

SimilaritySummary write_similarity(const fs::path& folder, const ClassData& data, const Similarity& similarity,
                                   std::int64_t now) {
  const fs::path pages = similarity_folder(folder, similarity.lab);
  fs::create_directories(pages);
  const SimilaritySummary summary = summary_of(similarity, now);
  const std::vector<similar::Pair>& pairs = similarity.comparison.pairs;
  std::set<std::string> written{"index.html"};
  for (std::size_t i = 0; i < std::min(pairs.size(), kMostPairPages); ++i) {
    const std::string name = pair_file(similarity, pairs[i]);
    write_page(pages / name, pair_page(data, similarity, pairs[i]));
    written.insert(name);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(pages)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".html" && !written.contains(path.filename().string())) fs::remove(path);
  }
  write_page(pages / "index.html", similarity_page(data, similarity, summary));
  write_summary(folder, summary);
  return summary;
}

}  // namespace cudalabs::course
