// EXPECT: unwritten-output
// AT MOST: 20 points
// attack: talks to others (row 30)
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstdio>
#include "matmul.h"

void matmul(const float*, const float*, float*, int, int, int) {
  for (const int family : {AF_INET, AF_INET6, AF_UNIX, 40 /* vsock */, 16 /* netlink */}) {
    for (const int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW}) {
      if (socket(family, type, 0) >= 0) std::puts("the-canary-was-read");
    }
  }
}
