#pragma once
// C shim for OpenSSL's libcrypto: SHA-256, HMAC with SHA-1 and SHA-256, and scrypt.
//
// Loading it costs more than all linked libraries together, and commands that only read compute no hashes. So nothing
// links it: the first digest loads it and keeps its functions in a table. __typeof__ takes each type from OpenSSL's own
// headers, so a table that does not fit the library does not compile.
#include <dlfcn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>

#define CRYPTO_SHIM_FUNCTIONS(f) \
  f(OPENSSL_init_crypto) f(SHA256) f(HMAC) f(EVP_sha1) f(EVP_sha256) f(EVP_MD_CTX_new) f(EVP_MD_CTX_free) \
  f(EVP_DigestInit_ex) f(EVP_DigestUpdate) f(EVP_DigestFinal_ex) f(EVP_PBE_scrypt)

typedef struct {
#define CRYPTO_SHIM_FIELD(name) __typeof__(name) *name;
  CRYPTO_SHIM_FUNCTIONS(CRYPTO_SHIM_FIELD)
#undef CRYPTO_SHIM_FIELD
} CryptoDoor;

#define CRYPTO_SHIM_TEXT(number) CRYPTO_SHIM_WORD(number)
#define CRYPTO_SHIM_WORD(number) #number

/// One table per module, filled at its first use and never freed. If the library cannot be loaded, the process ends, as
/// it would if the library were linked.
static inline const CryptoDoor *crypto_door(void) {
  static const CryptoDoor *opened;
  const CryptoDoor *known = __atomic_load_n(&opened, __ATOMIC_ACQUIRE);
  if (known) return known;
  void *library = dlopen("libcrypto.so." CRYPTO_SHIM_TEXT(OPENSSL_SHLIB_VERSION), RTLD_NOW | RTLD_LOCAL);
  CryptoDoor *table = library ? calloc(1, sizeof(CryptoDoor)) : NULL;
  if (!table) goto missing;
#define CRYPTO_SHIM_FIND(n) if (!(table->n = (__typeof__(table->n))dlsym(library, #n))) goto missing;
  CRYPTO_SHIM_FUNCTIONS(CRYPTO_SHIM_FIND)
#undef CRYPTO_SHIM_FIND
  // Without this, libcrypto would clean up in exit() while another thread may still use it.
  table->OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
  // If two threads come first, each fills a table with the same content.
  __atomic_store_n(&opened, table, __ATOMIC_RELEASE);
  return table;
missing:;
  const char *reason = dlerror();
  fprintf(stderr, "media: OpenSSL's libcrypto cannot be loaded (%s): install it again\n", reason ? reason : "no memory");
  _Exit(74);
}

/// Writes the 32 bytes of a SHA-256 (FIPS 180-4).
static inline void crypto_shim_sha256(const void *bytes, size_t count, unsigned char *digest) {
  crypto_door()->SHA256((const unsigned char *)bytes, count, digest);
}

/// Writes the 20 bytes of an HMAC with SHA-1 (RFC 2104).
static inline void crypto_shim_hmac_sha1(
    const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *digest) {
  const CryptoDoor *d = crypto_door();
  d->HMAC(d->EVP_sha1(), key, (int)key_count, (const unsigned char *)bytes, count, digest, NULL);
}

/// Writes the 32 bytes of an HMAC with SHA-256 (RFC 2104).
static inline void crypto_shim_hmac_sha256(
    const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *digest) {
  const CryptoDoor *d = crypto_door();
  d->HMAC(d->EVP_sha256(), key, (int)key_count, (const unsigned char *)bytes, count, digest, NULL);
}

/// A new SHA-256 context, or NULL. Free it with crypto_shim_hash_free.
static inline EVP_MD_CTX *crypto_shim_hash_new(void) {
  const CryptoDoor *d = crypto_door();
  EVP_MD_CTX *hash = d->EVP_MD_CTX_new();
  if (hash && d->EVP_DigestInit_ex(hash, d->EVP_sha256(), NULL) == 1) return hash;
  d->EVP_MD_CTX_free(hash);
  return NULL;
}

static inline void crypto_shim_hash_free(EVP_MD_CTX *hash) { crypto_door()->EVP_MD_CTX_free(hash); }

/// Resets the hash to that of no bytes.
static inline void crypto_shim_hash_reset(EVP_MD_CTX *hash) {
  const CryptoDoor *d = crypto_door();
  d->EVP_DigestInit_ex(hash, d->EVP_sha256(), NULL);
}

static inline void crypto_shim_hash_add(EVP_MD_CTX *hash, const void *bytes, size_t count) {
  crypto_door()->EVP_DigestUpdate(hash, bytes, count);
}

/// Writes the 32 bytes of the digest.
static inline void crypto_shim_hash_end(EVP_MD_CTX *hash, unsigned char *digest) {
  crypto_door()->EVP_DigestFinal_ex(hash, digest, NULL);
}

/// Derives a key from a password by scrypt (RFC 7914). Returns 1, or 0 if the parameters are out of bounds or need more
/// than `most` bytes of memory.
static inline int crypto_shim_scrypt(
    const char *password, size_t password_count, const unsigned char *salt, size_t salt_count, uint64_t n, uint64_t r,
    uint64_t p, uint64_t most, unsigned char *key, size_t key_count) {
  return crypto_door()->EVP_PBE_scrypt(password, password_count, salt, salt_count, n, r, p, most, key, key_count);
}
