#pragma once
#include <stddef.h>

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
#pragma clang diagnostic ignored "-Wc++26-extensions"
/// The table of towns, as Scripts/towns writes it. A list of numbers in Swift takes a minute to compile.
static inline const char *towns(size_t *count) {
  static const char bytes[] = {
#embed "towns.tsv"
  };
  *count = sizeof bytes;
  return bytes;
}
#pragma clang diagnostic pop
