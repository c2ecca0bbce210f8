import Foundation
import HTTP
import Services

extension FuzzTarget {
  /// Header fields, one a line.
  static let fields = [
    FuzzTarget("links") { bytes in
      let fields = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
      let links = LinkHeader.parse(fields)
      try promise("links are bounded", links.count <= 64 && links.allSatisfy { $0.parameters.count <= 32 })
      try promise("a target ends where it ends", links.allSatisfy { !$0.target.contains(">") })
    },
    FuzzTarget("rates") { bytes in
      var headers = Headers()
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
        if let name = parts.first { headers.fields.append((name, parts.dropFirst().first ?? "")) }
      }
      let limit = RateLimit(headers: headers, now: .noon, dialect: .meta)
      for wait in [limit.retryAt, limit.resetsAt].compactMap({ $0?.timeIntervalSince(.noon) }) {
        try promise("a wait is at most a day", (0...86_400).contains(wait))
      }
      try promise("a count is none below zero", (limit.remaining ?? 0) >= 0 && (limit.limit ?? 0) >= 0)
      if limit.isShare { try promise("a share is at most a hundred", (limit.remaining ?? 0) <= 100) }
    },
  ]
}
