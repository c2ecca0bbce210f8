#pragma once
// C shim for libxml2's reader and the C library's character set conversion.
//
// libxml2 loads ICU, thirty megabytes that commands without feeds do not need. So nothing links it: xml_shim_open loads
// it at the first feed and keeps its functions in a table. They are declared here because only pkg-config finds
// libxml2's headers, and pkg-config would link the library. None of them has changed since 2.6 (2003).
#include <dlfcn.h>
#include <iconv.h>
#include <stdlib.h>

typedef struct XMLShimReader XMLShimReader;

typedef void (*XMLShimStructuredError)(void *context, void *error);
typedef void (*XMLShimGenericError)(void *context, const char *format, ...);

typedef struct {
  void (*init)(void);
  void (*set_structured_error)(void *context, XMLShimStructuredError);
  void (*set_generic_error)(void *context, XMLShimGenericError);
  XMLShimReader *(*open)(const char *bytes, int size, const char *url, const char *encoding, int options);
  void (*close)(XMLShimReader *);
  int (*read)(XMLShimReader *);
  int (*node_type)(XMLShimReader *);
  int (*depth)(XMLShimReader *);
  int (*is_empty)(XMLShimReader *);
  int (*first_attribute)(XMLShimReader *);
  int (*next_attribute)(XMLShimReader *);
  int (*is_namespace)(XMLShimReader *);
  int (*to_element)(XMLShimReader *);
  const unsigned char *(*local_name)(XMLShimReader *);
  const unsigned char *(*prefix)(XMLShimReader *);
  const unsigned char *(*namespace_uri)(XMLShimReader *);
  const unsigned char *(*value)(XMLShimReader *);
} XMLShim;

// xmlParserOption: no errors or warnings on standard error, no network.
enum { XML_SHIM_OPTIONS = 1 << 5 | 1 << 6 | 1 << 11 };

// xmlReaderTypes.
enum { XML_SHIM_ELEMENT = 1, XML_SHIM_TEXT = 3, XML_SHIM_CDATA = 4, XML_SHIM_SPACE = 14, XML_SHIM_END = 15 };

/// The table, allocated once and never freed, or NULL if libxml2 is missing or lacks a function.
static inline const XMLShim *xml_shim_open(void) {
  void *library = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libxml2.so.16", RTLD_NOW | RTLD_LOCAL);
  if (!library) return NULL;
  XMLShim *table = malloc(sizeof *table);
  if (!table) return NULL;
#define XML_SHIM_FIND(field, name) \
  if (!(*(void **)&table->field = dlsym(library, name))) { free(table); return NULL; }
  XML_SHIM_FIND(init, "xmlInitParser")
  XML_SHIM_FIND(set_structured_error, "xmlSetStructuredErrorFunc")
  XML_SHIM_FIND(set_generic_error, "xmlSetGenericErrorFunc")
  XML_SHIM_FIND(open, "xmlReaderForMemory")
  XML_SHIM_FIND(close, "xmlFreeTextReader")
  XML_SHIM_FIND(read, "xmlTextReaderRead")
  XML_SHIM_FIND(node_type, "xmlTextReaderNodeType")
  XML_SHIM_FIND(depth, "xmlTextReaderDepth")
  XML_SHIM_FIND(is_empty, "xmlTextReaderIsEmptyElement")
  XML_SHIM_FIND(first_attribute, "xmlTextReaderMoveToFirstAttribute")
  XML_SHIM_FIND(next_attribute, "xmlTextReaderMoveToNextAttribute")
  XML_SHIM_FIND(is_namespace, "xmlTextReaderIsNamespaceDecl")
  XML_SHIM_FIND(to_element, "xmlTextReaderMoveToElement")
  XML_SHIM_FIND(local_name, "xmlTextReaderConstLocalName")
  XML_SHIM_FIND(prefix, "xmlTextReaderConstPrefix")
  XML_SHIM_FIND(namespace_uri, "xmlTextReaderConstNamespaceUri")
  XML_SHIM_FIND(value, "xmlTextReaderConstValue")
#undef XML_SHIM_FIND
  table->init();
  return table;
}

static inline void xml_shim_no_structured_error(void *context, void *error) {
  (void)context;
  (void)error;
}

static inline void xml_shim_no_generic_error(void *context, const char *format, ...) {
  (void)context;
  (void)format;
}

/// A reader of a UTF-8 document, or NULL. libxml2 prints some errors with parts of the document whatever the options
/// say, so this sets handlers that drop them. The handlers are per thread.
static inline XMLShimReader *xml_shim_read(const XMLShim *table, const char *bytes, int size) {
  table->set_structured_error(NULL, xml_shim_no_structured_error);
  table->set_generic_error(NULL, xml_shim_no_generic_error);
  return table->open(bytes, size, NULL, "UTF-8", XML_SHIM_OPTIONS);
}
