#pragma once
// C shim for picture encoders, loaded at the first picture and never linked, so a program that draws nothing loads
// nothing. Each library stays open for the life of the process, so the addresses below stay valid.
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <png.h>
#include <turbojpeg.h>
#include <webp/encode.h>

_Static_assert(sizeof(wchar_t) == 4, "a pixel is filled as one wide character");

typedef struct {
    __typeof__(tjInitCompress) *begin;
    __typeof__(tjCompress2) *compress;
    __typeof__(tjFree) *release;
    __typeof__(tjDestroy) *end;
} picture_jpeg;

typedef struct {
    __typeof__(WebPEncodeRGBA) *encode;
    __typeof__(WebPFree) *release;
} picture_webp;

typedef struct {
    __typeof__(png_image_write_to_memory) *write;
    __typeof__(png_image_free) *release;
} picture_png;

/// Fills `count` pixels with one colour.
static inline void picture_fill(uint32_t *pixels, uint32_t colour, size_t count) {
    wmemset((wchar_t *)pixels, (wchar_t)colour, count);
}

/// `over` blended onto `under` with the opacity `strength` of 256, both channels of a pair in one multiplication.
static inline uint32_t picture_blend(uint32_t under, uint32_t over, uint32_t strength) {
    uint32_t rest = 256 - strength;
    uint32_t red_blue = ((under & 0xff00ff) * rest + (over & 0xff00ff) * strength) >> 8 & 0xff00ff;
    uint32_t green_alpha = (under >> 8 & 0xff00ff) * rest + (over >> 8 & 0xff00ff) * strength;
    return red_blue | (green_alpha & 0xff00ff00);
}

/// Blends one colour onto `count` pixels.
static inline void picture_cover(uint32_t *pixels, uint32_t colour, uint32_t strength, ptrdiff_t count) {
    for (ptrdiff_t at = 0; at < count; at++) pixels[at] = picture_blend(pixels[at], colour, strength);
}

/// Blends a glow onto a part of a row, `down` rows squared from its centre, its first pixel `across` columns from there.
static inline void picture_glow(
    uint32_t *pixels, uint32_t colour, ptrdiff_t full, ptrdiff_t square, ptrdiff_t down, ptrdiff_t across,
    ptrdiff_t count) {
    for (ptrdiff_t at = 0; at < count; at++, across++) {
        ptrdiff_t part = (square - down - across * across) * 256 / square;
        pixels[at] = picture_blend(pixels[at], colour, (uint32_t)((part * part >> 8) * full >> 8));
    }
}

/// Blends a colour onto the row `from`, moved aside by `swing` pixels, into the row `to`.
static inline void picture_mirror(
    uint32_t *to, const uint32_t *from, uint32_t colour, uint32_t strength, ptrdiff_t swing, ptrdiff_t width) {
    for (ptrdiff_t at = 0; at < width; at++) {
        ptrdiff_t moved = at + swing < 0 ? 0 : at + swing < width ? at + swing : width - 1;
        to[at] = picture_blend(from[moved], colour, strength);
    }
}

/// Leaves `cells` at zero and its sum in `sum`, up to the end of the run of pixels with that sum.
/// Returns where the run ends.
static inline ptrdiff_t picture_run(float *cells, ptrdiff_t start, ptrdiff_t end, float *sum) {
    *sum += cells[start];
    cells[start] = 0;
    while (++start < end && cells[start] == 0) {}
    return start;
}

static inline int picture_open_jpeg(picture_jpeg *table) {
    void *library = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    table->begin = (__typeof__(table->begin))dlsym(library, "tjInitCompress");
    table->compress = (__typeof__(table->compress))dlsym(library, "tjCompress2");
    table->release = (__typeof__(table->release))dlsym(library, "tjFree");
    table->end = (__typeof__(table->end))dlsym(library, "tjDestroy");
    return table->begin && table->compress && table->release && table->end;
}

static inline int picture_open_webp(picture_webp *table) {
    void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    table->encode = (__typeof__(table->encode))dlsym(library, "WebPEncodeRGBA");
    table->release = (__typeof__(table->release))dlsym(library, "WebPFree");
    return table->encode && table->release;
}

static inline int picture_open_png(picture_png *table) {
    void *library = dlopen("libpng16.so.16", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    table->write = (__typeof__(table->write))dlsym(library, "png_image_write_to_memory");
    table->release = (__typeof__(table->release))dlsym(library, "png_image_free");
    return table->write && table->release;
}

/// A copy that `free` can release, whichever library allocated the bytes.
static inline uint8_t *picture_keep(const void *bytes, size_t length) {
    uint8_t *copy = malloc(length);
    if (copy) memcpy(copy, bytes, length);
    return copy;
}

/// Encodes RGBX pixels as JPEG. Returns memory to release with `free`, or NULL.
static inline uint8_t *picture_encode_jpeg(
    const picture_jpeg *table, const uint32_t *pixels, int width, int height, int quality, size_t *length) {
    tjhandle handle = table->begin();
    if (!handle) return NULL;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    uint8_t *kept = NULL;
    if (table->compress(handle, (const unsigned char *)pixels, width, 4 * width, height, TJPF_RGBX, &bytes, &size,
                       TJSAMP_420, quality, 0) == 0) {
        kept = picture_keep(bytes, size);
        *length = size;
    }
    table->release(bytes);
    table->end(handle);
    return kept;
}

/// Encodes RGBA pixels as WebP. Returns memory to release with `free`, or NULL.
static inline uint8_t *picture_encode_webp(
    const picture_webp *table, const uint32_t *pixels, int width, int height, float quality, size_t *length) {
    uint8_t *bytes = NULL;
    size_t size = table->encode((const uint8_t *)pixels, width, height, 4 * width, quality, &bytes);
    uint8_t *kept = size ? picture_keep(bytes, size) : NULL;
    *length = size;
    table->release(bytes);
    return kept;
}

/// Encodes RGBA pixels as PNG. Returns memory to release with `free`, or NULL.
static inline uint8_t *picture_encode_png(
    const picture_png *table, const uint32_t *pixels, int width, int height, size_t *length) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    image.format = PNG_FORMAT_RGBA;
    image.flags = PNG_IMAGE_FLAG_FAST;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *bytes = malloc(size);
    if (bytes && !table->write(&image, bytes, &size, 0, pixels, 4 * width, NULL)) {
        free(bytes);
        bytes = NULL;
    }
    table->release(&image);
    *length = size;
    return bytes;
}
