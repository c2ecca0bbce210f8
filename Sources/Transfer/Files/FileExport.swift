import Blobs
import PostFiles
import Storage

/// Writes the pictures and files of posts into a folder, under names that a template makes.
///
/// No file is ever replaced: where another file has the name, the new one gets a number, and where the same bytes have it,
/// they are left. A second export writes only what is new.
public final class FileExport {
  /// What is written.
  public struct Plan {
    /// The template of the names.
    public var template: NameTemplate
    /// What is written beside each file.
    public var sidecars: Set<Sidecar>
    /// Whether files share their bytes with the library.
    public var links: Bool
    /// Whether sidecars have what the person made of the posts.
    public var marks = false
    /// The permissions of what is written.
    public var modes: FileModes

    /// Creates a plan for files with names by a template.
    public init(template: NameTemplate, sidecars: Set<Sidecar> = [], links: Bool = false, modes: FileModes) {
      (self.template, self.sidecars, self.links, self.modes) = (template, sidecars, links, modes)
    }
  }

  private let plan: Plan
  private let blobs: any BlobStoring
  private let folder: ExportFolder
  private let index: FileIndex
  private let placing: FilePlacing
  private let json: (StoredPost, _ file: Int) throws -> String
  /// What was done so far.
  public private(set) var result = FileExportResult()

  /// An export into a folder, which is created if it is absent.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - blobs: The library's pictures.
  ///   - plan: What is written.
  ///   - json: A post as one line of JSON, with the index of one of its files.
  /// - Throws: `FilesError`
  public init(
    into path: String, from blobs: any BlobStoring, _ plan: Plan,
    json: @escaping (StoredPost, _ file: Int) throws -> String
  ) throws {
    (self.plan, self.blobs, self.json) = (plan, blobs, json)
    folder = try ExportFolder(path, modes: plan.modes)
    index = try FileIndex(of: folder)
    placing = FilePlacing(folder: folder, index: index, blobs: blobs, links: plan.links, mode: plan.modes.file)
  }

  /// Writes the files of a post.
  ///
  /// - Throws: `FilesError`, and what `json` throws.
  public func add(_ post: StoredPost) throws {
    for (number, attachment) in post.attachments.enumerated() {
      guard attachment.state == .stored, let blob = attachment.blob else {
        result.missing += 1
        continue
      }
      let named = NamedFile(post, number, by: plan.template)
      let subfolder = try folder.open(named.folders)
      defer { placing.close(subfolder.file) }
      let source = FilePlacing.Source(blob: blob, byteCount: attachment.byteCount, time: post.createdAt)
      guard let placed = try placing.place(source, as: named.name, in: subfolder) else {
        result.missing += 1
        continue
      }
      result.count(placed, bytes: attachment.byteCount ?? 0)
      for sidecar in Sidecar.allCases where plan.sidecars.contains(sidecar) {
        for (ending, text) in try sidecar.files(of: post, number, marks: plan.marks, json: json) {
          result.count(try placing.write(text, beside: placed.name + ending, in: subfolder))
        }
      }
    }
  }

  /// Ends it: what was written is on the disk.
  public func finish() throws { try index.flush() }
}

/// What an export of files did.
public struct FileExportResult: Sendable, Equatable {
  /// Files that were written.
  public var written = 0
  /// Of these, those that share their bytes with the library.
  public var linked = 0
  /// Files that were there already.
  public var left = 0
  /// Files that other posts have, too, under the same name.
  public var same = 0
  /// Their length in bytes: of those that were written.
  public var bytes = 0
  /// Attachments without stored bytes.
  public var missing = 0
  /// Sidecars that were written.
  public var sidecars = 0
  /// Sidecars that another program or a person changed, which are left as they are.
  public var keptSidecars = 0

  /// Nothing.
  public init() {}

  mutating func count(_ placed: FilePlacing.Placed, bytes: Int) {
    switch placed.outcome {
    case .left: left += 1
    case .same: same += 1
    case .written, .linked:
      written += 1
      if placed.outcome == .linked { linked += 1 }
      self.bytes += bytes
    }
  }

  mutating func count(_ outcome: FilePlacing.SidecarOutcome) {
    switch outcome {
    case .written: sidecars += 1
    case .left: break
    case .kept: keptSidecars += 1
    }
  }
}
