#pragma once
// C shim for libpq, PostgreSQL's client library.
//
// Loading it brings Kerberos and LDAP along, and a library in a folder needs none of them. So nothing links it:
// pq_shim_open loads it at the first connection and keeps its functions in a table. __typeof__ takes each type from
// libpq's own header, so a table that does not fit the library does not compile.
#include <dlfcn.h>
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif
#include <stdlib.h>

#define PQ_SHIM_FUNCTIONS(f) \
  f(connectdbParams) f(connectStartParams) f(reset) f(setErrorVerbosity) f(conninfo) f(backendPID) f(conninfoParse) f(conninfoFree) f(freemem) f(finish) f(status) f(errorMessage) f(serverVersion) \
  f(socket) f(connectionNeedsPassword) f(transactionStatus) f(setNoticeReceiver) f(exec) f(prepare) f(execPrepared) f(sendPrepare) \
  f(sendQueryPrepared) f(getResult) f(consumeInput) f(notifies) f(setnonblocking) f(flush) \
  f(enterPipelineMode) f(exitPipelineMode) f(pipelineSync) f(resultStatus) \
  f(resultErrorField) f(cmdStatus) f(cmdTuples) f(ntuples) f(nfields) f(fname) f(ftype) f(getisnull) f(getlength) \
  f(getvalue) f(clear)

typedef struct {
#define PQ_SHIM_FIELD(name) __typeof__(PQ##name) *name;
  PQ_SHIM_FUNCTIONS(PQ_SHIM_FIELD)
#undef PQ_SHIM_FIELD
} PQShim;

/// The table, allocated once and never freed, or NULL if libpq is missing or lacks a function.
static inline const PQShim *pq_shim_open(void) {
  void *library = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
  PQShim *table = library ? (PQShim *)calloc(1, sizeof(PQShim)) : NULL;
  if (!table) return NULL;
#define PQ_SHIM_FIND(n) \
  if (!(table->n = (__typeof__(table->n))dlsym(library, "PQ" #n))) { free(table); return NULL; }
  PQ_SHIM_FUNCTIONS(PQ_SHIM_FIND)
#undef PQ_SHIM_FIND
  return table;
}

static inline void pq_shim_ignore_notice(void *context, const PGresult *result) { (void)context; (void)result; }

/// Keeps libpq from printing the server's notices to standard error.
static inline void pq_shim_silence(const PQShim *d, PGconn *connection) {
  d->setNoticeReceiver(connection, pq_shim_ignore_notice, NULL);
}

/// libpq's macros for the fields of an error, which are characters that Swift would import as numbers of another type.
enum {
  pq_shim_field_state = PG_DIAG_SQLSTATE,
  pq_shim_field_message = PG_DIAG_MESSAGE_PRIMARY,
  pq_shim_field_detail = PG_DIAG_MESSAGE_DETAIL,
  pq_shim_field_constraint = PG_DIAG_CONSTRAINT_NAME
};
