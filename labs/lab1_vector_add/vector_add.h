// The contract of lab 1: what the grader calls and you write. Read it, but do not change it.
#pragma once

/// Computes c[i] = a[i] + b[i] for i = 0 … n - 1 on the device.
///
///   a, b   HOST addresses of n floats each, read only
///   c      HOST address of n floats; uninitialised before the call, and the sums after it
///   n      0 or more, and no multiple of anything
///
/// The function allocates device memory, copies in, launches the kernel, copies out, and frees what it allocated.
/// When any of that fails, it says so on stderr, frees what it has, leaves c as it was, and returns: its caller goes
/// on.
void vector_add(const float* a, const float* b, float* c, int n);
