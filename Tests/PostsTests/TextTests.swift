import Foundation
import Machine
import Testing

@testable import Posts

/// Foundation with ICU is the oracle: the programs have only the smaller part of it.
struct TextTests {
  private static let scalars = (UInt32(0)...0x1F_FFF).compactMap(Unicode.Scalar.init)

  @Test func `every scalar is trimmed that Foundation trims, and no other`() {
    for scalar in Self.scalars {
      let text = "\(scalar)a\u{301} b\(scalar)"
      guard text.trimmingWhiteSpace != text.trimmingCharacters(in: .whitespacesAndNewlines) else { continue }
      Issue.record("\(String(scalar.value, radix: 16))")
    }
    #expect(" \u{301}a\n".trimmingWhiteSpace.unicodeScalars.elementsEqual("\u{301}a".unicodeScalars))
    #expect(" \t\n".trimmingWhiteSpace.isEmpty)
  }

  @Test func `every scalar is composed as Foundation composes it`() {
    for scalar in Self.scalars {
      let isSame = "\(scalar)".composed.unicodeScalars.elementsEqual(
        "\(scalar)".precomposedStringWithCanonicalMapping.unicodeScalars)
      if !isSame { Issue.record("\(String(scalar.value, radix: 16))") }
    }
  }

  /// Beyond these scripts Foundation's own tables are older, and it mistakes scalars above U+FFFF for others.
  @Test(arguments: [0x20...0x52F, 0x5D0...0x6FF, 0x900...0xDFF, 0x1E00...0x1FFF, 0x3041...0x30FF, 0xAC00...0xAEFF])
  func `letters with marks are ordered and composed as Foundation does`(script: ClosedRange<UInt32>) {
    for scalar in script.compactMap(Unicode.Scalar.init) {
      for text in ["\(scalar)\u{301}\u{327}", "a\(scalar)\u{327}\u{301}", "\(scalar)\u{3099}\u{11A8}"] {
        let known = text.precomposedStringWithCanonicalMapping
        if !text.composed.unicodeScalars.elementsEqual(known.unicodeScalars) { Issue.record("\(scalar.value)") }
      }
    }
  }

  @Test(arguments: [
    ("Tu\u{308}r", "tür"), ("TÜR", "tür"), ("Straße", "straße"), ("STRASSE", "strasse"), ("STRAẞE", "straße"),
    ("İ", "i\u{307}"), ("İstanbul", "i\u{307}stanbul"), ("ISPARTA", "isparta"), ("ı", "ı"), ("ΟΔΟΣ", "οδοσ"),
    ("ΟΔΟΣ ΑΒ", "οδοσ αβ"), ("Ǆ", "ǆ"), ("ﬁsch", "ﬁsch"), ("\u{212B}", "å"), ("E\u{301}te\u{301}", "été"),
    ("\u{1112}\u{1161}\u{11AB}", "한"), ("\u{3000}＃ねこ\u{200B}", "ねこ"), ("ᾈ", "ᾀ"),
    ("\u{1E9B}\u{323}", "\u{1E9B}\u{323}"),
    ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{F900}", "\u{8C48}"), ("  #Двор ", "двор"),
  ])
  func `a tag has the form that it had with ICU`(text: String, name: String) {
    #expect(Feed.tagName(text).unicodeScalars.elementsEqual(name.unicodeScalars), "\(Feed.tagName(text))")
  }

  @Test(arguments: [
    "", "a", "%41", "%c3%a9", "%C3%A9x", "%", "%4", "%4g", "%zz", "a%00b", "%FF", "%C3", "%E2%82%AC", "100%", "ü%20ü",
    "+",
    "%25%32%35", "%F0%9F%98%80", "%ED%A0%80", "%C0%80", "% 41", "%+1",
  ])
  func `percent coding is decoded as Foundation decodes it`(text: String) {
    #expect(text.percentDecoded == text.removingPercentEncoding)
  }

  @Test(arguments: ["/a/b", "/a", "/", "a/b", "/a/b/", "/.config/media", "/a/.."])
  func `a path has the parts that Foundation finds`(path: String) {
    #expect(PathText.parent(of: path) == (path as NSString).deletingLastPathComponent)
    #expect(PathText.name(of: path) == (path as NSString).lastPathComponent)
  }

  /// Foundation traps on some of these.
  @Test(arguments: [
    ("/a//b", "/a", "b"), ("a", "", "a"), ("//a", "/", "a"), ("a/", "", "a"), ("/a/b//", "/a", "b"), ("//", "/", "/"),
    ("", "", ""),
  ])
  func `slashes in a row separate once`(path: String, parent: String, name: String) {
    #expect(PathText.parent(of: path) == parent)
    #expect(PathText.name(of: path) == name)
  }

  @Test(arguments: ["accounts.json", "apps", ".hidden", "a.b.c", ".hidden.json"])
  func `a file's name loses its extension as in Foundation`(name: String) {
    #expect(PathText.stem(of: name) == (name as NSString).deletingPathExtension)
  }
}
