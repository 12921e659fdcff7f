// What a stretch of a source's tokens uses, changes and calls.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// A name of its own there, not that of a member.
bool is_own_name(const std::vector<Token>& tokens, std::size_t at);
bool is_assignment_sign(const Token& token);

bool uses(const std::vector<Token>& tokens, TokenRange stretch, std::string_view name);
/// Assigns to it or to a part of it, counts it up or down, or hands its address on.
bool changes(const std::vector<Token>& tokens, TokenRange stretch, std::string_view name);
/// The names that are called there, those of kernels, too; not "sizeof" and the like.
std::vector<std::string_view> called_in(const std::vector<Token>& tokens, TokenRange stretch);
/// A call of a function that frees memory or destroys an event or a stream, or "delete": its first token; npos: there
/// is none.
std::size_t release_in(const std::vector<Token>& tokens, TokenRange stretch);
bool is_release(std::string_view function);

std::string_view text_of(const PatchedSource& source, TokenRange stretch);
/// Its code for a message, between backticks: all of it, or only "f(...)" where it has more than `longest` letters.
std::string quoted(const PatchedSource& source, TokenRange stretch, std::size_t longest = kLongestCode);

}  // namespace cudalabs::patch
