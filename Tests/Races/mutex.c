// Tells the thread sanitizer what Swift's Mutex does where it cannot see it: the way that waits lies in a library that
// is not built with the sanitizer, and takes and leaves the lock there. Without this, data handed from thread to thread
// under a Mutex passes for a race whenever two threads have met at it. Nothing is suppressed: what is not held under the
// lock is reported as ever.
//   https://github.com/swiftlang/swift/blob/main/stdlib/public/Synchronization/Mutex/LinuxImpl.swift
//   https://github.com/llvm/llvm-project/blob/main/compiler-rt/include/sanitizer/tsan_interface.h
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// Absent in the programs that a test starts and that are not built with the sanitizer.
void __tsan_acquire(void *lock) __attribute__((weak));
void __tsan_release(void *lock) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *lock

static void *own(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

SWIFT void lockSlow(uint32_t thread, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void lockSlow(uint32_t thread, SELF) {
  static SWIFT void (*real)(uint32_t, SELF);
  if (!real) real = own("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  real(thread, lock);
  if (__tsan_acquire) __tsan_acquire(lock);
}

SWIFT bool tryLockSlow(SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT bool tryLockSlow(SELF) {
  static SWIFT bool (*real)(SELF);
  if (!real) real = own("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
  bool taken = real(lock);
  if (taken && __tsan_acquire) __tsan_acquire(lock);
  return taken;
}

SWIFT void unlockSlow(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
SWIFT void unlockSlow(SELF) {
  static SWIFT void (*real)(SELF);
  if (!real) real = own("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
  if (__tsan_release) __tsan_release(lock);
  real(lock);
}
