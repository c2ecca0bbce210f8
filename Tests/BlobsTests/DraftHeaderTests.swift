import Folders
import Testing

@testable import Blobs

struct DraftHeaderTests {
  @Test(arguments: DiskBlobs.DraftStyle.allCases)
  func `a draft's media header is read before it is kept`(style: DiskBlobs.DraftStyle) throws {
    let scratch = try Scratch()
    let blobs = DiskBlobs(library: scratch.path, style: style)
    let picture = try blobs.draft(of: Sample.jpeg(profile: 4), inPiecesOf: 1_000)
    #expect(try picture.header() == MediaHeader(of: Sample.jpeg(profile: 4)))
    #expect(try picture.header().fault(expecting: .image, announced: nil) == nil)
    #expect(try blobs.draft(of: Sample.page).header().type == .html)
  }
}
