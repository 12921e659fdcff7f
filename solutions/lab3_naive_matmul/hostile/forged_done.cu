// EXPECT: runner-crashed, unwritten-output
// AT MOST: 20 points
// attack: says DONE in the place of the harness (row 20)
#include <sys/socket.h>
#include <unistd.h>
#include "matmul.h"

struct Message {
  unsigned magic = 0x43554c41, said = 1;
  unsigned long long rest[2] = {};
  char text[488] = {};
};

void matmul(const float*, const float*, float*, int, int, int) {
  Message done;
  send(3, &done, sizeof done, MSG_NOSIGNAL);
  _exit(0);
}
