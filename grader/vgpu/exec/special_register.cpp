// The special registers the virtual GPU has.
#include "vgpu/exec/special_register.h"

#include <map>

namespace cudalabs::vgpu::exec {

std::optional<SpecialKind> find_special(const ptx::SpecialRegister& name) {
  using ptx::Type;
  const auto component = [&](Special x, Special y, Special z, Special w) -> SpecialKind {
    switch (name.component) {
      case 'x':
        return {x, Type::u32};
      case 'y':
        return {y, Type::u32};
      case 'z':
        return {z, Type::u32};
      default:
        return {w, Type::u32};
    }
  };
  using enum Special;
  if (name.name == "%tid") return component(tid_x, tid_y, tid_z, zero);
  if (name.name == "%ntid") return component(ntid_x, ntid_y, ntid_z, one);
  if (name.name == "%ctaid") return component(ctaid_x, ctaid_y, ctaid_z, zero);
  if (name.name == "%nctaid") return component(nctaid_x, nctaid_y, nctaid_z, one);
  if (name.name == "%clusterid") return component(clusterid_x, clusterid_y, clusterid_z, zero);
  if (name.name == "%nclusterid") return component(nclusterid_x, nclusterid_y, nclusterid_z, one);
  if (name.name == "%cluster_ctaid") return component(cluster_ctaid_x, cluster_ctaid_y, cluster_ctaid_z, zero);
  if (name.name == "%cluster_nctaid") return component(cluster_nctaid_x, cluster_nctaid_y, cluster_nctaid_z, one);
  static const std::map<std::string_view, SpecialKind> kScalars{
      {"%laneid", {laneid, Type::u32}},
      {"%warpid", {warpid, Type::u32}},
      {"%nwarpid", {nwarpid, Type::u32}},
      {"%smid", {smid, Type::u32}},
      {"%nsmid", {nsmid, Type::u32}},
      {"%gridid", {gridid, Type::u64}},
      {"%cluster_ctarank", {cluster_ctarank, Type::u32}},
      {"%cluster_nctarank", {cluster_nctarank, Type::u32}},
      {"%is_explicit_cluster", {is_explicit_cluster, Type::u32}},
      {"%lanemask_eq", {lanemask_eq, Type::u32}},
      {"%lanemask_le", {lanemask_le, Type::u32}},
      {"%lanemask_lt", {lanemask_lt, Type::u32}},
      {"%lanemask_ge", {lanemask_ge, Type::u32}},
      {"%lanemask_gt", {lanemask_gt, Type::u32}},
      {"%clock", {clock, Type::u32}},
      {"%clock_hi", {clock_hi, Type::u32}},
      {"%clock64", {clock64, Type::u64}},
      {"%globaltimer", {globaltimer, Type::u64}},
      {"%globaltimer_lo", {globaltimer_lo, Type::u32}},
      {"%globaltimer_hi", {globaltimer_hi, Type::u32}},
      {"%total_smem_size", {total_smem_size, Type::u32}},
      {"%dynamic_smem_size", {dynamic_smem_size, Type::u32}},
  };
  if (const auto found = kScalars.find(name.name); found != kScalars.end()) return found->second;
  // Counters of the performance monitor and the driver's registers read as zero.
  if (name.name == "%envreg1") return SpecialKind{grid_workspace_high, Type::u32};
  if (name.name == "%envreg2") return SpecialKind{grid_workspace_low, Type::u32};
  // Cooperative groups compute addresses in the shared memory that the driver keeps, which is not there.
  if (name.name.starts_with("%reserved_smem_offset")) return SpecialKind{no_reserved_shared, Type::u32};
  if (name.name.starts_with("%envreg")) return SpecialKind{zero, Type::u32};
  if (name.name.starts_with("%pm")) return SpecialKind{zero, name.name.ends_with("_64") ? Type::u64 : Type::u32};
  return std::nullopt;
}

}  // namespace cudalabs::vgpu::exec
