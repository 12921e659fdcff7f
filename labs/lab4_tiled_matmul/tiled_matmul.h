// The contract of lab 4: what the grader calls and you write. Read it, but do not change it.
#pragma once

/// Computes C = A·B on the device, tile by tile: the threads of a block bring a tile of A and a tile of B into shared
/// memory together, and each of them then uses the values that all have brought.
///
/// All three matrices are dense, in row-major order, and already lie in device memory: element (row, column) of a
/// matrix with `width` columns is at index `row * width + column`. They do not overlap.
///
///   d_a   device address of A, m rows × n columns, read only
///   d_b   device address of B, n rows × p columns, read only
///   d_c   device address of C, m rows × p columns; uninitialised before the call, and m·p sums after it
///   m, n, p   each at least 1; they need not be equal, nor multiples of the tile
///
/// The function chooses the tile, the grid and the block, launches the kernel, and checks that the launch went well. It
/// may return before the kernel is done: the caller waits. It allocates nothing that it does not free.
void tiled_matmul(const float* d_a, const float* d_b, float* d_c, int m, int n, int p);
