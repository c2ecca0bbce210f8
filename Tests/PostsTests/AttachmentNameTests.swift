import Posts
import PropertyTesting
import Testing

struct AttachmentNameTests {
  @Test(arguments: [
    ("/home/ann/a cat.jpg", "a cat.jpg"), ("cat.jpg", "cat.jpg"), ("../../etc/passwd", "passwd"), ("/a/b/", "b"),
    (".profile", ".profile"), ("תמונה.jpg", "תמונה.jpg"), ("a\u{7}\u{1B}[31m\n.txt", "a[31m.txt"),
    ("a\u{0}b", "ab"), ("a\u{2028}b", "ab"), ("  spaced  ", "spaced"),
  ])
  func `a name is the last part of a path without control characters`(path: String, name: String) {
    #expect(Attachment.name(ofFile: path) == name)
  }

  @Test(arguments: ["", "/", "..", "/a/..", ".", "\u{1}", " ", "///"])
  func `a path that names no file gives no name`(path: String) {
    #expect(Attachment.name(ofFile: path) == nil)
  }

  @Test func `a long name keeps its extension, and is cut between scalars`() {
    let name = Attachment.name(ofFile: "/tmp/" + String(repeating: "ü", count: 300) + ".jpeg")
    #expect(name == String(repeating: "ü", count: 125) + ".jpeg")
    let marks = "a" + String(repeating: "\u{301}", count: 4000)
    #expect(Attachment.name(ofFile: marks) == "a" + String(repeating: "\u{301}", count: 127))
    let ending = "a." + String(repeating: "b", count: 400)
    #expect(Attachment.name(ofFile: ending)?.utf8.count == 255)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `any text gives no name or one that a folder can hold`(seed: UInt64) {
    var dice = Dice(state: seed)
    for _ in 0..<100 {
      let scalars = (0..<dice.below(400)).compactMap { _ in Unicode.Scalar(UInt32(dice.below(0x2FFF))) }
      guard let name = Attachment.name(ofFile: String(String.UnicodeScalarView(scalars))) else { continue }
      #expect((1...255).contains(name.utf8.count) && !name.utf8.contains(0) && !name.contains("/"))
      #expect(![".", ".."].contains(name))
    }
  }
}
