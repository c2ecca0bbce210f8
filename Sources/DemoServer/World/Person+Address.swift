extension Person {
  /// Their profile page: here for residents, at their own server for others.
  func profile(_ origin: String) -> String { "\(host.map { "https://" + $0 } ?? origin)/@\(username)" }

  /// Their identity across servers.
  func uri(_ origin: String) -> String { "\(host.map { "https://" + $0 } ?? origin)/users/\(username)" }
}

extension DemoPost {
  /// Its page for people.
  func url(_ origin: String) -> String { "\(person.profile(origin))/\(id)" }

  /// Its identity across servers.
  func uri(_ origin: String) -> String { "\(person.uri(origin))/statuses/\(id)" }
}

extension DemoPicture {
  /// The address of its bytes. The number makes the address unique; the bytes depend only on the name, so that a picture
  /// posted twice has two addresses and one content.
  func url(_ origin: String, preview: Bool = false) -> String {
    "\(origin)/media/\(id)/\(preview ? "small" : "original")/\(art.name)"
  }
}
