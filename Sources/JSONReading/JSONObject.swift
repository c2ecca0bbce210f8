import Glibc

/// An untrusted JSON object (RFC 8259, 4). Each member is decoded when it is read.
///
/// Servers that implement the same API differ in its fields: a number may be a string, an object an empty list, and
/// anything null. A member of another type reads as absent and does not affect the others. A member that is never read
/// is only scanned for its end. Of several members with one name, the last counts.
public struct JSONObject: Sendable {
  private struct Member {
    var name: Range<UInt32>
    var isPlain: Bool
    var value: Range<UInt32>
  }

  private let bytes: [UInt8]
  private let members: [Member]

  /// Parses bytes that are one object. Returns nil for anything else, and for 4 GiB or more.
  public init?(_ bytes: [UInt8]) { self.init(bytes, at: bytes.indices) }

  /// Parses the object in a range of the bytes, such as one of `JSONSlices`. Returns nil if there is none.
  public init?(_ bytes: [UInt8], at range: Range<Int>) {
    guard range.upperBound <= Int(UInt32.max) else { return nil }
    var members: [Member] = []
    members.reserveCapacity(32)
    do throws(JSONSlices.Fault) {
      try Slicer.read(bytes, at: range) { (slicer) throws(JSONSlices.Fault) in
        try slicer.members { name, isPlain, value in
          members.append(Member(name: Self.short(name), isPlain: isPlain, value: Self.short(value)))
        }
      }
    } catch {
      return nil
    }
    self.bytes = bytes
    self.members = members
  }

  private static func short(_ range: Range<Int>) -> Range<UInt32> {
    UInt32(range.lowerBound)..<UInt32(range.upperBound)
  }

  /// The member's value, which may be null; nil if there is no such member.
  public func value(_ name: StaticString) -> JSONValue? {
    let found = name.withUTF8Buffer { wanted in
      bytes.withUnsafeBufferPointer { bytes in members.last { Self.hasName(wanted, $0, in: bytes) } }
    }
    return found.map(value)
  }

  /// The same for a name that is no literal.
  @_disfavoredOverload public func value(_ name: String) -> JSONValue? {
    var name = name
    let found = name.withUTF8 { wanted in
      bytes.withUnsafeBufferPointer { bytes in members.last { Self.hasName(wanted, $0, in: bytes) } }
    }
    return found.map(value)
  }

  private func value(_ member: Member) -> JSONValue {
    JSONValue(bytes: bytes, range: Int(member.value.lowerBound)..<Int(member.value.upperBound))
  }

  /// The first `most` members, for an object whose names are data, such as languages.
  public func members(most: Int) -> [(name: String, value: JSONValue)] {
    members.prefix(most).map { member in
      let name = bytes.withUnsafeBufferPointer { bytes in
        JSONText.read(
          UnsafeBufferPointer(rebasing: bytes[Int(member.name.lowerBound)..<Int(member.name.upperBound)]))
      }
      return (name, value(member))
    }
  }

  private static func hasName(
    _ wanted: UnsafeBufferPointer<UInt8>, _ member: Member, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let name = UnsafeBufferPointer(rebasing: bytes[Int(member.name.lowerBound)..<Int(member.name.upperBound)])
    if member.isPlain {
      guard name.count == wanted.count, let one = name.baseAddress, let other = wanted.baseAddress else { return false }
      return memcmp(one, other, wanted.count) == 0
    }
    return JSONText.read(name).utf8.elementsEqual(wanted)
  }

  /// Whether there is such a member, also if it is null.
  public func has(_ name: StaticString) -> Bool { value(name) != nil }

  /// The string.
  public func string(_ name: StaticString) -> String? { value(name)?.string }

  /// The string, or the digits of a whole number.
  public func text(_ name: StaticString) -> String? { value(name)?.text }

  /// The number.
  public func number(_ name: StaticString) -> Double? { value(name)?.number }

  /// The whole number.
  public func integer(_ name: StaticString) -> Int? { value(name)?.integer }

  /// The Boolean. A whole number also counts: 0 is false, any other is true.
  public func bool(_ name: StaticString) -> Bool? { value(name)?.bool }

  /// The object.
  public func object(_ name: StaticString) -> JSONObject? { value(name)?.object }

  /// The first `most` elements of the array; empty if it is absent or no array.
  public func list(_ name: StaticString, most: Int) -> [JSONValue] { value(name)?.elements(most: most) ?? [] }

  /// The objects among the first `most` elements of the array.
  public func objects(_ name: StaticString, most: Int) -> [JSONObject] { list(name, most: most).compactMap(\.object) }
}
