// The sketch in one C thread: the whole job with libcurl, SQLite's JSON and FTS5, and SHA-256, and without any promise: no
// fsync, no raw answers, no coverage, no resuming, hardly an error handled. It shows the achievable minimum.
//   floor BASE PAGES OUT WORKERS SCHEMA     no WORKERS: posts alone
#include <curl/curl.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
typedef struct {
  char *p;
  size_t n, cap;
  long long id;
  char *link;
  int page;
} Buf;
static size_t wr(char *d, size_t s, size_t n, void *u) {
  Buf *b = u;
  s *= n;
  if (b->n + s > b->cap) {
    b->cap = (b->n + s) * 2;
    b->p = realloc(b->p, b->cap);
  }
  memcpy(b->p + b->n, d, s);
  b->n += s;
  return s;
}
static size_t hd(char *d, size_t s, size_t n, void *u) {
  Buf *b = u;
  s *= n;
  if (s > 6 && !strncasecmp(d, "link:", 5)) {
    char *e = memmem(d, s, ">; rel=\"next\"", 13);
    char *q = memchr(d, '<', s);
    if (e && q) {
      b->link = strndup(q + 1, e - q - 1);
    }
  }
  return s;
}
static CURLM *m;
static struct curl_slist *hh;
static int inflight;
static void go(const char *url, Buf *b) {
  CURL *c = curl_easy_init();
  curl_easy_setopt(c, CURLOPT_URL, url);
  curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, wr);
  curl_easy_setopt(c, CURLOPT_WRITEDATA, b);
  curl_easy_setopt(c, CURLOPT_PRIVATE, b);
  curl_easy_setopt(c, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(c, CURLOPT_BUFFERSIZE, 262144L);
  if (b->page) {
    curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, hd);
    curl_easy_setopt(c, CURLOPT_HEADERDATA, b);
  }
  curl_multi_add_handle(m, c);
  inflight++;
}
static sqlite3 *db;
static sqlite3_stmt *ins[4], *upd, *todo;
static void run(const char *q) {
  char *e = 0;
  if (sqlite3_exec(db, q, 0, 0, &e)) {
    fprintf(stderr, "%s\n", e);
    exit(1);
  }
}
static sqlite3_stmt *prep(const char *q) {
  sqlite3_stmt *s;
  if (sqlite3_prepare_v2(db, q, -1, &s, 0)) {
    fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    exit(1);
  }
  return s;
}
int main(int c, char **v) {
  char *base = v[1];
  int pages = atoi(v[2]);
  char *out = v[3];
  int par = atoi(v[4]);
  char *schema = v[5];
  mkdir(out, 0755);
  if (chdir(out))
    return 1;
  mkdir("store", 0755);
  for (int i = 0; i < 256; i++) {
    char t[20];
    sprintf(t, "store/%02x", i);
    mkdir(t, 0755);
  }
  sqlite3_open("posts.db", &db);
  run("pragma journal_mode=wal;pragma synchronous=normal;");
  {
    FILE *f = fopen(schema, "r");
    char *t = calloc(1, 65536);
    fread(t, 1, 65535, f);
    fclose(f);
    run(t);
  }
  run("create temp table s(v)");
  sqlite3_stmt *put = prep("insert into s select value from json_each(?1)");
  ins[0] =
      prep("INSERT INTO accounts SELECT DISTINCT json_extract(v,'$.account.id'), json_extract(v,'$.account.acct'), "
           "json_extract(v,'$.account.display_name'),json_extract(v,'$.account.avatar') FROM s WHERE true ON "
           "CONFLICT(id) DO UPDATE SET display_name=excluded.display_name, avatar=excluded.avatar");
  ins[1] =
      prep("INSERT INTO posts SELECT json_extract(v,'$.id'), json_extract(v,'$.account.id'), "
           "json_extract(v,'$.created_at'), json_extract(v,'$.url'),json_extract(v,'$.language'), "
           "json_extract(v,'$.sensitive'), json_extract(v,'$.content') FROM s WHERE true ON CONFLICT(id) DO NOTHING");
  ins[2] =
      prep("INSERT INTO media(id,post,position,url,preview_url,width,height,alt) SELECT json_extract(m.value,'$.id'), "
           "json_extract(v,'$.id'), m.key, json_extract(m.value,'$.url'), "
           "json_extract(m.value,'$.preview_url'),json_extract(m.value,'$.meta.original.width'), "
           "json_extract(m.value,'$.meta.original.height'), json_extract(m.value,'$.description') FROM s, "
           "json_each(CASE WHEN json_type(v,'$.reblog')='object' THEN json_extract(v,'$.reblog.media_attachments') "
           "ELSE json_extract(v,'$.media_attachments') END) AS m WHERE true ON CONFLICT(id) DO NOTHING");
  ins[3] = prep("INSERT INTO post_tags SELECT DISTINCT json_extract(v,'$.id'), json_extract(t.value,'$.name') FROM s, "
                "json_each(v,'$.tags') AS t WHERE true ON CONFLICT DO NOTHING");
  sqlite3_stmt *clr = prep("delete from s");
  upd = prep("update media set sha256=?1 where id=?2");
  todo = prep("select m.id,m.url from s, json_each(CASE WHEN json_type(v,'$.reblog')='object' THEN "
              "json_extract(v,'$.reblog.media_attachments') ELSE json_extract(v,'$.media_attachments') END) x join "
              "media m on m.id=json_extract(x.value,'$.id') where m.sha256 is null");
  curl_global_init(CURL_GLOBAL_ALL);
  m = curl_multi_init();
  curl_multi_setopt(m, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)(par ? par + 1 : 1));
  curl_multi_setopt(m, CURLMOPT_MAXCONNECTS, 64L);
  char url[4096];
  snprintf(url, 4096, "%s/api/v1/timelines/tag/bench?limit=40", base);
  Buf *b = calloc(1, sizeof *b);
  b->page = 1;
  go(url, b);
  EVP_MD_CTX *x = EVP_MD_CTX_new();
  int running;
  while (inflight) {
    curl_multi_perform(m, &running);
    CURLMsg *g;
    int left;
    while ((g = curl_multi_info_read(m, &left))) {
      if (g->msg != CURLMSG_DONE)
        continue;
      CURL *h = g->easy_handle;
      Buf *r;
      curl_easy_getinfo(h, CURLINFO_PRIVATE, &r);
      if (g->data.result) {
        {
          char *u;
          curl_easy_getinfo(h, CURLINFO_EFFECTIVE_URL, &u);
          fprintf(stderr, "fail %d [%s] page %d\n", g->data.result, u, r->page);
        };
        return 1;
      }
      curl_multi_remove_handle(m, h);
      curl_easy_cleanup(h);
      inflight--;
      if (r->page) {
        if (r->link && r->page < pages) {
          Buf *n = calloc(1, sizeof *n);
          n->page = r->page + 1;
          go(r->link, n);
          curl_multi_perform(m, &running);
        }
        if (!sqlite3_get_autocommit(db))
          run("commit");
        run("begin");
        sqlite3_bind_text(put, 1, r->p, r->n, SQLITE_STATIC);
        sqlite3_step(put);
        sqlite3_reset(put);
        for (int i = 0; i < 4; i++) {
          if (sqlite3_step(ins[i]) != SQLITE_DONE) {
            fprintf(stderr, "%s\n", sqlite3_errmsg(db));
            return 1;
          }
          sqlite3_reset(ins[i]);
        }
        run("commit");
        if (par) {
          while (sqlite3_step(todo) == SQLITE_ROW) {
            Buf *n = calloc(1, sizeof *n);
            n->id = sqlite3_column_int64(todo, 0);
            go((char *)sqlite3_column_text(todo, 1), n);
          }
          sqlite3_reset(todo);
        }
        sqlite3_step(clr);
        sqlite3_reset(clr);
      } else {
        unsigned char d[32];
        char hex[65], path[100], tmp[100];
        EVP_DigestInit_ex(x, EVP_sha256(), 0);
        EVP_DigestUpdate(x, r->p, r->n);
        EVP_DigestFinal_ex(x, d, 0);
        for (int i = 0; i < 32; i++)
          sprintf(hex + 2 * i, "%02x", d[i]);
        sprintf(path, "store/%.2s/%s", hex, hex);
        sprintf(tmp, "store/%s.part", hex);
        if (access(path, F_OK)) {
          int f = open(tmp, O_WRONLY | O_CREAT | O_TRUNC, 0644);
          write(f, r->p, r->n);
          close(f);
          rename(tmp, path);
        }
        sqlite3_bind_text(upd, 1, hex, 64, SQLITE_TRANSIENT);
        sqlite3_bind_int64(upd, 2, r->id);
        static int k;
        if (!sqlite3_get_autocommit(db)) {
        } else
          run("begin");
        sqlite3_step(upd);
        sqlite3_reset(upd);
        if (++k % 64 == 0)
          run("commit");
      }
      free(r->p);
      free(r->link);
      free(r);
    }
    if (inflight)
      curl_multi_poll(m, 0, 0, 100, 0);
  }
  if (!sqlite3_get_autocommit(db))
    run("commit");
  sqlite3_close_v2(db);
  return 0;
}
