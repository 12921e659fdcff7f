// How people start this program: messages that name commands say what can be typed.
#pragma once

#include <string>

namespace cudalabs {

struct Invocation {
  std::string name = "grade";     // before messages and in help texts
  std::string typed = "./grade";  // in the folder where people work
  /// Installed for everybody: the labs are nobody's to edit, so people work on copies of their own.
  bool installed = false;
};

/// A word of a command as a shell takes it: in quotes where it has spaces or signs of the shell's.
std::string typed_word(const std::string& word);

/// Of this process.
const Invocation& invocation();

}  // namespace cudalabs
