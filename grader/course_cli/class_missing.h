// Who has handed something in for a lab, and who has not.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "course/class_data.h"

namespace cudalabs {

/// "lab3: 290 of 300 students handed in (273 different files), 10 did not: grade class missing lab3 --out DIR lists
/// them". `on_roster`: whether it is known who could have.
std::string shown_hand_ins(const course::ClassData& data, const std::string& lab, bool on_roster,
                           const std::filesystem::path& out);

/// Who has handed in nothing for it, by id: "s1001 Ada Lovelace <ada@example.org>".
std::vector<std::string> shown_missing(const course::ClassData& data, const std::string& lab);

}  // namespace cudalabs
