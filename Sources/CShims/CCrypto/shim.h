#pragma once
// C shim for OpenSSL's libcrypto: SHA-1, SHA-256, HMAC with both, scrypt, and ES256.
//
// Loading it costs more than all linked libraries together, and commands that only read compute no hashes. So nothing
// links it: the first digest loads it and keeps its functions in a table. __typeof__ takes each type from OpenSSL's own
// headers, so a table that does not fit the library does not compile.
#include <dlfcn.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CRYPTO_SHIM_FUNCTIONS(f) \
  f(OPENSSL_init_crypto) f(SHA256) f(HMAC) f(EVP_sha1) f(EVP_sha256) f(EVP_MD_CTX_new) f(EVP_MD_CTX_free) \
  f(EVP_DigestInit_ex) f(EVP_DigestUpdate) f(EVP_DigestFinal_ex) f(EVP_PBE_scrypt) \
  f(EVP_PKEY_Q_keygen) f(EVP_PKEY_free) f(i2d_PrivateKey) f(d2i_AutoPrivateKey) f(d2i_PUBKEY) \
  f(EVP_DigestSignInit) f(EVP_DigestSign) f(EVP_DigestVerifyInit) f(EVP_DigestVerify) \
  f(d2i_ECDSA_SIG) f(i2d_ECDSA_SIG) f(ECDSA_SIG_new) f(ECDSA_SIG_free) f(ECDSA_SIG_get0) f(ECDSA_SIG_set0) \
  f(BN_bn2binpad) f(BN_bin2bn) f(BN_free)

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

/// Writes the 20 bytes of a SHA-1 (FIPS 180-4).
static inline void crypto_shim_sha1(const void *bytes, size_t count, unsigned char *digest) {
  const CryptoDoor *d = crypto_door();
  EVP_MD_CTX *hash = d->EVP_MD_CTX_new();
  if (hash && d->EVP_DigestInit_ex(hash, d->EVP_sha1(), NULL) == 1) {
    d->EVP_DigestUpdate(hash, bytes, count);
    d->EVP_DigestFinal_ex(hash, digest, NULL);
  }
  d->EVP_MD_CTX_free(hash);
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

// ES256 (RFC 7518, 3.4): ECDSA with P-256 and SHA-256. A point is the 64 bytes of x and y, a signature the 64 of r and s.

/// Writes a new private key (RFC 5915), at most `space` bytes, which end with its point. Returns their number, or 0.
static inline int crypto_shim_es256_new(unsigned char *key, int space) {
  const CryptoDoor *d = crypto_door();
  EVP_PKEY *made = d->EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
  int count = made ? d->i2d_PrivateKey(made, NULL) : 0;
  if (count > space || count < 0) count = 0;
  if (count) d->i2d_PrivateKey(made, &key);
  d->EVP_PKEY_free(made);
  return count;
}

/// Writes the signature of some bytes. Returns 1, or 0 if the key is none.
static inline int crypto_shim_es256_sign(
    const unsigned char *key, long key_count, const unsigned char *bytes, size_t count, unsigned char *signature) {
  const CryptoDoor *d = crypto_door();
  unsigned char der[80];
  const unsigned char *next = der;
  size_t der_count = sizeof der;
  const BIGNUM *r = NULL, *s = NULL;
  EVP_PKEY *read = d->d2i_AutoPrivateKey(NULL, &key, key_count);
  EVP_MD_CTX *hash = d->EVP_MD_CTX_new();
  int done = read && hash && d->EVP_DigestSignInit(hash, NULL, d->EVP_sha256(), NULL, read) == 1
      && d->EVP_DigestSign(hash, der, &der_count, bytes, count) == 1;
  ECDSA_SIG *parts = done ? d->d2i_ECDSA_SIG(NULL, &next, (long)der_count) : NULL;
  if (parts) d->ECDSA_SIG_get0(parts, &r, &s);
  done = parts && d->BN_bn2binpad(r, signature, 32) == 32 && d->BN_bn2binpad(s, signature + 32, 32) == 32;
  d->ECDSA_SIG_free(parts);
  d->EVP_MD_CTX_free(hash);
  d->EVP_PKEY_free(read);
  return done;
}

/// Whether the signature of some bytes is that of the key with this point.
static inline int crypto_shim_es256_verify(
    const unsigned char *point, const unsigned char *bytes, size_t count, const unsigned char *signature) {
  const CryptoDoor *d = crypto_door();
  // The form of a public key (RFC 5480) up to the point.
  unsigned char form[91] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06,
    0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};
  memcpy(form + 27, point, 64);
  const unsigned char *next = form;
  unsigned char der[80], *end = der;
  EVP_PKEY *read = d->d2i_PUBKEY(NULL, &next, sizeof form);
  EVP_MD_CTX *hash = d->EVP_MD_CTX_new();
  ECDSA_SIG *parts = d->ECDSA_SIG_new();
  BIGNUM *r = d->BN_bin2bn(signature, 32, NULL), *s = d->BN_bin2bn(signature + 32, 32, NULL);
  int done = parts && r && s && d->ECDSA_SIG_set0(parts, r, s) == 1;
  if (!done) {
    d->BN_free(r);
    d->BN_free(s);
  }
  int der_count = done ? d->i2d_ECDSA_SIG(parts, &end) : 0;
  done = read && hash && der_count > 0 && d->EVP_DigestVerifyInit(hash, NULL, d->EVP_sha256(), NULL, read) == 1
      && d->EVP_DigestVerify(hash, der, (size_t)der_count, bytes, count) == 1;
  d->ECDSA_SIG_free(parts);
  d->EVP_MD_CTX_free(hash);
  d->EVP_PKEY_free(read);
  return done;
}
