#pragma once
// C shim for zlib (https://zlib.net).
//
// Only a picture that comes compressed and the checksums of a zip need it. So nothing links it: zlib_shim_open loads it at
// the first one. libcurl needs it, too, so it is there.
#include <dlfcn.h>
#include <stdlib.h>
#include <zlib.h>

typedef struct {
  __typeof__(&inflateInit2_) init;
  __typeof__(&inflate) inflate;
  __typeof__(&inflateEnd) end;
  __typeof__(&crc32) crc;
} ZlibShim;

/// The table, allocated once and never freed, or NULL if zlib is missing.
static inline const ZlibShim *zlib_shim_open(void) {
  void *library = dlopen("libz.so.1", RTLD_LAZY | RTLD_LOCAL);
  ZlibShim *table = library ? calloc(1, sizeof(ZlibShim)) : NULL;
  if (!table) return NULL;
  table->init = (__typeof__(table->init))dlsym(library, "inflateInit2_");
  table->inflate = (__typeof__(table->inflate))dlsym(library, "inflate");
  table->end = (__typeof__(table->end))dlsym(library, "inflateEnd");
  table->crc = (__typeof__(table->crc))dlsym(library, "crc32");
  if (table->init && table->inflate && table->end && table->crc) return table;
  free(table);
  return NULL;
}

/// A stream that reads gzip (RFC 1952), to be freed with zlib_shim_free, or NULL.
static inline z_stream *zlib_shim_stream(const ZlibShim *table) {
  z_stream *stream = calloc(1, sizeof(z_stream));
  if (stream && table->init(stream, 16 + MAX_WBITS, ZLIB_VERSION, (int)sizeof(z_stream)) == Z_OK) return stream;
  free(stream);
  return NULL;
}
static inline int zlib_shim_inflate(const ZlibShim *table, z_stream *stream) {
  return table->inflate(stream, Z_NO_FLUSH);
}
static inline void zlib_shim_free(const ZlibShim *table, z_stream *stream) {
  table->end(stream);
  free(stream);
}

/// The CRC-32 of bytes that follow others, whose CRC-32 is given; that of none is 0.
static inline unsigned zlib_shim_crc(const ZlibShim *table, unsigned crc, const void *bytes, unsigned count) {
  return (unsigned)table->crc(crc, (const unsigned char *)bytes, count);
}
