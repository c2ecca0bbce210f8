import Testing

@testable import Blobs

struct MarkupHeadTests {
  private func type(_ text: String) -> MediaType? { MediaHeader(of: Array(text.utf8)).type }

  @Test(arguments: [
    "<svg>", "<svg/>", "<svg xmlns=\"http://www.w3.org/2000/svg\">", "\u{FEFF}\n <svg\nwidth='1'>",
    "<?xml version='1.0'?>\n<!-- made by <html> -->\n<?xml-stylesheet href='a'?><svg >",
    "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"a>b\"><svg>",
    "<!DOCTYPE svg [ <!ENTITY x \"]>\"> <!ENTITY y 'z'> ]>\n<svg>",
  ])
  func `markup whose first element is svg is a picture`(text: String) {
    #expect(type(text) == .svg)
  }

  @Test(arguments: [
    "<!DOCTYPE html><title>Log in</title><svg>", "<!doctype  HTML>\n<svg>", "<p>Log in <svg>", "<div><svg></svg>",
    "<html><svg>", "<!-- \(String(repeating: "portal ", count: 1000)) --><svg>", "<!-- <svg> --><body>",
    "<!-- never ended <svg>", "<?php ?><form>", "</p><svg>", "<svgx>", "<SVG>", "<svg", "<!",
    "<!-- -->text<svg>", "<a href='x'>", "<!DOCTYPE svg [ <svg>",
  ])
  func `all other markup is HTML`(text: String) {
    #expect(type(text) == .html)
    #expect(MediaHeader(of: Array(text.utf8)).fault(expecting: .image, announced: nil) == .html)
  }

  @Test(arguments: ["<", "<3 cats", "< svg>", "", " ", "svg", "{\"html\":\"<svg>\"}"])
  func `other text has no known type`(text: String) {
    #expect(type(text) == nil)
  }
}
