#pragma once
// C shim for libxml2's reader and the C library's character set conversion.
//
// libxml2 loads ICU, thirty megabytes that commands without feeds do not need. So nothing links it: xml_door_open loads
// it at the first feed and keeps its functions in a table. They are declared here because only pkg-config finds
// libxml2's headers, and pkg-config would link the library. None of them has changed since 2.6 (2003).
#include <dlfcn.h>
#include <iconv.h>
#include <stdlib.h>

typedef struct XMLDoorReader XMLDoorReader;

typedef void (*XMLShimStructuredError)(void *context, void *error);
typedef void (*XMLShimGenericError)(void *context, const char *format, ...);

typedef struct {
  void (*init)(void);
  void (*set_structured_error)(void *context, XMLShimStructuredError);
  void (*set_generic_error)(void *context, XMLShimGenericError);
  XMLDoorReader *(*open)(const char *bytes, int size, const char *url, const char *encoding, int options);
  void (*close)(XMLDoorReader *);
  int (*read)(XMLDoorReader *);
  int (*node_type)(XMLDoorReader *);
  int (*depth)(XMLDoorReader *);
  int (*is_empty)(XMLDoorReader *);
  int (*first_attribute)(XMLDoorReader *);
  int (*next_attribute)(XMLDoorReader *);
  int (*is_namespace)(XMLDoorReader *);
  int (*to_element)(XMLDoorReader *);
  const unsigned char *(*local_name)(XMLDoorReader *);
  const unsigned char *(*prefix)(XMLDoorReader *);
  const unsigned char *(*namespace_uri)(XMLDoorReader *);
  const unsigned char *(*value)(XMLDoorReader *);
} XMLDoor;

// xmlParserOption: no errors or warnings on standard error, no network.
enum { XML_DOOR_OPTIONS = 1 << 5 | 1 << 6 | 1 << 11 };

// xmlReaderTypes.
enum { XML_DOOR_ELEMENT = 1, XML_DOOR_TEXT = 3, XML_DOOR_CDATA = 4, XML_DOOR_SPACE = 14, XML_DOOR_END = 15 };

/// The table, allocated once and never freed, or NULL if libxml2 is missing or lacks a function.
static inline const XMLDoor *xml_door_open(void) {
  void *library = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libxml2.so.16", RTLD_NOW | RTLD_LOCAL);
  if (!library) return NULL;
  XMLDoor *table = malloc(sizeof *table);
  if (!table) return NULL;
#define XML_DOOR_FIND(field, name) \
  if (!(*(void **)&table->field = dlsym(library, name))) { free(table); return NULL; }
  XML_DOOR_FIND(init, "xmlInitParser")
  XML_DOOR_FIND(set_structured_error, "xmlSetStructuredErrorFunc")
  XML_DOOR_FIND(set_generic_error, "xmlSetGenericErrorFunc")
  XML_DOOR_FIND(open, "xmlReaderForMemory")
  XML_DOOR_FIND(close, "xmlFreeTextReader")
  XML_DOOR_FIND(read, "xmlTextReaderRead")
  XML_DOOR_FIND(node_type, "xmlTextReaderNodeType")
  XML_DOOR_FIND(depth, "xmlTextReaderDepth")
  XML_DOOR_FIND(is_empty, "xmlTextReaderIsEmptyElement")
  XML_DOOR_FIND(first_attribute, "xmlTextReaderMoveToFirstAttribute")
  XML_DOOR_FIND(next_attribute, "xmlTextReaderMoveToNextAttribute")
  XML_DOOR_FIND(is_namespace, "xmlTextReaderIsNamespaceDecl")
  XML_DOOR_FIND(to_element, "xmlTextReaderMoveToElement")
  XML_DOOR_FIND(local_name, "xmlTextReaderConstLocalName")
  XML_DOOR_FIND(prefix, "xmlTextReaderConstPrefix")
  XML_DOOR_FIND(namespace_uri, "xmlTextReaderConstNamespaceUri")
  XML_DOOR_FIND(value, "xmlTextReaderConstValue")
#undef XML_DOOR_FIND
  table->init();
  return table;
}

static inline void xml_door_no_structured_error(void *context, void *error) {
  (void)context;
  (void)error;
}

static inline void xml_door_no_generic_error(void *context, const char *format, ...) {
  (void)context;
  (void)format;
}

/// A reader of a UTF-8 document, or NULL. libxml2 prints some errors with parts of the document whatever the options
/// say, so this sets handlers that drop them. The handlers are per thread.
static inline XMLDoorReader *xml_door_read(const XMLDoor *table, const char *bytes, int size) {
  table->set_structured_error(NULL, xml_door_no_structured_error);
  table->set_generic_error(NULL, xml_door_no_generic_error);
  return table->open(bytes, size, NULL, "UTF-8", XML_DOOR_OPTIONS);
}
