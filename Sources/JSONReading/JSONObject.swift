import Foundation

/// The members of a JSON object that a stranger wrote (RFC 8259, 4), each read where it is asked for.
///
/// Servers that speak an API differ in its fields: what is a number here is a text there, an empty list stands for an
/// object, null for anything. A member of another type reads as absent and costs nothing but itself, and what nobody
/// asks for is looked at only as far as its end must be found. Of several members of one name the last one counts.
public struct JSONObject: Sendable {
  private struct Member {
    var name: Range<UInt32>
    var isPlain: Bool
    var value: Range<UInt32>
  }

  private let bytes: [UInt8]
  private let members: [Member]

  /// The one object that the bytes are; nil where they are anything else, or 4 GiB and more.
  public init?(_ bytes: [UInt8]) { self.init(bytes, at: bytes.indices) }

  /// The object at this place of the bytes, such as `JSONSlices` names; nil where there is none.
  public init?(_ bytes: [UInt8], at place: Range<Int>) {
    guard place.upperBound <= Int(UInt32.max) else { return nil }
    var members: [Member] = []
    members.reserveCapacity(32)
    do throws(JSONSlices.Fault) {
      try Slicer.read(bytes, at: place) { (slicer) throws(JSONSlices.Fault) in
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

  /// The member's value, null also; nil where there is no such member.
  public func value(_ name: StaticString) -> JSONValue? {
    let found = name.withUTF8Buffer { wanted in
      bytes.withUnsafeBufferPointer { bytes in members.last { Self.isCalled(wanted, $0, in: bytes) } }
    }
    return found.map { JSONValue(bytes: bytes, place: Int($0.value.lowerBound)..<Int($0.value.upperBound)) }
  }

  private static func isCalled(
    _ wanted: UnsafeBufferPointer<UInt8>, _ member: Member, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let name = UnsafeBufferPointer(rebasing: bytes[Int(member.name.lowerBound)..<Int(member.name.upperBound)])
    if member.isPlain {
      guard name.count == wanted.count, let one = name.baseAddress, let other = wanted.baseAddress else { return false }
      return memcmp(one, other, wanted.count) == 0
    }
    return JSONText.read(name).utf8.elementsEqual(wanted)
  }

  /// Whether there is such a member, null also.
  public func has(_ name: StaticString) -> Bool { value(name) != nil }

  /// A string.
  public func string(_ name: StaticString) -> String? { value(name)?.string }

  /// A string, or the digits of a whole number.
  public func text(_ name: StaticString) -> String? { value(name)?.text }

  /// A number.
  public func number(_ name: StaticString) -> Double? { value(name)?.number }

  /// A whole number.
  public func integer(_ name: StaticString) -> Int? { value(name)?.integer }

  /// A truth, also where it is a number: 0 is false.
  public func truth(_ name: StaticString) -> Bool? { value(name)?.truth }

  /// An object.
  public func object(_ name: StaticString) -> JSONObject? { value(name)?.object }

  /// The first `most` elements of an array; an absent or wrong one is empty.
  public func list(_ name: StaticString, most: Int) -> [JSONValue] { value(name)?.elements(most: most) ?? [] }

  /// Those of the first `most` elements of an array that are objects.
  public func objects(_ name: StaticString, most: Int) -> [JSONObject] { list(name, most: most).compactMap(\.object) }
}
