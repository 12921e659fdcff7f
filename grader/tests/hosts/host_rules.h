// The published rules of course hosts for what they are told, as code.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cudalabs::test {

/// What is wrong with a text for its host; none: the host takes it.
std::vector<std::string> gradescope_faults(const std::string& text);
std::vector<std::string> classroom_faults(const std::string& text);  // what was added to $GITHUB_OUTPUT
std::vector<std::string> prairielearn_faults(const std::string& text);
std::vector<std::string> autolab_faults(const std::string& text);  // the whole output
std::vector<std::string> submitty_faults(const std::string& text);

/// Points that the host makes of a text it takes, of 100; below 0: no grade.
double gradescope_points(const std::string& text);
double classroom_points(const std::string& text);
double prairielearn_points(const std::string& text);
double autolab_points(const std::string& text);
double submitty_points(const std::string& text);

std::string from_base64(const std::string& text);

}  // namespace cudalabs::test
