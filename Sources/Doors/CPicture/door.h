#pragma once
// Picture encoders, opened when the first picture is asked for and never linked: a program that draws nothing loads
// nothing. Each library stays open for the life of the process, so the addresses below never go stale.
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

static inline int picture_open_jpeg(picture_jpeg *door) {
    void *library = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    door->begin = (__typeof__(door->begin))dlsym(library, "tjInitCompress");
    door->compress = (__typeof__(door->compress))dlsym(library, "tjCompress2");
    door->release = (__typeof__(door->release))dlsym(library, "tjFree");
    door->end = (__typeof__(door->end))dlsym(library, "tjDestroy");
    return door->begin && door->compress && door->release && door->end;
}

static inline int picture_open_webp(picture_webp *door) {
    void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    door->encode = (__typeof__(door->encode))dlsym(library, "WebPEncodeRGBA");
    door->release = (__typeof__(door->release))dlsym(library, "WebPFree");
    return door->encode && door->release;
}

static inline int picture_open_png(picture_png *door) {
    void *library = dlopen("libpng16.so.16", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    door->write = (__typeof__(door->write))dlsym(library, "png_image_write_to_memory");
    door->release = (__typeof__(door->release))dlsym(library, "png_image_free");
    return door->write && door->release;
}

/// A copy that `free` takes back, whichever library the bytes came from.
static inline uint8_t *picture_keep(const void *bytes, size_t length) {
    uint8_t *copy = malloc(length);
    if (copy) memcpy(copy, bytes, length);
    return copy;
}

/// The JPEG of RGBX pixels in memory for `free`, or NULL.
static inline uint8_t *picture_encode_jpeg(
    const picture_jpeg *door, const uint32_t *pixels, int width, int height, int quality, size_t *length) {
    tjhandle handle = door->begin();
    if (!handle) return NULL;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    uint8_t *kept = NULL;
    if (door->compress(handle, (const unsigned char *)pixels, width, 4 * width, height, TJPF_RGBX, &bytes, &size,
                       TJSAMP_420, quality, 0) == 0) {
        kept = picture_keep(bytes, size);
        *length = size;
    }
    door->release(bytes);
    door->end(handle);
    return kept;
}

/// The WebP of RGBA pixels in memory for `free`, or NULL.
static inline uint8_t *picture_encode_webp(
    const picture_webp *door, const uint32_t *pixels, int width, int height, float quality, size_t *length) {
    uint8_t *bytes = NULL;
    size_t size = door->encode((const uint8_t *)pixels, width, height, 4 * width, quality, &bytes);
    uint8_t *kept = size ? picture_keep(bytes, size) : NULL;
    *length = size;
    door->release(bytes);
    return kept;
}

/// The PNG of RGBA pixels in memory for `free`, or NULL.
static inline uint8_t *picture_encode_png(
    const picture_png *door, const uint32_t *pixels, int width, int height, size_t *length) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    image.format = PNG_FORMAT_RGBA;
    image.flags = PNG_IMAGE_FLAG_FAST;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *bytes = malloc(size);
    if (bytes && !door->write(&image, bytes, &size, 0, pixels, 4 * width, NULL)) {
        free(bytes);
        bytes = NULL;
    }
    door->release(&image);
    *length = size;
    return bytes;
}
