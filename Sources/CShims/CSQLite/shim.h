#pragma once
// C shim for variadic functions of SQLite, which Swift cannot import.
#include <sqlite3.h>

/// Turns off SQLite's memory statistics: nothing reads them, and each allocation of each thread takes one global lock
/// for them. Has no effect after the first use of SQLite. https://sqlite.org/c3ref/c_config_covering_index_scan.html
static inline void sqlite_shim_disable_memory_statistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Sets how much of what a statement may have to take back is held in memory before it goes to a temporary file. Has no effect
/// after the first use of SQLite. https://sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigstmtjrnlspill
///
/// - Parameter bytes: SQLite's own limit is 64 KiB.
static inline void sqlite_shim_keep_statement_journals(int bytes) {
  sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, bytes);
}

/// Has a connection enforce foreign keys. https://sqlite.org/foreignkeys.html
static inline void sqlite_shim_enforce_foreign_keys(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FKEY, 1, (int *)0);
}

/// Has a connection read double-quoted text as a name, never as a string. https://sqlite.org/quirks.html#dblquote
static inline void sqlite_shim_disable_double_quoted_strings(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}
