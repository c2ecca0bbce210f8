#pragma once
// C shim for tesseract, which reads text in pictures. Only for media-picture. Nothing links it: it loads some forty other
// libraries, and most pictures are never read. It stays open for the life of the process.
//
// Its functions are declared here because its headers are a package of their own. None of them has changed since 4.0 (2018):
// https://github.com/tesseract-ocr/tesseract/blob/main/include/tesseract/capi.h
//
// Pictures are handed over as pixels. It opens its own data files and nothing else.
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct text_engine text_engine;
typedef struct text_results text_results;
typedef struct text_layout text_layout;
typedef struct text_monitor text_monitor;

// TessPageIteratorLevel.
enum { TEXT_LINE = 2, TEXT_WORD = 3 };
// OEM_LSTM_ONLY: the older engine's data are in no package.
enum { TEXT_NEURAL = 1 };

#define TEXT_FUNCTIONS(FIND) \
    FIND(version, "TessVersion", const char *, (void)) \
    FIND(create, "TessBaseAPICreate", text_engine *, (void)) \
    FIND(release, "TessBaseAPIDelete", void, (text_engine *)) \
    FIND(begin, "TessBaseAPIInit2", int, (text_engine *, const char *folder, const char *languages, int mode)) \
    FIND(set, "TessBaseAPISetVariable", int, (text_engine *, const char *name, const char *value)) \
    FIND(set_layout, "TessBaseAPISetPageSegMode", void, (text_engine *, int mode)) \
    FIND(set_pixels, "TessBaseAPISetImage", void, (text_engine *, const unsigned char *, int width, int height, \
        int bytes_per_pixel, int bytes_per_row)) \
    FIND(set_resolution, "TessBaseAPISetSourceResolution", void, (text_engine *, int pixels_per_inch)) \
    FIND(recognize, "TessBaseAPIRecognize", int, (text_engine *, text_monitor *)) \
    FIND(results, "TessBaseAPIGetIterator", text_results *, (text_engine *)) \
    FIND(clear, "TessBaseAPIClear", void, (text_engine *)) \
    FIND(next, "TessResultIteratorNext", int, (text_results *, int level)) \
    FIND(text, "TessResultIteratorGetUTF8Text", char *, (const text_results *, int level)) \
    FIND(confidence, "TessResultIteratorConfidence", float, (const text_results *, int level)) \
    FIND(layout, "TessResultIteratorGetPageIteratorConst", const text_layout *, (const text_results *)) \
    FIND(begins, "TessPageIteratorIsAtBeginningOf", int, (const text_layout *, int level)) \
    FIND(box, "TessPageIteratorBoundingBox", int, (const text_layout *, int level, int *, int *, int *, int *)) \
    FIND(release_results, "TessResultIteratorDelete", void, (text_results *)) \
    FIND(free_text, "TessDeleteText", void, (const char *)) \
    FIND(create_monitor, "TessMonitorCreate", text_monitor *, (void)) \
    FIND(release_monitor, "TessMonitorDelete", void, (text_monitor *)) \
    FIND(set_end, "TessMonitorSetCancelFunc", void, (text_monitor *, _Bool (*is_over)(void *, int words)))

typedef struct {
#define TEXT_FIELD(field, name, result, parameters) result (*field) parameters;
    TEXT_FUNCTIONS(TEXT_FIELD)
#undef TEXT_FIELD
} text_library;

/// Fills the table. Returns 0 if tesseract is missing or lacks a function.
static inline int text_open_library(text_library *table) {
    // OpenMP reads it when it is loaded. Several children read at once, and more threads in each make them slower.
    setenv("OMP_THREAD_LIMIT", "1", 1);
    void *library = dlopen("libtesseract.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
#define TEXT_FIND(field, name, result, parameters) \
    if (!(*(void **)&table->field = dlsym(library, name))) return 0;
    TEXT_FUNCTIONS(TEXT_FIND)
#undef TEXT_FIND
    // leptonica's own messages: L_SEVERITY_NONE.
    int (*quiet)(int);
    if ((*(void **)&quiet = dlsym(library, "setMsgSeverity"))) quiet(6);
    return 1;
}
