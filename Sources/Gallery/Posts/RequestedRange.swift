import Posts

/// The part of a file that a request asks for (RFC 9110, 14).
enum RequestedRange: Equatable {
  /// All of it. A header that cannot be read means this, and so do several ranges at once.
  case whole
  /// Some bytes; never empty.
  case part(Range<Int>)
  /// Bytes that the file does not have.
  case unsatisfiable

  /// Reads the `Range` header of a request.
  ///
  /// - Parameters:
  ///   - header: The value of the header; nil if there is none.
  ///   - byteCount: The length of the file.
  init(_ header: String?, of byteCount: Int) {
    self = .whole
    guard let header, let sign = header.utf8.firstIndex(of: UInt8(ascii: "=")),
      header[..<sign].trimmingWhiteSpace.lowercased() == "bytes"
    else { return }
    let text = header[header.utf8.index(after: sign)...].trimmingWhiteSpace
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return }
    switch (Self.number(ends[0]), Self.number(ends[1])) {
    case (let first?, let last?) where last < first: return
    case (let first?, let last):
      self = first < byteCount ? .part(first..<min(last ?? .max, byteCount - 1) + 1) : .unsatisfiable
    case (nil, let count?):
      self = count > 0 && byteCount > 0 ? .part(byteCount - min(count, byteCount)..<byteCount) : .unsatisfiable
    case (nil, nil): return
    }
  }

  /// The number of some digits; nil without a digit. Larger numbers than a file can have count as the largest.
  private static func number(_ digits: Substring) -> Int? { digits.isEmpty ? nil : Int(digits) ?? .max }
}

/// Entity tags in the conditions of a request (RFC 9110, 8.8.3).
enum EntityTags {
  /// Whether `If-None-Match` names a tag, so that the client has the bytes already.
  static func list(_ header: String?, contains tag: String) -> Bool {
    guard let header else { return false }
    return header.split(separator: ",").map(\.trimmingWhiteSpace).contains {
      $0 == "*" || $0 == tag || $0 == "W/\(tag)"
    }
  }

  /// Whether a range may be answered: `If-Range` is missing, or is this very tag. Dates match nothing, since no date is sent.
  static func allowRange(_ header: String?, _ tag: String) -> Bool {
    header == nil || header?.trimmingWhiteSpace == tag
  }
}
