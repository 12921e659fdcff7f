// The best score so far of each lab, kept for the student's own view. Nobody else reads it: grades never depend on it.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace cudalabs {

struct BestScore {
  double points = 0, max = 0;
};
using BestScores = std::map<std::string, BestScore>;  // by the lab's id

/// $XDG_STATE_HOME/cudalabs/progress.json, or ~/.local/state/cudalabs/progress.json; empty where neither variable is an
/// absolute path.
std::filesystem::path progress_file();

/// What the file holds. Nothing where it is missing, unreadable, or no list of scores: it is the user's to edit.
BestScores read_best_scores(const std::filesystem::path& file);

/// Keeps a score unless a better one of this lab is there. Does nothing where the file cannot be written: a grading
/// must not fail for it.
void note_score(const std::filesystem::path& file, const std::string& lab, const BestScore& score);

}  // namespace cudalabs
