// Whose is which file.
#include "course/hand_ins.h"

#include <algorithm>
#include <map>
#include <set>

#include "course/entry_path.h"
#include "course/gradescope.h"
#include "course/owner_name.h"

namespace cudalabs::course {
namespace {

using Path = std::vector<std::string>;

/// The names at the top, and which of them are folders.
std::map<std::string, bool> names_at(const SourceTree& tree, std::size_t depth) {
  std::map<std::string, bool> names;
  const auto add = [&](const Path& path) {
    if (path.size() > depth) names[path[depth]] |= path.size() > depth + 1;
  };
  for (const TreeFile& file : tree.files) add(file.path);
  for (const Refused& refused : tree.refused) add(refused.path);
  for (const Path& clone : tree.clones) {
    if (clone.size() > depth) names[clone[depth]] = true;
  }
  return names;
}

bool is_somebody(const std::string& name, const Roster& roster) {
  const OwnerName owner = parse_system_name(name);
  return owner.of_system ||
         roster.find({.ids = {}, .number = {}, .name = name, .guesses = {name}}).answer != Roster::Answer::nobody;
}

/// How many folders are around everything: those that are alone where they are, and nobody's own.
std::size_t folders_around(const SourceTree& tree, const Roster& roster, const std::vector<std::string>& file_stems) {
  for (std::size_t depth = 0;; ++depth) {
    const auto names = names_at(tree, depth);
    if (names.size() != 1 || !names.begin()->second || is_somebody(names.begin()->first, roster)) return depth;
    const auto below = names_at(tree, depth + 1);
    const bool exported = below.contains(std::string(kGradescopeMetadata));
    const bool somebody_below = std::ranges::any_of(below, [&](const auto& entry) {
      return is_somebody(entry.first.substr(0, entry.first.find_last_of('.')), roster) ||
             parse_system_name(entry.first).of_system;
    });
    const auto folders = std::ranges::count_if(below, [](const auto& entry) { return entry.second; });
    const auto cloned = std::ranges::find(tree.clones, depth + 1, &Path::size);
    const bool own_file = std::ranges::any_of(
        below, [&](const auto& entry) { return !entry.second && owner_of_flat_file(entry.first, file_stems).empty(); });
    // Folders below it are students', unless it is a clone itself; so are several files, unless one has the name that
    // the lab gives its file: then this is the folder of the only student.
    const bool students_below = !own_file && (folders > 0 ? cloned == tree.clones.end() : below.size() > 1);
    if (!exported && !somebody_below && !students_below) return depth;
  }
}

/// What the names of all clones begin with, up to a hyphen.
std::string common_start(const std::map<std::string, bool>& names) {
  if (names.size() < 2) return "";
  const std::string& first = names.begin()->first;
  const std::string& last = names.rbegin()->first;  // sorted: what these two have in common, all have
  const auto differ = std::ranges::mismatch(first, last).in1;
  const std::string same(first.begin(), differ);
  const std::size_t hyphen = same.rfind('-');
  return hyphen == std::string::npos ? "" : same.substr(0, hyphen + 1);
}

class Splitter {
 public:
  Splitter(const SourceTree& tree, const Roster& roster, const std::vector<std::string>& file_stems)
      : tree_(tree), file_stems_(file_stems), depth_(folders_around(tree, roster, file_stems)) {
    const auto names = names_at(tree, depth_);
    start_ = common_start(names);
    clones_ = std::ranges::any_of(tree.clones, [&](const Path& clone) { return clone.size() == depth_ + 1; });
    for (const TreeFile& file : tree.files) {
      if (file.path.size() == depth_ + 1 && file.path.back() == kGradescopeMetadata)
        exported_ = read_gradescope_metadata(file.bytes);
    }
  }

  std::vector<HandIn> split() {
    for (const TreeFile& file : tree_.files) {
      if (file.path.size() <= depth_ || (exported_ && file.path.size() == depth_ + 1)) continue;
      Path own;
      HandIn& hand_in = owner_of(file.path, own);
      hand_in.files.push_back({std::move(own), &file});
    }
    for (const Refused& refused : tree_.refused) {
      Path own;
      if (refused.path.size() <= depth_) {
        hand_ins_["?"].refused.push_back(refused);
      } else {
        owner_of(refused.path, own).refused.push_back({own, refused.reason});
      }
    }
    std::vector<HandIn> all;
    for (auto& [key, hand_in] : hand_ins_) all.push_back(std::move(hand_in));
    return all;
  }

 private:
  /// Whose a file is, and its path in what is theirs.
  HandIn& owner_of(const Path& path, Path& own) {
    const std::string& top = path[depth_];
    own.assign(path.begin() + static_cast<std::ptrdiff_t>(depth_) + 1, path.end());
    if (exported_) return owner_by_export(top);
    const OwnerName owner = parse_system_name(top);
    if (owner.of_system) {
      // One folder for each upload, or flat files: what the student named it is the last part of the name.
      if (!owner.rest.empty()) own.insert(own.begin(), owner.rest);
      HandIn& hand_in = named("\1" + owner.claim.name + '\1' + owner.claim.number.id, top);
      hand_in.from = {owner.claim};
      hand_in.marked_late |= owner.late;
      return hand_in;
    }
    const bool flat = path.size() == depth_ + 1;
    const std::string name = flat ? owner_of_flat_file(top, file_stems_) : top;
    if (flat) own = {top};
    HandIn& hand_in = named(name.empty() ? top : name, top);
    if (hand_in.from.empty() && !name.empty()) hand_in.from = {claim_of_folder(name)};
    return hand_in;
  }

  HandIn& owner_by_export(const std::string& folder) {
    HandIn& hand_in = named(folder, folder);
    const auto found = exported_->find(folder);
    if (found != exported_->end()) {
      hand_in.from = found->second.submitters;
      hand_in.handed_in = found->second.handed_in;
    }
    return hand_in;
  }

  Claim claim_of_folder(const std::string& name) const {
    Claim claim{.ids = {}, .number = {}, .name = name, .guesses = {name}};
    if (const std::string rest = without_stems(name, file_stems_); !rest.empty() && rest != name)
      claim.guesses.push_back(rest);
    if (!start_.empty() && name.starts_with(start_) && name.size() > start_.size()) {
      const std::string rest = name.substr(start_.size());
      // Of clones the rest is the login; of other folders it may be.
      claim.guesses.insert(clones_ ? claim.guesses.begin() : claim.guesses.end(), rest);
    }
    return claim;
  }

  HandIn& named(const std::string& key, const std::string& top) {
    HandIn& hand_in = hand_ins_[key];
    if (hand_in.shown.empty()) hand_in.shown = top;
    return hand_in;
  }

  const SourceTree& tree_;
  const std::vector<std::string>& file_stems_;
  std::size_t depth_;
  std::string start_;
  bool clones_ = false;
  std::optional<std::map<std::string, GradescopeSubmission>> exported_;
  std::map<std::string, HandIn> hand_ins_;
};

}  // namespace

std::vector<HandIn> split_by_student(const SourceTree& tree, const Roster& roster,
                                     const std::vector<std::string>& file_stems) {
  return Splitter(tree, roster, file_stems).split();
}

}  // namespace cudalabs::course
