// The contract of lab 2: what the grader calls and you write. Read it, but do not change it.
#pragma once

/// Writes twice each value of a picture: d_out = 2 · d_in, pixel by pixel.
///
/// All pictures are dense, in row-major order, and already lie in device memory: pixel (row, column) is at index
/// `row * width + column`. They do not overlap.
///
///   d_in    device address of height rows × width columns of floats, read only
///   d_out   device address of as many floats; uninitialised before the call, and the doubled picture after it
///   width, height   each at least 1; they need not be equal, nor multiples of anything
///
/// This function and the next choose the grid and the block, launch the kernel, and check that the launch went well.
/// They may return before the kernel is done: the caller waits.
void picture_double(const float* d_in, float* d_out, int width, int height);

/// Turns a colour picture into grey. A pixel of d_rgb is three bytes, red, green and blue, one pixel after the other; a
/// pixel of d_gray is one byte. Its value is computed in integers:
///
///   gray = (77 · red + 150 · green + 29 · blue + 128) / 256
///
/// The weights say how bright the eye finds each colour and add up to 256; the 128 rounds to the nearest.
void picture_gray(const unsigned char* d_rgb, unsigned char* d_gray, int width, int height);

// The launch quiz: a picture of 72 columns and 62 rows under blocks of 16 × 16 threads.
extern const int quiz_blocks_x;      // blocks along x
extern const int quiz_blocks_y;      // blocks along y
extern const int quiz_blocks;        // all blocks
extern const int quiz_threads;       // all threads
extern const int quiz_idle_threads;  // threads that have no pixel
