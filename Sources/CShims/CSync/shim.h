#pragma once
#include <sys/types.h>
// https://man7.org/linux/man-pages/man2/sync_file_range.2.html: Swift does not see functions that headers declare only
// with _GNU_SOURCE.
int sync_file_range(int file, off_t offset, off_t count, unsigned int flags);
enum { sync_file_range_write = 2 };
