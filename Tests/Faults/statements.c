// Stands between a program and SQLite: counts the statements that begin, and kills the program before a chosen one. Preloaded
// into the built command by the tests of upgrades; no product links it.
//
//   STATEMENTS_LOG  where each statement is noted that begins, a line each, with the first of its own lines
//   STATEMENTS_AT   the number of the statement before which the program is killed, from 1; 0 for none

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int counted;

static void begins(sqlite3_stmt *statement) {
  const char *text = sqlite3_sql(statement), *log = getenv("STATEMENTS_LOG"), *at = getenv("STATEMENTS_AT");
  if (!text) return;
  if (atomic_fetch_add(&counted, 1) + 1 == (at ? atoi(at) : 0)) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  int file = log ? open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  // One call, so that the lines of two threads do not mix.
  char line[128];
  size_t length = strcspn(text, "\n");
  if (length > sizeof line - 1) length = sizeof line - 1;
  memcpy(line, text, length);
  line[length] = '\n';
  if (write(file, line, length + 1) < 0) abort();
  close(file);
}

/// The library's own functions call it, too, so that the statements of a script count.
int sqlite3_step(sqlite3_stmt *statement) {
  static __typeof__(sqlite3_step) *next;
  if (!next) next = (__typeof__(sqlite3_step) *)dlsym(RTLD_NEXT, "sqlite3_step");
  if (!sqlite3_stmt_busy(statement)) begins(statement);
  return next(statement);
}
