import FoundationEssentials
import Glibc
import Login

/// The file of sign-ins, which every `media serve` of the person shares: mode 0600, replaced whole, changed by one process at
/// a time. Its functions block.
struct SignInFile: Sendable {
  private let file: ProtectedFile
  private let path: String

  /// The file in a folder, which is created with the first write.
  init(folder: String) {
    file = ProtectedFile(folder: folder, name: "gallery.json", content: "sign-ins")
    path = "\(folder)/gallery.json"
  }

  /// What tells one content from another without reading it: a new content is a new file.
  struct Stamp: Sendable, Equatable {
    private let device: UInt, inode: UInt, seconds: Int, nanoseconds: Int

    fileprivate init(_ facts: stat) {
      (device, inode) = (UInt(facts.st_dev), UInt(facts.st_ino))
      (seconds, nanoseconds) = (facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec)
    }
  }

  /// Nil if there is no file.
  var stamp: Stamp? {
    var facts = Glibc.stat()
    return stat(path, &facts) == 0 ? Stamp(facts) : nil
  }

  /// The records; none if there is no file.
  func read() throws -> SignInRecords {
    guard let bytes = try file.read() else { return SignInRecords() }
    struct Envelope: Decodable { let version: Int }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let version = try? decoder.decode(Envelope.self, from: Data(bytes)).version else {
      throw GalleryError.unreadableSignIns(path)
    }
    guard version <= SignInRecords.version else { throw GalleryError.newerSignIns(path) }
    guard let records = try? decoder.decode(SignInRecords.self, from: Data(bytes)) else {
      throw GalleryError.unreadableSignIns(path)
    }
    return records
  }

  /// Changes the records, on disk when this returns. An unchanged content is not written.
  func change<Value>(_ body: (inout SignInRecords) throws -> Value) throws -> Value {
    let result = try file.locked { () throws(AccountsError) -> Result<Value, any Error> in
      do {
        let before = try read()
        var records = before
        let value = try body(&records)
        if records != before { try write(records) }
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func write(_ records: SignInRecords) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try file.replace(with: Array(try encoder.encode(records)))
  }
}
