// Findings about memory, or an event, that the destructor of one object has given back while another one still has it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "text/code_text.h"

namespace cudalabs {

/// The type whose destructor freed the memory, or destroyed the event, that the finding is about; empty: it is about
/// something else.
std::string freeing_type(const MergedFinding& finding, std::string_view source);

/// Calls explain(finding, code, type) for each such finding in the file, whose text is `source`; `code` is that without
/// comments.
template <class Explain>
void for_each_freed_by_destructor(std::vector<MergedFinding>& findings, std::string_view source,
                                  const std::string& file, const Explain& explain) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (!finding.is_in_file(file)) continue;
    const std::string type = freeing_type(finding, source);
    if (type.empty()) continue;
    if (code.empty()) code = without_comments(source);
    explain(finding, code, type);
  }
}

/// Of such a finding: it is about an event, which was destroyed before.
bool is_of_destroyed_event(const MergedFinding& finding);

/// Places it where the second owner came to be. What it was about becomes a note, and stands beside.
void place_at_second_owner(MergedFinding& finding, const std::string& type, SourcePlace place);

}  // namespace cudalabs
