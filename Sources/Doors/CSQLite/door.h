#pragma once
// The door to calls of SQLite that Swift cannot import: they take any number of arguments.
#include <sqlite3.h>

/// Leaves out SQLite's count of the memory in use, which nobody reads, and for which every allocation of every thread
/// takes one lock. Has no effect once SQLite was used. https://sqlite.org/c3ref/c_config_covering_index_scan.html
static inline void sqlite_door_count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Has a connection hold rows to those that they name. https://sqlite.org/foreignkeys.html
static inline void sqlite_door_check_references(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FKEY, 1, (int *)0);
}

/// Has a connection take what stands in double quotes for a name, never for a text. https://sqlite.org/quirks.html#dblquote
static inline void sqlite_door_refuse_quoted_texts(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}
