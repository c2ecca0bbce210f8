import Foundation
import Posts

// Servers that speak an API differ in its fields: what is a number here is a text there, an empty list stands for an
// object, null for anything. A field of the wrong type reads as absent and costs nothing but itself.

extension KeyedDecodingContainer {
  /// The field, or nil where it is absent, null or of another type.
  func lossy<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
    (try? decodeIfPresent(type, forKey: key)) ?? nil
  }

  /// The same for a text, which most fields are: Foundation reads it at once where it is asked for by its own type, and
  /// else makes a decoder for it first.
  func lossy(_ key: Key, as type: String.Type = String.self) -> String? {
    (try? decodeIfPresent(type, forKey: key)) ?? nil
  }

  /// A text, or a whole number written as one.
  func text(_ key: Key) -> String? {
    lossy(key, as: String.self) ?? lossy(key, as: Int64.self).map { String($0) }
      ?? lossy(key, as: UInt64.self).map { String($0) }
  }

  /// A truth, also where it is 0 or 1.
  func truth(_ key: Key) -> Bool? {
    lossy(key, as: Bool.self) ?? lossy(key, as: Int.self).map { $0 != 0 }
  }

  /// A moment: RFC 3339, or a count of seconds or milliseconds from 1970 as number or text.
  func moment(_ key: Key) -> Date? {
    if let text = lossy(key, as: String.self) { return UTC.date(text) ?? Double(text).flatMap(epoch) }
    return lossy(key, as: Double.self).flatMap(epoch)
  }

  /// The fields of the object there, or nil where it is absent or none. Asking for an absent one by error takes longer
  /// than all else of a small object.
  func object(_ key: Key) -> KeyedDecodingContainer<Key>? {
    contains(key) ? try? nestedContainer(keyedBy: Key.self, forKey: key) : nil
  }

  /// Those of the first `most` elements that can be read; an absent or wrong list is empty.
  func list<Element: Decodable>(_ key: Key, of type: Element.Type = Element.self, most: Int) -> [Element] {
    listed(key, of: type, most: most) ?? []
  }

  /// The same; nil where there is no list.
  ///
  /// One at a time: a hostile list is a million elements long.
  func listed<Element: Decodable>(_ key: Key, of type: Element.Type = Element.self, most: Int) -> [Element]? {
    guard contains(key), var elements = try? nestedUnkeyedContainer(forKey: key) else { return nil }
    var read: [Element] = []
    while !elements.isAtEnd, elements.currentIndex < most, let element = try? elements.decode(Lossy<Element>.self) {
      if let value = element.value { read.append(value) }
    }
    return read
  }
}

/// An element that may be unreadable.
private struct Lossy<Value: Decodable>: Decodable {
  let value: Value?
  init(from decoder: any Decoder) { value = try? Value(from: decoder) }
}

/// The moment so many seconds from 1970, or milliseconds where the seconds would lie beyond the year 5000; nil outside
/// the years 1 to 9999.
private func epoch(_ number: Double) -> Date? {
  let seconds = abs(number) > 1e11 ? number / 1000 : number
  guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
  return Date(timeIntervalSince1970: seconds)
}
