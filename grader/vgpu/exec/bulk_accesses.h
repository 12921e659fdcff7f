// What copies in bulk do to memory, and what observers hear of it.
#pragma once

#include "vgpu/exec/bulk_copies.h"

namespace cudalabs::vgpu::exec {

/// From now on the copy may write.
void announce_bulk_stores(const BulkCopy& copy);
/// Each does nothing the second time.
void read_in_bulk(BulkCopy& copy);
void write_in_bulk(BulkCopy& copy);
/// Tells the barrier that the bytes have come.
void tell_barrier(const BulkCopy& copy);
/// The block that it writes to has ended.
void tell_ended_block(const BulkCopy& copy);

}  // namespace cudalabs::vgpu::exec
