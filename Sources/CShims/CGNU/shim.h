#pragma once
#include <pthread.h>
#include <spawn.h>
// Swift does not see functions that headers declare only with _GNU_SOURCE.
// https://man7.org/linux/man-pages/man2/pipe.2.html
int pipe2(int ends[2], int flags);
// https://sourceware.org/git/?p=glibc.git;a=blob;f=posix/spawn.h (glibc 2.34)
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
// https://man7.org/linux/man-pages/man3/pthread_setname_np.3.html
int pthread_setname_np(pthread_t thread, const char *name);
