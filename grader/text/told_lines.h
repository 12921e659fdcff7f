// Text that was written for people, into which more is put where more is known. What a rule decides by, a finding has
// as facts; who puts words into its text takes those that are in the way from who has written them.
#pragma once

#include <string>
#include <string_view>

namespace cudalabs {

/// The second line of the text; that of an empty one is the second, too.
void insert_second_line(std::string& text, std::string_view line);

/// At the end of the first line.
void add_to_first_line(std::string& text, std::string_view more);

/// At the end of the line that has the words; nothing where none has them.
void add_to_line(std::string& text, std::string_view words, std::string_view more);

/// Takes out the first line behind the first one that begins so.
void erase_line(std::string& text, std::string_view begin);

/// These do nothing where the text has no such words, and say whether it has.
bool replace_first(std::string& text, std::string_view words, std::string_view fresh);
bool replace_begin(std::string& text, std::string_view words, std::string_view fresh);
bool replace_end(std::string& text, std::string_view words, std::string_view fresh);

/// From the words to the end of the text.
bool replace_rest(std::string& text, std::string_view words, std::string_view fresh);

/// Up to the words, these included.
bool erase_through(std::string& text, std::string_view words);

}  // namespace cudalabs
