#pragma once
// C shim for libcurl: typed wrappers over its variadic functions, which Swift cannot import.
//
// libcurl loads some thirty libraries, which costs more than a whole command that does not use the network. So nothing
// links it: curl_shim_open loads it at the first request and keeps its functions in a table. __typeof__ takes each type
// from libcurl's own header, so a table that does not fit the library does not compile.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

#define CURL_SHIM_FUNCTIONS(f) \
  f(global_init) f(easy_init) f(easy_cleanup) f(easy_reset) f(easy_setopt) f(easy_getinfo) f(easy_strerror) \
  f(easy_perform) f(easy_recv) f(easy_send) \
  f(slist_append) f(slist_free_all) f(multi_init) f(multi_cleanup) f(multi_setopt) f(multi_add_handle) \
  f(multi_remove_handle) f(multi_perform) f(multi_socket_action) f(multi_poll) f(multi_wakeup) f(multi_info_read) \
  f(url) f(url_set) f(url_get) f(url_cleanup) f(free)

typedef struct {
#define CURL_SHIM_FIELD(name) __typeof__(curl_##name) *name;
  CURL_SHIM_FUNCTIONS(CURL_SHIM_FIELD)
#undef CURL_SHIM_FIELD
} CurlShim;

/// The table, allocated once and never freed, or NULL if libcurl is missing or lacks a function.
static inline const CurlShim *curl_shim_open(void) {
  // RTLD_LAZY: resolving all symbols of the thirty libraries at once takes a tenth of the loading time.
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  CurlShim *table = library ? calloc(1, sizeof(CurlShim)) : NULL;
  if (!table) return NULL;
#define CURL_SHIM_FIND(n) \
  if (!(table->n = (__typeof__(table->n))dlsym(library, "curl_" #n))) { free(table); return NULL; }
  CURL_SHIM_FUNCTIONS(CURL_SHIM_FIND)
#undef CURL_SHIM_FIND
  if (table->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) { free(table); return NULL; }
  return table;
}

static inline CURL *curl_shim_easy(const CurlShim *d) { return d->easy_init(); }
static inline void curl_shim_reset(const CurlShim *d, CURL *easy) { d->easy_reset(easy); }
static inline void curl_shim_free_easy(const CurlShim *d, CURL *easy) { d->easy_cleanup(easy); }
static inline const char *curl_shim_message(const CurlShim *d, CURLcode code) { return d->easy_strerror(code); }

/* An enumerator, and a number since curl 8.14. */
static const long curl_shim_netrc_optional = CURL_NETRC_OPTIONAL;
static inline void curl_shim_set_long(const CurlShim *d, CURL *easy, CURLoption option, long value) {
  d->easy_setopt(easy, option, value);
}
static inline void curl_shim_set_size(const CurlShim *d, CURL *easy, CURLoption option, curl_off_t value) {
  d->easy_setopt(easy, option, value);
}
static inline void curl_shim_set_text(const CurlShim *d, CURL *easy, CURLoption option, const char *value) {
  d->easy_setopt(easy, option, value);
}
static inline void curl_shim_set_bytes(const CurlShim *d, CURL *easy, CURLoption option, const void *value) {
  d->easy_setopt(easy, option, value);
}
static inline void curl_shim_set_pointer(const CurlShim *d, CURL *easy, CURLoption option, void *value) {
  d->easy_setopt(easy, option, value);
}
static inline void curl_shim_set_list(const CurlShim *d, CURL *easy, CURLoption option, struct curl_slist *value) {
  d->easy_setopt(easy, option, value);
}
static inline void curl_shim_set_callback(const CurlShim *d, CURL *easy, CURLoption option, curl_write_callback value) {
  d->easy_setopt(easy, option, value);
}
static inline void curl_shim_set_read(const CurlShim *d, CURL *easy, curl_read_callback value) {
  d->easy_setopt(easy, CURLOPT_READFUNCTION, value);
}
static inline void curl_shim_set_seek(const CurlShim *d, CURL *easy, curl_seek_callback value) {
  d->easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}
static inline void curl_shim_set_open(const CurlShim *d, CURL *easy, curl_opensocket_callback value) {
  d->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline void curl_shim_set_start(const CurlShim *d, CURL *easy, curl_prereq_callback value) {
  d->easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline long curl_shim_get_long(const CurlShim *d, CURL *easy, CURLINFO info) {
  long value = 0;
  d->easy_getinfo(easy, info, &value);
  return value;
}
static inline const char *curl_shim_get_text(const CurlShim *d, CURL *easy, CURLINFO info) {
  char *value = NULL;
  d->easy_getinfo(easy, info, &value);
  return value;
}

static inline struct curl_slist *curl_shim_append(const CurlShim *d, struct curl_slist *list, const char *text) {
  return d->slist_append(list, text);
}
static inline void curl_shim_free_list(const CurlShim *d, struct curl_slist *list) { d->slist_free_all(list); }

static inline CURLM *curl_shim_multi(const CurlShim *d, long connections) {
  CURLM *multi = d->multi_init();
  if (multi) d->multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  return multi;
}
static inline void curl_shim_free_multi(const CurlShim *d, CURLM *multi) { d->multi_cleanup(multi); }
static inline bool curl_shim_add(const CurlShim *d, CURLM *multi, CURL *easy) {
  return d->multi_add_handle(multi, easy) == CURLM_OK;
}
static inline void curl_shim_remove(const CurlShim *d, CURLM *multi, CURL *easy) {
  d->multi_remove_handle(multi, easy);
}
static inline void curl_shim_set_socket_callback(
  const CurlShim *d, CURLM *multi, curl_socket_callback callback, void *listener) {
  d->multi_setopt(multi, CURLMOPT_SOCKETDATA, listener);
  d->multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}
static inline void curl_shim_perform(const CurlShim *d, CURLM *multi) {
  int running = 0;
  d->multi_perform(multi, &running);
}
/// Continues the transfers that wait for a socket, and those whose timeouts have expired.
static inline void curl_shim_socket_action(const CurlShim *d, CURLM *multi, curl_socket_t socket, int ready) {
  int running = 0;
  d->multi_socket_action(multi, socket, ready, &running);
}
/// The number of ready sockets, among those that libcurl waits for and those passed in.
static inline int curl_shim_poll(
  const CurlShim *d, CURLM *multi, struct curl_waitfd *sockets, unsigned count, int milliseconds) {
  int ready = 0;
  d->multi_poll(multi, sockets, count, milliseconds, &ready);
  return ready;
}
static inline void curl_shim_wake(const CurlShim *d, CURLM *multi) { d->multi_wakeup(multi); }

/// The next transfer that has ended, and its result, or NULL.
static inline CURL *curl_shim_next_finished(const CurlShim *d, CURLM *multi, CURLcode *code) {
  int left = 0;
  for (CURLMsg *message; (message = d->multi_info_read(multi, &left));)
    if (message->msg == CURLMSG_DONE) {
      *code = message->data.result;
      return message->easy_handle;
    }
  return NULL;
}

static inline CURLU *curl_shim_url(const CurlShim *d, const char *text) {
  CURLU *url = d->url();
  if (url && d->url_set(url, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK) return url;
  if (url) d->url_cleanup(url);
  return NULL;
}
/// A part of a URL, to be freed with curl_shim_free_part, or NULL.
static inline char *curl_shim_part(const CurlShim *d, CURLU *url, CURLUPart part) {
  char *text = NULL;
  return d->url_get(url, part, &text, CURLU_DEFAULT_PORT) == CURLUE_OK ? text : NULL;
}
static inline void curl_shim_free_part(const CurlShim *d, char *text) { d->free(text); }
static inline void curl_shim_free_url(const CurlShim *d, CURLU *url) { d->url_cleanup(url); }

// A WebSocket: libcurl connects, and hands over the bytes.
static inline CURLcode curl_shim_easy_perform(const CurlShim *d, CURL *easy) { return d->easy_perform(easy); }
static inline CURLcode curl_shim_recv(const CurlShim *d, CURL *easy, void *space, size_t size, size_t *count) {
  return d->easy_recv(easy, space, size, count);
}
static inline CURLcode curl_shim_send(const CurlShim *d, CURL *easy, const void *bytes, size_t size, size_t *count) {
  return d->easy_send(easy, bytes, size, count);
}
static inline curl_socket_t curl_shim_socket(const CurlShim *d, CURL *easy) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  d->easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket);
  return socket;
}
