#pragma once
#include <wchar.h>

// <wchar.h> declares it only to programs that ask for X/Open, which is too late to ask for here.
extern int wcwidth(wchar_t);

/// The columns of one character in the thread's locale, -1 for what is not printed.
static inline int media_wcwidth(unsigned int scalar) { return wcwidth((wchar_t)scalar); }
