// What is said first of several findings: by the table of findings, and by how bad each one is.
#pragma once

#include "vgpu/check/finding_table.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// What the table says of a finding. An id that it does not know is a symptom. Advice is a remark. A warning is about
/// what could go wrong, such as two threads that write the same value, but for two that may be why it does go wrong: a
/// statement without effect, and an uninitialised read, which as a warning is one of a variable.
FindingKind cause_kind(const Finding& finding);

/// True when `left` is to be fixed before `right`: by stage, then errors before warnings, then by place, then by the
/// order of the table.
bool is_before(const Finding& left, const Finding& right);

}  // namespace cudalabs
