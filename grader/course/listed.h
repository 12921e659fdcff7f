// Names of several, of whom the first stand for all.
#pragma once

#include <string>
#include <vector>

namespace cudalabs::course {

/// "s1, s2, s3, s4, s5 and 16 more".
std::string listed(const std::vector<std::string>& names);

/// "21 of 24 students of the class are not in the gradebook: s1, s2, ..."; nothing is added where `missing` is empty.
void note_missing(std::vector<std::string>& notes, const std::vector<std::string>& missing, std::size_t students,
                  const std::string& where);

/// "2 rows of the gradebook are of nobody in this class: Ada, Grace".
void note_strangers(std::vector<std::string>& notes, const std::vector<std::string>& strangers,
                    const std::string& where);

}  // namespace cudalabs::course
