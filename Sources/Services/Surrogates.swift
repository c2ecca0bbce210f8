import Foundation

extension JSONDecoder {
  /// The value that a stranger's JSON describes; nil where it is none.
  func value<Value: Decodable>(_ type: Value.Type = Value.self, of json: [UInt8]) -> Value? {
    try? decode(type, from: Data(json.replacingLoneSurrogates))
  }
}

extension [UInt8] {
  /// The JSON with U+FFFD for each half of a surrogate pair that stands alone: servers cut texts in the middle of an emoji,
  /// and no reader of JSON takes a string with half of one, so that the whole text would be lost
  /// (https://www.rfc-editor.org/rfc/rfc8259#section-8.2).
  var replacingLoneSurrogates: [UInt8] {
    guard holds(Array("\\ud".utf8)) || holds(Array("\\uD".utf8)) else { return self }
    var out: [UInt8] = []
    out.reserveCapacity(count)
    var place = 0
    while place < count {
      guard self[place] == UInt8(ascii: "\\"), place + 1 < count else {
        out.append(self[place])
        place += 1
        continue
      }
      var length = 2
      switch (escape(at: place), escape(at: place + 6)) {
      case (0xD800..<0xDC00, 0xDC00..<0xE000): length = 12
      case (0xD800..<0xE000, _):
        out += "\\ufffd".utf8
        place += 6
        continue
      default: break
      }
      out += self[place..<(place + length)]
      place += length
    }
    return out
  }

  /// The number that `\uXXXX` stands for there; 0 where none does.
  private func escape(at place: Int) -> Int {
    guard place + 6 <= count, self[place] == UInt8(ascii: "\\"), self[place + 1] == UInt8(ascii: "u") else { return 0 }
    return Int(String(decoding: self[(place + 2)..<(place + 6)], as: UTF8.self), radix: 16) ?? 0
  }
}
