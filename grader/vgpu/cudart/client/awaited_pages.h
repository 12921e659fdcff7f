// Pages of page-locked memory whose data an asynchronous copy has not brought yet: the host must not touch them, and it
// is told where it does.
#pragma once

#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

/// Takes the pages that nothing but the rows of `copy` lies on from the host, until its data comes.
void take_pages(const Client& client, PendingCopy& copy);
/// The host gets them back.
void give_pages_back(PendingCopy& copy);
/// The same, when the host touches one of them at once; `in_call`: a call of the runtime does that for the program, in
/// the order of its streams. False when it is none of these pages.
bool touch_awaited(Client& client, const HostTouch& touch, bool in_call);

}  // namespace cudalabs::vgpu::client
