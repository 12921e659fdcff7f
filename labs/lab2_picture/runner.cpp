// How the grader calls `picture_double` and `picture_gray`: the pictures go in, already on the device, and the results
// come out; or the answers of the quiz do, and no picture. Read it, but do not change it.
#include "picture.h"

#include <cudalabs/runner.h>

#include <cstddef>

void answer_quiz(cudalabs::Call& call) {
  int* quiz = call.host_output<int>("quiz", 5);
  quiz[0] = quiz_blocks_x;
  quiz[1] = quiz_blocks_y;
  quiz[2] = quiz_blocks;
  quiz[3] = quiz_threads;
  quiz[4] = quiz_idle_threads;
}

void work_on_pictures(cudalabs::Call& call) {
  const int width = call.integer("width"), height = call.integer("height");
  const std::size_t pixels = static_cast<std::size_t>(width) * height;
  const float* d_in = call.device_input<float>("picture");                    // copied to the device
  float* d_out = call.device_output<float>("doubled", pixels);                // uninitialised
  const unsigned char* d_rgb = call.device_input<unsigned char>("rgb");       // 3 * pixels bytes, copied to the device
  unsigned char* d_gray = call.device_output<unsigned char>("gray", pixels);  // uninitialised
  const bool gray_first = call.integer("gray_first") == 1;                    // neither needs the other
  if (gray_first) {
    picture_gray(d_rgb, d_gray, width, height);
  } else {
    picture_double(d_in, d_out, width, height);
  }
  call.next_function();  // each looks after its own launches
  if (gray_first) {
    picture_double(d_in, d_out, width, height);
  } else {
    picture_gray(d_rgb, d_gray, width, height);
  }
}

void cudalabs_run(cudalabs::Call& call) {
  if (call.integer("quiz") == 1) {
    answer_quiz(call);
  } else {
    work_on_pictures(call);
  }
  call.finish();  // waits for the device, copies both pictures back
}
