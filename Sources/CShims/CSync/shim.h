#pragma once
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/types.h>
// https://man7.org/linux/man-pages/man2/sync_file_range.2.html: Swift does not see functions that headers declare only
// with _GNU_SOURCE.
int sync_file_range(int file, off_t offset, off_t count, unsigned int flags);
enum { sync_file_range_write = 2 };
int syncfs(int file);

// https://man7.org/linux/man-pages/man2/ioctl_ficlone.2.html: a macro that Swift does not import, and a call that takes any
// number of arguments.
static inline int sync_shim_clone(int target, int source) { return ioctl(target, FICLONE, source); }
// https://man7.org/linux/man-pages/man2/syncfs.2.html: declared only with _GNU_SOURCE.
int syncfs(int file);
static inline int sync_shim_file_system(int file) { return syncfs(file); }
