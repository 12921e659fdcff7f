// A copy within the device, by which its bandwidth is measured, and what the device says of itself.
#pragma once

/// Copies n floats. Does not wait.
void copy_floats(const float* d_in, float* d_out, int n);

/// Multiprocessors, clock in kHz, compute capability times ten, bytes of L2.
void device_facts(int* facts);
