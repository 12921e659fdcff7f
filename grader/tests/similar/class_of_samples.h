// A class made up of a lab's own samples: solutions written independently, and copies of some, planted.
#pragma once

#include <string>
#include <vector>

#include "course/similar/all_pairs.h"
#include "lab/lab.h"

namespace cudalabs::test {

/// A way to hide that something was copied.
struct Planted {
  std::string original;  // its sample, by name
  std::string how;       // "renamed", "comments", "reordered", "loops", "split"
};

struct SampleClass {
  Lab lab;
  std::vector<std::string> names;  // of the submissions, first the independent ones
  std::vector<Planted> planted;    // the rest, in order
  std::vector<std::string> texts;
  similar::Piece given;
  std::vector<similar::Piece> pieces;

  std::size_t independent() const { return names.size() - planted.size(); }
};

/// `source` with the names of what it declares changed.
std::string renamed(const std::string& source);
/// `source` with all comments replaced by others, and in another layout.
std::string with_other_comments(const std::string& source);

/// Of the lab's solution and of what is in its folder alternative/: each other is independent of it. Planted are a
/// renamed copy and one with other comments of every third of them, and the copies in the folder planted/ here.
SampleClass class_of_samples(const std::string& lab);

}  // namespace cudalabs::test
