#pragma once
// The door to the one call of SQLite that Swift cannot import: it takes any number of arguments.
#include <sqlite3.h>

/// Leaves out SQLite's count of the memory in use, which nobody reads, and for which every allocation of every thread
/// takes one lock. Has no effect once SQLite was used. https://sqlite.org/c3ref/c_config_covering_index_scan.html
static inline void sqlite_door_count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
