// The special registers the virtual GPU has.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::exec {

enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  delay_clock,  // clocks in loops that only wait for a time: no registers of PTX
  delay_clock64,
  total_smem_size,
  dynamic_smem_size,
  grid_workspace_high,  // %envreg1 and %envreg2: where a cooperative launch has its barrier, 0 in other launches
  grid_workspace_low,
  no_reserved_shared,  // beyond all shared memory, so that an access through it is refused
  shared_base,         // where the block's shared memory begins, for its cluster: not a register of PTX
  local_base,          // where the running function's local variables begin: not a register of PTX
  zero,
  one
};

struct SpecialKind {
  Special special = Special::zero;
  ptx::Type type = ptx::Type::u32;
};

/// Null for registers the virtual GPU does not have.
std::optional<SpecialKind> find_special(const ptx::SpecialRegister& name);

}  // namespace cudalabs::vgpu::exec
