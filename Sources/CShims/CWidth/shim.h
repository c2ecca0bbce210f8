#pragma once
#include <wchar.h>

// <wchar.h> declares it only if _XOPEN_SOURCE is defined before the first include, which is impossible here.
extern int wcwidth(wchar_t);

/// The width of a character in columns in the thread's locale; -1 if it is not printable.
static inline int media_wcwidth(unsigned int scalar) { return wcwidth((wchar_t)scalar); }
