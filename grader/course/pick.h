// Which of the files that a student handed in is the submission.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "course/hand_ins.h"
#include "lab/lab.h"

namespace cudalabs::course {

struct Picked {
  const HandedFile* file = nullptr;  // none: nothing fits, or more than one thing does
  std::string note;     // in what it is not as asked for: another name, a copy's number; empty when as asked
  std::string problem;  // why there is none; empty when nothing was handed in for this lab
};

/// Whether a folder is named after the lab: by its id, or as its own folder is.
bool names_lab(std::string_view folder, const Lab& lab);

/// The file of the lab's own name; else the one that a browser or system has renamed (`matmul (2).cu`, `matmul-2.cu`,
/// the highest number); else the only `.cu`; else the only source file. A folder named after a lab counts for that lab
/// alone. `labs`: all that the class hands in together; when there is more than one, only names decide.
Picked pick(const HandIn& hand_in, const Lab& lab, const std::vector<Lab>& labs);

}  // namespace cudalabs::course
