// Stands between a program and its disk: counts the calls that change files below some folders, and at a chosen one kills
// the program or lets the call fail. Preloaded into the built command by the crash matrix; no product links it.
//
//   FAULT_UNDER  the folders, each with a colon behind it
//   FAULT_LOG    where every counted call is noted, a line each: number, call, what happened, file
//   FAULT_KIND   kill, torn, short, EINTR, EIO, ENOSPC, or full: no space from that call on; none where it is not set
//   FAULT_AT     the number of the call, from 1
//
// Calls go to the kernel straight, so that nothing of the C library is needed before it is ready. What a call cannot say
// by its manual it does not say here: a rename is not interrupted, a sync wants no space.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { TAKES_SPACE = 1, MAY_BE_INTERRUPTED = 2, WRITES = 4 };
enum verdict { GO_ON, FAIL, HALVE, TEAR };

static atomic_int counted;

static int is_under(const char *path) {
  const char *folders = getenv("FAULT_UNDER");
  while (folders && *folders) {
    const char *end = strchr(folders, ':');
    size_t length = end ? (size_t)(end - folders) : strlen(folders);
    if (!strncmp(path, folders, length) && (path[length] == '/' || !path[length] || path[length] == ' ')) return 1;
    folders = end ? end + 1 : NULL;
  }
  return 0;
}

static int place(int file, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_under(path);
}

static void note(int number, const char *call, const char *what, const char *path) {
  const char *log = getenv("FAULT_LOG");
  if (!log) return;
  char line[PATH_MAX + 128];
  int length = snprintf(line, sizeof line, "%d\t%s\t%s\t%s\n", number, call, what, path);
  long file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, line, length);
  syscall(SYS_close, file);
}

static void die(void) {
  syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  for (;;) pause();
}

/// What becomes of a call; `errno` is set where it is to fail.
static enum verdict judge(const char *call, const char *path, int traits) {
  int before = errno;
  int number = atomic_fetch_add(&counted, 1) + 1;
  const char *kind = getenv("FAULT_KIND"), *at = getenv("FAULT_AT");
  int chosen = at ? atoi(at) : 0;
  int is_now = kind && number == chosen;
  int is_full = kind && !strcmp(kind, "full") && number >= chosen;
  if (is_now && !strcmp(kind, "kill")) {
    note(number, call, kind, path);
    die();
  }
  enum verdict verdict = GO_ON;
  if (is_full || (is_now && !strcmp(kind, "ENOSPC"))) {
    if (traits & TAKES_SPACE) verdict = FAIL, errno = ENOSPC;
  } else if (is_now && !strcmp(kind, "EIO")) {
    verdict = FAIL, errno = EIO;
  } else if (is_now && !strcmp(kind, "EINTR")) {
    if (traits & MAY_BE_INTERRUPTED) verdict = FAIL, errno = EINTR;
  } else if (is_now && traits & WRITES) {
    verdict = !strcmp(kind, "torn") ? TEAR : HALVE;
  }
  int code = errno;
  note(number, call, verdict == GO_ON ? "-" : kind, path);
  errno = verdict == FAIL ? code : before;
  return verdict;
}

static long written(int file, const void *bytes, size_t count, off_t offset, int is_placed, const char *call) {
  char path[PATH_MAX];
  enum verdict verdict =
      place(file, path) ? judge(call, path, TAKES_SPACE | MAY_BE_INTERRUPTED | WRITES) : GO_ON;
  if (verdict == FAIL) return -1;
  if (verdict != GO_ON && count > 1) count /= 2;
  long result = is_placed ? syscall(SYS_pwrite64, file, bytes, count, offset) : syscall(SYS_write, file, bytes, count);
  if (verdict == TEAR) die();
  return result;
}

ssize_t write(int file, const void *bytes, size_t count) { return written(file, bytes, count, 0, 0, "write"); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return written(file, bytes, count, offset, 1, "write");
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return written(file, bytes, count, offset, 1, "write");
}

ssize_t writev(int file, const struct iovec *pieces, int count) {
  char path[PATH_MAX];
  if (place(file, path) && judge("write", path, TAKES_SPACE | MAY_BE_INTERRUPTED) == FAIL) return -1;
  return syscall(SYS_writev, file, pieces, count);
}

static int on_file(int file, const char *call, int traits) {
  char path[PATH_MAX];
  return place(file, path) && judge(call, path, traits) == FAIL;
}

int syncfs(int file) { return on_file(file, "sync", MAY_BE_INTERRUPTED) ? -1 : (int)syscall(SYS_syncfs, file); }
int fsync(int file) { return on_file(file, "sync", MAY_BE_INTERRUPTED) ? -1 : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return on_file(file, "sync", MAY_BE_INTERRUPTED) ? -1 : (int)syscall(SYS_fdatasync, file); }
int fchmod(int file, mode_t mode) { return on_file(file, "chmod", 0) ? -1 : (int)syscall(SYS_fchmod, file, mode); }

static int cut(int file, off_t length) {
  return on_file(file, "truncate", MAY_BE_INTERRUPTED) ? -1 : (int)syscall(SYS_ftruncate, file, length);
}
int ftruncate(int file, off_t length) { return cut(file, length); }
int ftruncate64(int file, off64_t length) { return cut(file, length); }

static int allotted(int file, int mode, off_t offset, off_t length) {
  if (on_file(file, "allocate", TAKES_SPACE | MAY_BE_INTERRUPTED)) return -1;
  return (int)syscall(SYS_fallocate, file, mode, offset, length);
}
int fallocate(int file, int mode, off_t offset, off_t length) { return allotted(file, mode, offset, length); }
int fallocate64(int file, int mode, off64_t offset, off64_t length) { return allotted(file, mode, offset, length); }
int posix_fallocate(int file, off_t offset, off_t length) { return allotted(file, 0, offset, length) ? errno : 0; }
int posix_fallocate64(int file, off64_t offset, off64_t length) { return allotted(file, 0, offset, length) ? errno : 0; }

/// A path below a folder that is held open, as the kernel tells it.
static const char *real(const char *path, char *whole) {
  int file = 0, length = 0;
  if (sscanf(path, "/proc/self/fd/%d%n", &file, &length) != 1 || path[length] != '/') return path;
  place(file, whole);
  size_t end = strlen(whole);
  snprintf(whole + end, PATH_MAX - end, "%s", path + length);
  return whole;
}

static int on_path(const char *path, const char *call, int traits) {
  char whole[PATH_MAX] = "";
  const char *name = real(path, whole);
  return is_under(name) && judge(call, name, traits) == FAIL;
}

static int moved(int from, const char *old, int to, const char *new, unsigned flags) {
  return on_path(new, "rename", TAKES_SPACE) ? -1 : (int)syscall(SYS_renameat2, from, old, to, new, flags);
}
int rename(const char *old, const char *new) { return moved(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int from, const char *old, int to, const char *new) { return moved(from, old, to, new, 0); }
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  return moved(from, old, to, new, flags);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
  return on_path(new, "link", TAKES_SPACE) ? -1 : (int)syscall(SYS_linkat, from, old, to, new, flags);
}
int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

int unlinkat(int folder, const char *path, int flags) {
  return on_path(path, "unlink", 0) ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdir(const char *path, mode_t mode) {
  return on_path(path, "mkdir", TAKES_SPACE) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}
int chmod(const char *path, mode_t mode) {
  return on_path(path, "chmod", 0) ? -1 : (int)syscall(SYS_fchmodat, AT_FDCWD, path, mode);
}

/// Opening counts where it is to write: to look at a file changes nothing.
static int opened(int folder, const char *path, int flags, mode_t mode) {
  int is_to_write = (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT;
  int makes = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
  if (is_to_write && on_path(path, "open", MAY_BE_INTERRUPTED | (makes ? TAKES_SPACE : 0))) return -1;
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}

static mode_t mode_of(int flags, va_list rest) {
  return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

#define OPENS(name)                                       \
  int name(const char *path, int flags, ...) {            \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    mode_t mode = mode_of(flags, rest);                   \
    va_end(rest);                                         \
    return opened(AT_FDCWD, path, flags, mode);           \
  }
#define OPENS_AT(name)                                    \
  int name(int folder, const char *path, int flags, ...) { \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    mode_t mode = mode_of(flags, rest);                   \
    va_end(rest);                                         \
    return opened(folder, path, flags, mode);             \
  }
OPENS(open)
OPENS(open64)
OPENS_AT(openat)
OPENS_AT(openat64)
