#pragma once
// The C shim of libFuzzer (https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library).
#include <stddef.h>
#include <stdint.h>

/// Fuzzes `read` as the arguments say; ends the process at the first crash.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*read)(const uint8_t *bytes, size_t count));
