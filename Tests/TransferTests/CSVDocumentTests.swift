import Foundation
import Posts
import Storage
import Testing

@testable import Transfer

@Suite struct CSVDocumentTests {
  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("one\ntwo", "\"one\ntwo\""),
    ("a\r\nb", "\"a\r\nb\""), ("\"\u{301}", "\"\"\"\u{301}\""), ("", ""),
  ])
  func `a cell is quoted where its text needs it`(text: String, cell: String) {
    #expect(CSVDocument.cell(text).unicodeScalars.elementsEqual(cell.unicodeScalars))
  }

  @Test(arguments: ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
  func `a cell that a spreadsheet would run is guarded by an apostrophe`(first: String) {
    let cell = CSVDocument.cell("\(first)cmd|' /C calc'!A0")
    #expect(cell.hasPrefix("'\(first)") || cell.hasPrefix("\"'\(first)"))
    #expect(CSVDocument.cell("a\(first)b").first != "'")
  }

  @Test func `a post is a row under a header`() {
    let post = samplePost(tags: ["cats", "red panda"])
    let document = CSVDocument()
    let names = document.head.dropLast(1).split(separator: ",", omittingEmptySubsequences: false)
    let row = document.text(of: post)
    #expect(document.head.hasSuffix("alts,visibility,license\r\n"))
    let cells = row.dropLast(1).split(separator: ",", omittingEmptySubsequences: false)
    #expect(cells.count == names.count)
    let values = Dictionary(uniqueKeysWithValues: zip(names.map(String.init), cells.map(String.init)))
    #expect(values["tags"] == "cats;red panda")
    #expect(values["created_at"] == "2026-01-02T03:04:05.000Z")
    #expect(values["ends_at"] == "2026-01-02T04:04:05.000Z")
    #expect(values["author"] == "birds@photos.example")
    #expect(values["sensitive"] == "false")
    #expect(row.hasSuffix("\r\n"))
  }
}
