#pragma once
// C shim for libarchive (https://libarchive.org).
//
// libarchive loads a dozen libraries that no other command needs. So nothing links it: archive_shim_open loads it at the
// first archive and keeps its functions in a table.
#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <locale.h>
#include <stdlib.h>

#define ARCHIVE_SHIM_FUNCTIONS(use) \
  use(read_new) use(read_free) use(read_open_fd) use(read_open_memory) use(read_next_header) use(read_data) use(error_string) \
  use(filter_bytes) use(format) use(entry_pathname) use(entry_pathname_utf8) use(entry_filetype) use(entry_size) \
  use(entry_size_is_set) use(entry_hardlink) use(entry_symlink) use(entry_is_encrypted) use(read_support_filter_gzip) \
  use(read_support_filter_xz) use(read_support_filter_zstd) use(read_support_filter_bzip2) \
  use(read_support_format_zip) use(read_support_format_tar) use(read_support_format_gnutar) \
  use(read_support_format_raw) use(write_new) use(write_free) use(write_close) use(write_set_format_pax_restricted) \
  use(write_open) use(write_header) use(write_data) use(entry_new) use(entry_free) use(entry_set_pathname) \
  use(entry_set_size) use(entry_set_filetype) use(entry_set_perm) use(entry_set_mtime)

typedef struct {
  __typeof__(&archive_read_new) read_new;
  __typeof__(&archive_read_free) read_free;
  __typeof__(&archive_read_open_fd) read_open_fd;
  __typeof__(&archive_read_open_memory) read_open_memory;
  __typeof__(&archive_read_next_header) read_next_header;
  __typeof__(&archive_read_data) read_data;
  __typeof__(&archive_error_string) error_string;
  __typeof__(&archive_filter_bytes) filter_bytes;
  __typeof__(&archive_format) format;
  __typeof__(&archive_entry_pathname) entry_pathname;
  __typeof__(&archive_entry_pathname_utf8) entry_pathname_utf8;
  __typeof__(&archive_entry_filetype) entry_filetype;
  __typeof__(&archive_entry_size) entry_size;
  __typeof__(&archive_entry_size_is_set) entry_size_is_set;
  __typeof__(&archive_entry_hardlink) entry_hardlink;
  __typeof__(&archive_entry_symlink) entry_symlink;
  __typeof__(&archive_entry_is_encrypted) entry_is_encrypted;
  __typeof__(&archive_read_support_filter_gzip) read_support_filter_gzip;
  __typeof__(&archive_read_support_filter_xz) read_support_filter_xz;
  __typeof__(&archive_read_support_filter_zstd) read_support_filter_zstd;
  __typeof__(&archive_read_support_filter_bzip2) read_support_filter_bzip2;
  __typeof__(&archive_read_support_format_zip) read_support_format_zip;
  __typeof__(&archive_read_support_format_tar) read_support_format_tar;
  __typeof__(&archive_read_support_format_gnutar) read_support_format_gnutar;
  __typeof__(&archive_read_support_format_raw) read_support_format_raw;
  __typeof__(&archive_write_new) write_new;
  __typeof__(&archive_write_free) write_free;
  __typeof__(&archive_write_close) write_close;
  __typeof__(&archive_write_set_format_pax_restricted) write_set_format_pax_restricted;
  __typeof__(&archive_write_open) write_open;
  __typeof__(&archive_write_header) write_header;
  __typeof__(&archive_write_data) write_data;
  __typeof__(&archive_entry_new) entry_new;
  __typeof__(&archive_entry_free) entry_free;
  __typeof__(&archive_entry_set_pathname) entry_set_pathname;
  __typeof__(&archive_entry_set_size) entry_set_size;
  __typeof__(&archive_entry_set_filetype) entry_set_filetype;
  __typeof__(&archive_entry_set_perm) entry_set_perm;
  __typeof__(&archive_entry_set_mtime) entry_set_mtime;
} ArchiveShim;

/// The table, allocated once and never freed, or NULL if libarchive is missing or lacks a function.
static inline const ArchiveShim *archive_shim_open(void) {
  void *library = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!library) return NULL;
  ArchiveShim *table = malloc(sizeof *table);
  if (!table) return NULL;
#define ARCHIVE_SHIM_FIND(name) \
  if (!(*(void **)&table->name = dlsym(library, "archive_" #name))) { free(table); return NULL; }
  ARCHIVE_SHIM_FUNCTIONS(ARCHIVE_SHIM_FIND)
  return table;
}

/// Has an archive read every compression and form that is supported here.
static inline void archive_shim_support(const ArchiveShim *library, struct archive *archive) {
  library->read_support_filter_gzip(archive);
  library->read_support_filter_xz(archive);
  library->read_support_filter_zstd(archive);
  library->read_support_filter_bzip2(archive);
  library->read_support_format_zip(archive);
  library->read_support_format_tar(archive);
  library->read_support_format_gnutar(archive);
  library->read_support_format_raw(archive);
}

// https://man7.org/linux/man-pages/man3/uselocale.3.html: libarchive decodes names by the thread's locale, and this
// program's is C. Swift does not import the type.
static inline void *archive_shim_utf8(void) { return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }
static inline void *archive_shim_use_locale(void *locale) { return uselocale((locale_t)locale); }
static inline void archive_shim_free_locale(void *locale) { freelocale((locale_t)locale); }

enum {
  archive_shim_ok = ARCHIVE_OK, archive_shim_warn = ARCHIVE_WARN, archive_shim_end = ARCHIVE_EOF,
  archive_shim_raw = ARCHIVE_FORMAT_RAW, archive_shim_file = AE_IFREG, archive_shim_folder = AE_IFDIR
};
