import Blobs

/// What a stored file is inspected for.
public enum InspectionKind: String, Sendable, Hashable, CaseIterable {
  /// Hashes of what a picture looks like.
  case hash
  /// What the metadata says.
  case facts
  /// The text that stands in a picture.
  case text
  /// What a model finds, if the person chose one. The version of what is found is the number of the model.
  case model

  /// What every file is inspected for.
  public static let ofFiles: Set<InspectionKind> = [.hash, .facts]

  /// The version of what is found. Files that were inspected for an earlier one are inspected again.
  var version: Int64 {
    switch self {
    case .hash: 1
    case .facts: 2
    case .text: 1
    case .model: 0
    }
  }
}

/// A stored file that is to be inspected.
public struct UninspectedFile: Sendable, Hashable {
  /// Its number in this library.
  public let number: Int64
  /// Its name.
  public let blob: BlobID
  /// The type that its bytes show; nil if it is not known.
  public let mediaType: String?
  /// What it is to be inspected for.
  public let kinds: Set<InspectionKind>
}

/// What was found in a file.
public struct FileInspection: Sendable {
  /// What came of one kind of inspection.
  public enum Outcome<Found: Sendable>: Sendable {
    /// Something was found.
    case found(Found)
    /// The file has nothing of the kind.
    case nothing
    /// The file cannot be read. The reason ends a sentence.
    case failed(String)
  }

  /// The file's number.
  public let number: Int64
  /// The hashes; nil if they were not looked for.
  public var hash: Outcome<PictureHash>?
  /// What the metadata says; nil if it was not read.
  public var facts: Outcome<FileFacts>?
  /// The text in the picture; nil if it was not read.
  public var text: Outcome<PictureText>?
  /// The languages in which text was looked for.
  public var languages: String?
  /// What a model found; nil if it was not asked.
  public var model: Outcome<ModelFindings>?

  /// An inspection of a file in which nothing was looked for yet.
  public init(of number: Int64) { self.number = number }
}

/// How far the inspection of the files that posts show came.
public struct InspectionProgress: Sendable, Equatable {
  /// The number of stored files that posts show.
  public var files = 0
  /// How many of them are pictures.
  public var pictures = 0
  /// How many of them were inspected, whatever came of it.
  public var inspected: [InspectionKind: Int] = [:]
  /// How many of them could not be read.
  public var failed: [InspectionKind: Int] = [:]
  /// The model that looked at files last; nil if none ever did.
  public var model: String?

  /// Nothing.
  public init() {}

  /// How many files were inspected for everything but text, which is read in pictures alone and slowly, and what a model finds.
  public var whole: Int { InspectionKind.ofFiles.map { inspected[$0] ?? 0 }.min() ?? 0 }
}
