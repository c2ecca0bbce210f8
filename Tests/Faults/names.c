// Stands between a program and the names of the network: nobody ever answers for what ends in "silent.example", whoever
// asks for it waits until the program ends. Preloaded into the built command by a test; no product links it.
//
//   NAMES_ASKED  the file that is made when such a name is asked for

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  static const char silent[] = "silent.example";
  size_t length = name ? strlen(name) : 0, end = sizeof silent - 1;
  if (length >= end && !strcmp(name + length - end, silent)) {
    const char *asked = getenv("NAMES_ASKED");
    if (asked) close(open(asked, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    for (;;) pause();
  }
  __typeof__(getaddrinfo) *next = (__typeof__(getaddrinfo) *)dlsym(RTLD_NEXT, "getaddrinfo");
  return next(name, service, hints, found);
}
