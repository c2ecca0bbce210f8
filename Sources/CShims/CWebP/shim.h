#pragma once
// C shim for libwebp's encoder. Nothing links it: a picture worker that only draws for a terminal never loads it. The
// library stays open for the life of the process, so the addresses in the table stay valid.
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include <webp/encode.h>

typedef struct {
    __typeof__(WebPConfigInitInternal) *config;
    __typeof__(WebPPictureInitInternal) *begin;
    __typeof__(WebPPictureImportRGB) *import_rgb;
    __typeof__(WebPPictureImportRGBA) *import_rgba;
    __typeof__(WebPEncode) *encode;
    __typeof__(WebPPictureFree) *end;
    __typeof__(WebPMemoryWriterInit) *writer;
    __typeof__(WebPMemoryWrite) *write;
    __typeof__(WebPMemoryWriterClear) *release;
} webp_encoder;

/// Fills the table. Returns 0 if libwebp is missing or lacks a function.
static inline int webp_open(webp_encoder *table) {
    void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
#define WEBP_FIND(field, name) \
    if (!(table->field = (__typeof__(table->field))dlsym(library, name))) return 0;
    WEBP_FIND(config, "WebPConfigInitInternal")
    WEBP_FIND(begin, "WebPPictureInitInternal")
    WEBP_FIND(import_rgb, "WebPPictureImportRGB")
    WEBP_FIND(import_rgba, "WebPPictureImportRGBA")
    WEBP_FIND(encode, "WebPEncode")
    WEBP_FIND(end, "WebPPictureFree")
    WEBP_FIND(writer, "WebPMemoryWriterInit")
    WEBP_FIND(write, "WebPMemoryWrite")
    WEBP_FIND(release, "WebPMemoryWriterClear")
#undef WEBP_FIND
    return 1;
}

/// Encodes pixels of three or four bytes. Returns 0 if memory is short. `result->mem` is released with `webp_release`.
static inline int webp_encode(
    const webp_encoder *table, const uint8_t *pixels, int width, int height, int stride, int has_alpha, float quality,
    int method, WebPMemoryWriter *result) {
    WebPConfig config;
    WebPPicture picture;
    if (!table->config(&config, WEBP_PRESET_PHOTO, quality, WEBP_ENCODER_ABI_VERSION)) return 0;
    if (!table->begin(&picture, WEBP_ENCODER_ABI_VERSION)) return 0;
    table->writer(result);
    config.method = method;
    picture.width = width;
    picture.height = height;
    picture.writer = table->write;
    picture.custom_ptr = result;
    int done = has_alpha ? table->import_rgba(&picture, pixels, stride) : table->import_rgb(&picture, pixels, stride);
    done = done && table->encode(&config, &picture);
    table->end(&picture);
    if (!done) table->release(result);
    return done;
}

static inline void webp_release(const webp_encoder *table, WebPMemoryWriter *result) { table->release(result); }
