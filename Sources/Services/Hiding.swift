import Foundation
import HTTP

extension [UInt8] {
  /// The bytes with `<secret>` wherever the token stands in them. What a server sends is kept as it came, its pictures are
  /// asked for and its words are shown: none of that may hold a token that it repeats.
  func hiding(_ token: Secret?) -> [UInt8] {
    let secret = Array((token?.reveal() ?? "").utf8)
    return !secret.isEmpty && holds(secret) ? replacing(secret, with: "<secret>".utf8) : self
  }

  /// Whether these bytes stand in it, one behind the other.
  func holds(_ bytes: [UInt8]) -> Bool {
    withUnsafeBytes { whole in
      guard var place = whole.baseAddress, let first = bytes.first else { return false }
      let end = place + whole.count
      while let found = memchr(place, Int32(first), end - UnsafeRawPointer(place)) {
        place = UnsafeRawPointer(found)
        if end - place >= bytes.count, memcmp(place, bytes, bytes.count) == 0 { return true }
        place += 1
      }
      return false
    }
  }
}
