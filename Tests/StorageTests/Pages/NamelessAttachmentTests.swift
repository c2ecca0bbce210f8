import Posts
import Testing

@testable import Storage

/// Attachments with neither id nor address, as servers send them while they still process them.
struct NamelessAttachmentTests {
  private func attachments(_ kind: Posts.Attachment.Kind) -> [Posts.Attachment] {
    [Attachment(kind: kind, url: nil), picture("one"), Attachment(kind: .file, url: nil, alt: "a letter")]
  }

  private func rows(_ library: TestLibrary) throws -> [String] {
    try library.lines("SELECT id, kind FROM attachment ORDER BY position")
  }

  @Test func `the same answer changes nothing`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, attachments: attachments(.video))])
    let before = try rows(library)
    #expect(try library.pull([post(1, attachments: attachments(.video))]).unchanged == 1)
    #expect(try rows(library) == before)
  }

  @Test func `what has no address is not awaited, until it gets one`() throws {
    let library = try TestLibrary()
    func states() throws -> [String] { try library.lines("SELECT state, failure FROM attachment ORDER BY position") }
    let nameless = Attachment(kind: .image, remoteID: "17907", url: nil)
    try library.pull([post(1, attachments: [nameless])])
    let gone = try states()
    #expect(gone.count == 1 && gone[0].contains("gone") && gone[0].contains("its server gives no address of it"))
    // An earlier version left it pending.
    try library.database.write { try $0.execute("UPDATE attachment SET state = 'pending', failure = NULL") }
    try library.pull([post(1, attachments: [nameless])])
    #expect(try states() == gone)
    try library.pull([
      post(1, attachments: [Attachment(kind: .image, remoteID: "17907", url: "https://files.example/7")])
    ])
    #expect(try states()[0].contains("pending"))
  }

  @Test func `an attachment of another kind is another attachment`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, attachments: attachments(.video))])
    let before = try rows(library)
    #expect(try library.pull([post(1, attachments: attachments(.audio))]).updated == 1)
    let after = try rows(library)
    #expect(after[0] != before[0])
    #expect(after[1...] == before[1...])
  }

  @Test func `an attachment that moved is another one, because nothing identifies it`() throws {
    let library = try TestLibrary()
    try library.pull([post(1, attachments: attachments(.video))])
    #expect(try library.pull([post(1, attachments: attachments(.video).reversed())]).updated == 1)
    #expect(try library.pull([post(1, attachments: attachments(.video).reversed())]).unchanged == 1)
  }
}
