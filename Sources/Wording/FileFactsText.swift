import Blobs
import Gazetteer

extension FileFacts {
  /// What a file says of itself, or its source of it, in parts for people to read: when and with what it was taken, by whom, its length.
  ///
  /// - Parameter showsPlace: Whether it tells where it was taken. A page that others read must not.
  public func words(showsPlace: Bool) -> [String] {
    let taken = takenAt.map { "taken \($0.prefix(16).replacing("T", with: " "))\(Self.said(takenBy))" }
    let position =
      showsPlace
      ? latitude.flatMap { north in longitude.map { "\(Self.degrees(north, $0))\(Self.said(placeBy))" } } : nil
    let length = duration.map(Self.length)
    let sound = hasSound == false ? "no sound" : nil
    return [
      [taken, camera.map { "with \($0)" }, position].compactMap(\.self).joined(separator: " "),
      artist.map { "by \($0)" }, copyright, length, codecs.isEmpty ? nil : codecs.joined(separator: ", "), sound,
      origin.flatMap { Self.made[$0] },
    ].compactMap(\.self).filter { !$0.isEmpty }
  }

  /// Who says it, if the file does not.
  private static func said(_ source: String?) -> String {
    source.map { " (says \($0.prefix(1).uppercased())\($0.dropFirst()))" } ?? ""
  }

  private static let made = [
    "trainedAlgorithmicMedia": "made by a model", "compositeWithTrainedAlgorithmicMedia": "made in part by a model",
    "algorithmicMedia": "made by a program",
  ]

  private static func degrees(_ north: Double, _ east: Double) -> String {
    func text(_ value: Double, _ positive: String, _ negative: String) -> String {
      let thousandths = Int((abs(value) * 1000).rounded())
      let part = String(thousandths % 1000)
      let digits = String(repeating: "0", count: 3 - part.count) + part
      return "\(thousandths / 1000).\(digits)° \(value < 0 ? negative : positive)"
    }
    let town = Gazetteer.shared.town(at: north, east).map { " near \($0.town.text)" } ?? ""
    return "at \(text(north, "N", "S")) \(text(east, "E", "W"))\(town)"
  }

  /// `0:07`, `1:02:03`.
  private static func length(_ milliseconds: Int) -> String {
    let seconds = (milliseconds + 500) / 1000
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let hours = seconds / 3600
    return hours == 0
      ? "\(seconds / 60):\(padded(seconds % 60))"
      : "\(hours):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
  }
}
