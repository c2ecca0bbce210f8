#pragma once
// C shim for gexiv2, the C interface of exiv2: EXIF, IPTC and XMP of a picture. Only for media-picture. Nothing links it:
// it loads some twenty other libraries, and most pictures have no metadata. It stays open for the life of the process.
//
// Its functions are declared here because only pkg-config finds its headers, and pkg-config would link the library. None
// of them has changed since 0.14 (2022).
//
// Metadata are untrusted. Their bytes come from memory and nothing else: no file and no address is opened.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef struct metadata metadata;
typedef struct metadata_bytes metadata_bytes;

#define METADATA_FUNCTIONS(FIND) \
    FIND(begin, "gexiv2_initialize", int, (void)) \
    FIND(log, "gexiv2_log_set_level", void, (int level)) \
    FIND(create, "gexiv2_metadata_new", metadata *, (void)) \
    FIND(release, "g_object_unref", void, (void *)) \
    FIND(open, "gexiv2_metadata_open_buf", int, (metadata *, const uint8_t *, long count, void *error)) \
    FIND(text, "gexiv2_metadata_try_get_tag_string", char *, (metadata *, const char *tag, void *error)) \
    FIND(texts, "gexiv2_metadata_try_get_tag_multiple", char **, (metadata *, const char *tag, void *error)) \
    FIND(set_text, "gexiv2_metadata_try_set_tag_string", int, (metadata *, const char *, const char *, void *error)) \
    FIND(set_texts, "gexiv2_metadata_try_set_tag_multiple", int, (metadata *, const char *, const char **, void *error)) \
    FIND(exif_tags, "gexiv2_metadata_get_exif_tags", char **, (metadata *)) \
    FIND(iptc_tags, "gexiv2_metadata_get_iptc_tags", char **, (metadata *)) \
    FIND(xmp_tags, "gexiv2_metadata_get_xmp_tags", char **, (metadata *)) \
    FIND(clear_exif, "gexiv2_metadata_clear_exif", void, (metadata *)) \
    FIND(clear_xmp, "gexiv2_metadata_clear_xmp", void, (metadata *)) \
    FIND(exif, "gexiv2_metadata_get_exif_data", metadata_bytes *, (metadata *, int order, void *error)) \
    FIND(xmp, "gexiv2_metadata_try_generate_xmp_packet", char *, (metadata *, int flags, uint32_t padding, void *)) \
    FIND(content, "g_bytes_get_data", const void *, (metadata_bytes *, size_t *count)) \
    FIND(release_bytes, "g_bytes_unref", void, (metadata_bytes *)) \
    FIND(free_text, "g_free", void, (void *)) \
    FIND(free_texts, "g_strfreev", void, (char **))

typedef struct {
#define METADATA_FIELD(field, name, result, parameters) result (*field) parameters;
    METADATA_FUNCTIONS(METADATA_FIELD)
#undef METADATA_FIELD
} metadata_library;

/// Fills the table. Returns 0 if gexiv2 is missing or lacks a function.
static inline int metadata_open_library(metadata_library *table) {
    void *library = dlopen("libgexiv2.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
#define METADATA_FIND(field, name, result, parameters) \
    if (!(*(void **)&table->field = dlsym(library, name))) return 0;
    METADATA_FUNCTIONS(METADATA_FIND)
#undef METADATA_FIND
    if (!table->begin()) return 0;
    // GEXIV2_LOG_LEVEL_MUTE.
    table->log(4);
    return 1;
}
