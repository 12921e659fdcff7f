// Writes a report so that nobody ever sees half of it.
#pragma once

#include <filesystem>
#include <string_view>

namespace cudalabs {

/// Replaces `path` by a file with this text, or leaves what was there: temporary file beside it, fsync, rename.
/// Throws std::runtime_error naming the file.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace cudalabs
