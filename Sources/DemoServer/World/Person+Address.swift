extension Person {
  /// Their profile page: here for residents, at their own server for others.
  func profile(_ origin: String) -> String { "\(host.map { "https://" + $0 } ?? origin)/@\(username)" }

  /// Their identity across servers.
  func uri(_ origin: String) -> String { "\(host.map { "https://" + $0 } ?? origin)/users/\(username)" }
}

extension DemoPost {
  /// Where people open it.
  func url(_ origin: String) -> String { "\(person.profile(origin))/\(id)" }

  /// Its identity across servers.
  func uri(_ origin: String) -> String { "\(person.uri(origin))/statuses/\(id)" }
}

extension DemoPicture {
  /// Where its bytes lie. The number makes the address its own; the bytes follow from the name alone, so that a picture
  /// posted twice has two addresses and one content.
  func url(_ origin: String, preview: Bool = false) -> String {
    "\(origin)/media/\(id)/\(preview ? "small" : "original")/\(art.name)"
  }
}
