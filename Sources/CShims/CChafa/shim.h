#pragma once
// C shim for the libraries that decode pictures (gdk-pixbuf) and draw them (chafa). Only for media-picture.
#include <chafa.h>
#include <glib-object.h>
#include <sys/prctl.h>

// From gdk-pixbuf.h, of which some functions are used. Including its headers requires pkg-config flags that SwiftPM
// warns about in every build.
typedef struct picture_loader picture_loader;
typedef struct picture_pixels picture_pixels;
extern picture_loader *gdk_pixbuf_loader_new_with_mime_type(const char *type, GError **error);
extern void gdk_pixbuf_loader_set_size(picture_loader *loader, int width, int height);
extern gboolean gdk_pixbuf_loader_write(picture_loader *loader, const guchar *bytes, gsize count, GError **error);
extern gboolean gdk_pixbuf_loader_close(picture_loader *loader, GError **error);
extern picture_pixels *gdk_pixbuf_loader_get_pixbuf(picture_loader *loader);
extern picture_pixels *gdk_pixbuf_apply_embedded_orientation(picture_pixels *pixels);
extern picture_pixels *gdk_pixbuf_new_subpixbuf(picture_pixels *pixels, int left, int top, int width, int height);
extern int gdk_pixbuf_get_width(const picture_pixels *pixels);
extern int gdk_pixbuf_get_height(const picture_pixels *pixels);
extern int gdk_pixbuf_get_rowstride(const picture_pixels *pixels);
extern gboolean gdk_pixbuf_get_has_alpha(const picture_pixels *pixels);
extern const guint8 *gdk_pixbuf_read_pixels(const picture_pixels *pixels);
extern guchar *gdk_pixbuf_get_pixels(const picture_pixels *pixels);
extern const char *gdk_pixbuf_get_option(picture_pixels *pixels, const char *key);
extern gboolean gdk_pixbuf_set_option(picture_pixels *pixels, const char *key, const char *value);
extern picture_pixels *gdk_pixbuf_new(int colorspace, gboolean has_alpha, int bits, int width, int height);
extern picture_pixels *gdk_pixbuf_scale_simple(const picture_pixels *pixels, int width, int height, int interpolation);
extern picture_pixels *gdk_pixbuf_rotate_simple(const picture_pixels *pixels, int angle);

// `picture_time` is GTimeVal, which is deprecated.
typedef struct picture_animation picture_animation;
typedef struct picture_animation_iter picture_animation_iter;
typedef struct { glong seconds, microseconds; } picture_time;
extern picture_animation *gdk_pixbuf_loader_get_animation(picture_loader *loader);
extern gboolean gdk_pixbuf_animation_is_static_image(picture_animation *animation);
extern picture_animation_iter *gdk_pixbuf_animation_get_iter(picture_animation *animation, const picture_time *start);
extern gboolean gdk_pixbuf_animation_iter_advance(picture_animation_iter *iter, const picture_time *now);
extern picture_pixels *gdk_pixbuf_animation_iter_get_pixbuf(picture_animation_iter *iter);

// GdkColorspace and GdkInterpType.
enum { PICTURE_RGB = 0, PICTURE_BILINEAR = 2 };

/// Called with the size of a picture before any pixel is decoded.
typedef void (*picture_size_handler)(picture_loader *loader, int width, int height, void *data);
/// Called with each decoded part of a picture.
typedef void (*picture_part_handler)(picture_loader *loader, int left, int top, int width, int height, void *data);

static inline void picture_watch(
    picture_loader *loader, picture_size_handler sized, picture_part_handler decoded, void *data) {
    g_signal_connect(loader, "size-prepared", G_CALLBACK(sized), data);
    g_signal_connect(loader, "area-updated", G_CALLBACK(decoded), data);
}

// <unistd.h> declares it only if _GNU_SOURCE is defined before the first include, which is impossible here.
extern void closefrom(int);

/// Starting another program gains no privileges, the process leaves no core dump, and no process can attach to it.
static inline void picture_drop_privileges(void) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
