/// A position in the changes of a library. It is opaque; its text can be stored and sent.
///
/// It belongs to one library: a position of another one, or of a copy that replaced it, is recognized.
public struct ChangePosition: Sendable, Hashable, LosslessStringConvertible {
  let number: Int64
  /// Tells apart logs that have the same number.
  let mark: UInt64
  /// Numbers below whose changes came later; empty in a library whose changes come in order.
  let open: [Int64]

  package init(number: Int64, mark: UInt64, open: [Int64] = []) {
    (self.number, self.mark, self.open) = (number, mark, open)
  }

  /// Parses a position; nil if the text is not one.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let number = Int64(parts[0]), number >= 0,
      let mark = UInt64(parts[1], radix: 36)
    else { return nil }
    let open = parts.count == 3 ? parts[2].split(separator: ".").compactMap { Int64($0) } : []
    self.init(number: number, mark: mark, open: open)
    guard self.description == description else { return nil }
  }

  /// The position as text.
  public var description: String {
    let rest = open.isEmpty ? "" : "-\(open.map(String.init).joined(separator: "."))"
    return "\(number)-\(String(mark, radix: 36))\(rest)"
  }
}

/// A change, and the position after it.
public struct PositionedChange: Sendable, Hashable {
  /// What changed.
  public let change: LibraryChange
  /// The position from which a later reader continues.
  public let position: ChangePosition
}

/// Reads the log of changes from positions.
struct PositionReader {
  private enum Reader {
    case numbers(NumberPositions)
    case snapshots(SnapshotPositions)
  }

  private let reader: Reader

  init(_ db: Database, of writer: any StoreConnections) {
    switch db.connection {
    case .sqlite: reader = .numbers(NumberPositions(db, path: writer.currentPath))
    case .postgresql(let session): reader = .snapshots(SnapshotPositions(connection: session.connection))
    }
  }

  /// The position of the last change.
  func current() throws -> ChangePosition {
    switch reader {
    case .numbers(let positions): try positions.current()
    case .snapshots(let positions): try positions.current()
    }
  }

  /// The changes after a position, together; nil if there are none.
  func changes(after position: ChangePosition?) throws -> PositionedChange? {
    switch reader {
    case .numbers(let positions): try positions.changes(after: position)
    case .snapshots(let positions): try positions.changes(after: position)
    }
  }
}
