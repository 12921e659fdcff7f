// From what a learning management system hands out to attempts of students.
#include "course/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>

#include "build/digest.h"
#include "course/commit_times.h"
#include "course/entry_path.h"
#include "course/hand_ins.h"
#include "course/pick.h"
#include "course/roster.h"

namespace cudalabs::course {
namespace {

using Path = std::vector<std::string>;

constexpr const char* kNoName = "its name does not say whose it is";

/// What lies below `prefix`, without it.
SourceTree below(const SourceTree& tree, const Path& prefix) {
  const auto shorten = [&](Path& path) {
    if (path.size() <= prefix.size() || !std::equal(prefix.begin(), prefix.end(), path.begin())) return false;
    path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(prefix.size()));
    return true;
  };
  SourceTree result;
  for (TreeFile file : tree.files) {
    if (shorten(file.path)) result.files.push_back(std::move(file));
  }
  for (Refused refused : tree.refused) {
    if (shorten(refused.path)) result.refused.push_back(std::move(refused));
  }
  for (Path clone : tree.clones) {
    if (shorten(clone)) result.clones.push_back(std::move(clone));
  }
  return result;
}

/// Folders of labs at the top, or below one folder around everything: by lab, in the order of `labs`.
std::vector<std::pair<const Lab*, Path>> lab_folders(const SourceTree& tree, const std::vector<Lab>& labs) {
  for (const std::size_t depth : {std::size_t{0}, std::size_t{1}}) {
    std::set<Path> tops, around;
    for (const TreeFile& file : tree.files) {
      const auto start = [&](std::size_t parts) {
        return Path(file.path.begin(), file.path.begin() + static_cast<std::ptrdiff_t>(parts));
      };
      if (file.path.size() > depth) around.insert(start(depth));
      if (file.path.size() > depth + 1) tops.insert(start(depth + 1));
    }
    std::vector<std::pair<const Lab*, Path>> folders;
    for (const Lab& lab : labs) {
      for (const Path& top : tops) {
        if (names_lab(top.back(), lab)) folders.emplace_back(&lab, top);
      }
    }
    if (!folders.empty() && around.size() == 1) return folders;
  }
  return {};
}

/// A path in what was found; a flat file is all of that itself.
std::string place_of(const std::string& found, const Path& path) {
  const std::string inside = joined(path);
  const bool itself = inside.empty() || found == inside || found.ends_with("/" + inside);
  return itself ? found : found + "/" + inside;
}

class Collector {
 public:
  Collector(const Roster& roster, Collected& collected) : roster_(roster), collected_(collected) {}

  /// `around`: where the tree was found, for people.
  void take(const SourceTree& tree, const std::vector<Lab>& labs, const std::string& around) {
    std::vector<std::string> stems;
    for (const Lab& lab : labs) {
      stems.push_back(std::filesystem::path(lab.contract.source).stem().string());
      stems.push_back(lab.slug);
      stems.push_back(lab.id);
    }
    for (const HandIn& hand_in : split_by_student(tree, roster_, stems)) take(hand_in, labs, around);
  }

 private:
  void take(const HandIn& hand_in, const std::vector<Lab>& labs, const std::string& around) {
    const std::string only_lab = labs.size() == 1 ? labs[0].id : std::string();
    const std::string found = around + hand_in.shown;
    std::vector<std::string> students;
    for (const Claim& claim : hand_in.from) {
      std::string reason;
      const std::string student = student_of(claim, reason);
      if (student.empty()) {
        note_nobodys(hand_in, only_lab, found, reason);
      } else {
        students.push_back(student);
      }
    }
    if (hand_in.from.empty()) note_nobodys(hand_in, only_lab, found, kNoName);
    for (const std::string& student : students) {
      bool any = false;
      for (const Lab& lab : labs) any |= take(hand_in, lab, labs, student, found);
      note_refused(hand_in, only_lab, student, found, any);
    }
  }

  /// What was refused because of its name has none that could be a student's: then that is the reason.
  void note_nobodys(const HandIn& hand_in, const std::string& lab, const std::string& found,
                    const std::string& reason) {
    const bool refused = hand_in.files.empty() && !hand_in.refused.empty();
    if (!refused) collected_.not_taken.push_back({lab, "", found, reason});
    for (const Refused& each : hand_in.refused) {
      const std::string path = refused ? place_of(found, each.path) : found;
      collected_.not_taken.push_back({lab, "", path, each.reason});
    }
  }

  /// What was refused says why there is nothing, or goes with what there is.
  void note_refused(const HandIn& hand_in, const std::string& lab, const std::string& student, const std::string& found,
                    bool any) {
    for (const Refused& refused : hand_in.refused) {
      collected_.not_taken.push_back({lab, student, place_of(found, refused.path), refused.reason});
    }
    if (!any && hand_in.refused.empty())
      collected_.not_taken.push_back({lab, student, found, "nothing in it could be a submission"});
  }

  /// True when something came of it, or it was said why not.
  bool take(const HandIn& hand_in, const Lab& lab, const std::vector<Lab>& labs, const std::string& student,
            const std::string& found) {
    const Picked picked = pick(hand_in, lab, labs);
    if (picked.file == nullptr) {
      if (picked.problem.empty()) return false;
      collected_.not_taken.push_back({lab.id, student, found, picked.problem});
      return true;
    }
    const TreeFile& file = *picked.file->file;
    Attempt attempt{.lab = lab.id,
                    .student = student,
                    .found = place_of(found, picked.file->path),
                    .note = picked.note,
                    .digest = builder::sha256(file.bytes),
                    .bytes = file.bytes,
                    .marked_late = hand_in.marked_late,
                    .handed_in = hand_in.handed_in,
                    .time_source = TimeSource::system};
    if (!attempt.handed_in && file.commit_time) {
      attempt.handed_in = file.commit_time;
      attempt.time_source = TimeSource::commit;
    } else if (!attempt.handed_in) {
      attempt.handed_in = file.time;
      attempt.time_source = file.time ? TimeSource::file : TimeSource::none;
    }
    collected_.attempts.push_back(std::move(attempt));
    return true;
  }

  /// Empty, with the reason, when nobody can tell.
  std::string student_of(const Claim& claim, std::string& reason) {
    if (!roster_.empty()) {
      const Roster::Match match = roster_.find(claim);
      if (match.answer == Roster::Answer::one) return match.student->id;
      reason = match.answer == Roster::Answer::nobody
                   ? "nobody on the roster is meant by it"
                   : fmt::format("more than one on the roster could be meant by it: {}", fmt::join(match.meant, ", "));
      return "";
    }
    const std::vector<std::string>& ids = claim.ids.empty() ? claim.guesses : claim.ids;
    const bool by_number = ids.empty() && !claim.number.id.empty();
    const std::string id = !ids.empty() ? ids[0] : by_number ? claim.number.id : claim.name;
    if (id.empty() || id.size() > kLongestId) {
      reason = kNoName;
      return "";
    }
    const bool known = std::ranges::find(collected_.students, id, &Student::id) != collected_.students.end();
    if (!known) {
      collected_.students.push_back({id, claim.name == id ? std::string() : claim.name, "", "", {}});
      if (by_number) collected_.students.back().other_ids.push_back(claim.number);
    }
    return id;
  }

  const Roster& roster_;
  Collected& collected_;
};

}  // namespace

Collected collect(const std::filesystem::path& path, const std::vector<Lab>& labs, const Roster& roster,
                  const TreeLimits& limits) {
  SourceTree tree = read_source_tree(path, limits);
  add_commit_times(tree, path);
  Collected collected;
  Collector collector(roster, collected);
  try {
    const auto folders = labs.size() > 1 ? lab_folders(tree, labs) : std::vector<std::pair<const Lab*, Path>>();
    for (const auto& [lab, folder] : folders) collector.take(below(tree, folder), {*lab}, joined(folder) + "/");
    if (folders.empty()) collector.take(tree, labs, "");
  } catch (const TreeError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw TreeError(fmt::format("{}: {}", path.string(), error.what()));
  }
  return collected;
}

}  // namespace cudalabs::course
