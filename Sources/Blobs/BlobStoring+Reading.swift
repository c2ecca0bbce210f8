// What every store offers through the calls that it implements.

extension BlobStoring {
  /// The number of blobs that are listed at a time.
  private static var pageSize: Int { 1000 }
  /// The number of bytes that are read at a time.
  private static var pieceSize: Int { 1 << 20 }

  /// Whether a blob of this name is stored. It does not read the bytes.
  public func contains(_ id: BlobID) throws(BlobError) -> Bool { try stat(id) != nil }

  /// Reads all bytes of a blob.
  ///
  /// - Throws: `BlobError.missing` if the blob is absent.
  public func read(_ id: BlobID) throws(BlobError) -> [UInt8] { try fetch(id, 0..<Int.max) }

  /// Reads the media header of a blob.
  public func header(of id: BlobID) throws(BlobError) -> MediaHeader {
    guard let blob = try stat(id) else { throw .missing(id) }
    return try MediaHeader(length: blob.byteCount) { offset, count throws(BlobError) in
      try fetch(id, offset..<offset + count)
    }
  }

  /// Calls `body` with every blob, ordered by name. Memory contains one page at a time. `body` may remove blobs.
  ///
  /// - Parameter passesUnread: Whether folders that cannot be read are passed over. `eachResidue` names them.
  public func eachBlob(passingUnread passesUnread: Bool = false, _ body: (BlobInfo) throws -> Void) throws {
    var last: BlobID?
    while true {
      let page: [BlobInfo]
      do throws(BlobError) { page = try self.page(after: last, limit: Self.pageSize) } catch {
        guard passesUnread, case .readOnly = error else { throw error }
        // Of the folder before the one that cannot be read, all blobs were listed.
        guard let start = BlobID(startOfFolderAfter: last) else { return }
        last = start
        continue
      }
      guard let end = page.last else { return }
      for blob in page { try body(blob) }
      last = end.id
    }
  }

  /// Calls `body` with a blob's bytes, piece by piece.
  ///
  /// - Throws: `BlobError.missing` if the blob is absent, and what `body` throws.
  public func eachPiece(of id: BlobID, _ body: ([UInt8]) throws -> Void) throws {
    var offset = 0
    while true {
      let piece = try fetch(id, offset..<offset + Self.pieceSize)
      if piece.isEmpty { return }
      try body(piece)
      offset += piece.count
      if piece.count < Self.pieceSize { return }
    }
  }

  /// Compares a blob's bytes with its name, whatever its length.
  public func condition(of id: BlobID) -> BlobCondition { condition(of: id, byteCount: nil) }
}

/// A store of another kind than files has nothing of these, unless it says so.
extension BlobStoring {
  /// Nil: there are no files.
  public func localFile(of id: BlobID) -> String? { nil }

  /// True.
  public var isThere: Bool { true }

  /// Reads all bytes through `fetch`. A failure says nothing about the bytes.
  public func condition(of id: BlobID, byteCount: Int?) -> BlobCondition {
    do {
      guard let blob = try stat(id) else { return .missing }
      if let byteCount, blob.byteCount != byteCount { return .wrongLength(blob.byteCount) }
      guard let hash = BlobHash() else { return .withheld("SHA-256 is not available") }
      try eachPiece(of: id) { piece in piece.withUnsafeBytes { hash.add($0) } }
      return hash.end() == id ? .good : .wrongBytes
    } catch {
      guard let error = error as? BlobError else { return .withheld("\(error)") }
      return error.condition
    }
  }

  /// Does nothing.
  public func eachResidue(_ body: (BlobResidue) throws -> Void) throws {}

  /// 0: an interrupted write leaves nothing.
  @discardableResult
  public func removeLeftovers() throws(BlobError) -> Int { 0 }
}

extension BlobID {
  /// The first name of the folder after that of a blob; of the second folder if there is no blob, and nil for the last.
  fileprivate init?(startOfFolderAfter last: BlobID?) {
    guard let folder = UInt8(last?.folderName ?? "00", radix: 16), folder < .max else { return nil }
    self.init(digest: [folder + 1] + [UInt8](repeating: 0, count: 31))
  }
}

extension BlobReceiving {
  /// Reads the file piece by piece.
  public func append(contentsOf file: Int32) throws(BlobError) {
    var offset = 0
    while true {
      let piece = try Descriptor.read(file, at: offset, count: 256 << 10, path: "a file")
      if piece.isEmpty { return }
      let result: Result<Void, BlobError> = piece.withUnsafeBytes { bytes in
        do throws(BlobError) { return .success(try write(bytes)) } catch { return .failure(error) }
      }
      try result.get()
      offset += piece.count
    }
  }

  /// Finishes the draft and returns the media header of its bytes.
  public func header() throws(BlobError) -> MediaHeader {
    let count = try finish().byteCount
    return try MediaHeader(length: count) { offset, length throws(BlobError) in try fetch(offset..<offset + length) }
  }
}

extension BlobError {
  /// What a failure to read says about a blob.
  public var condition: BlobCondition {
    switch self {
    case .missing: .missing
    case .full(let location), .readOnly(let location): .withheld("\(location) does not answer")
    case .service(let fault): .withheld(fault.reason)
    case .io(_, let reason): .withheld(reason)
    }
  }
}
