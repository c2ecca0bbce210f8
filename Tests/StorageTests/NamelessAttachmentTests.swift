import Posts
import Testing

@testable import Storage

/// Attachments with neither id nor address, as servers send them while they still process them.
struct NamelessAttachmentTests {
  private func attachments(_ kind: Posts.Attachment.Kind) -> [Posts.Attachment] {
    [Attachment(kind: kind, url: nil), picture("one"), Attachment(kind: .file, url: nil, alt: "a letter")]
  }

  private func rows(_ shelf: Shelf) throws -> [String] {
    try shelf.lines("SELECT id, kind FROM attachment ORDER BY position")
  }

  @Test func `the same answer changes nothing`() throws {
    let shelf = try Shelf()
    try shelf.pull([post(1, attachments: attachments(.video))])
    let before = try rows(shelf)
    #expect(try shelf.pull([post(1, attachments: attachments(.video))]).unchanged == 1)
    #expect(try rows(shelf) == before)
  }

  @Test func `an attachment of another kind is another attachment`() throws {
    let shelf = try Shelf()
    try shelf.pull([post(1, attachments: attachments(.video))])
    let before = try rows(shelf)
    #expect(try shelf.pull([post(1, attachments: attachments(.audio))]).updated == 1)
    let after = try rows(shelf)
    #expect(after[0] != before[0])
    #expect(after[1...] == before[1...])
  }

  @Test func `an attachment that moved is another one, because nothing identifies it`() throws {
    let shelf = try Shelf()
    try shelf.pull([post(1, attachments: attachments(.video))])
    #expect(try shelf.pull([post(1, attachments: attachments(.video).reversed())]).updated == 1)
    #expect(try shelf.pull([post(1, attachments: attachments(.video).reversed())]).unchanged == 1)
  }
}
