// EXPECT: process-limit
// AT MOST: 5 points
// OR: process-limit, time-budget
// OR: time-budget
// OR: timed-out
// attack: starts threads without end (row 24)
#include <pthread.h>
#include <unistd.h>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  for (;;) {
    pthread_t thread;
    pthread_create(
        &thread, nullptr,
        [](void*) -> void* {
          for (;;) pause();
        },
        nullptr);
  }
}
