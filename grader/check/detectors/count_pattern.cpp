// What is known of a wrong sum once the elements in it have been counted (element_counts.h).
#include "check/explanations.h"

namespace cudalabs {
namespace {

// Of the steps of a block the last ones add up what its warps have left.
const CauseLine kLastHalving{CauseLine::Kind::last_origin, vgpu::OriginKind::halving};
const CauseLine kHalving{CauseLine::Kind::origin, vgpu::OriginKind::halving};

const RegisterDetector kCounts(
    {{"sum_without_warps", {"first", "last", "missing", "n", "warp", "warps", "all_warps"}, {kLastHalving}},
     {"sum_without_lanes", {"first", "last", "missing", "n", "lane", "lanes"}, {kHalving}},
     {"sum_without_a_run", {"first", "last", "missing", "n"}},
     {"sum_without_some", {"first", "last", "missing", "n"}},
     {"sum_with_a_run_again", {"first", "last", "again", "times", "n"}},
     {"sum_with_some_again", {"first", "last", "again", "times", "n"}},
     {"sum_with_others_again", {"first", "last", "again", "times", "n", "missing", "first_missing"}}},
    nullptr);

}  // namespace
}  // namespace cudalabs
