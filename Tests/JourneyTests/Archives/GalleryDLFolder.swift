import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A folder as `gallery-dl --write-metadata` leaves it.
struct GalleryDLFolder {
  let path: String
  /// How many posts its files belong to, and how many files there are.
  private(set) var posts = 0
  private(set) var pictures = 0

  private init(_ path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// What gallery-dl downloads of a tag from an instance: see extractor/mastodon.py.
  init(at path: String, of tag: String, at server: String) async throws {
    try self.init(path)
    let timeline = try await Self.data("\(server)/api/v1/timelines/tag/\(tag)?limit=40")
    let statuses = try JSONSerialization.jsonObject(with: timeline) as? [[String: Any]] ?? []
    for var status in statuses {
      let media = status.removeValue(forKey: "media_attachments") as? [[String: Any]] ?? []
      posts += 1
      status["tags"] = (status["tags"] as? [[String: Any]])?.compactMap { $0["name"] }
      status["category"] = String(server.dropFirst("http://".count))
      status["instance"] = String(server.dropFirst("http://".count))
      status["count"] = media.count
      // Its postprocessor of the event "post", which describes posts without files, too.
      if media.isEmpty, let id = status["id"] as? String { try describe("\(id)", status) }
      for (index, file) in media.enumerated() {
        guard let address = file["url"] as? String, let id = status["id"] as? String else { continue }
        status["media"] = file
        status["num"] = index + 1
        try add("\(id)_\(file["id"] ?? index).jpg", try await Self.data(address), status)
      }
    }
  }

  /// Files of a site that is no source, each with other bytes.
  init(at path: String, madeUp count: Int) throws {
    try self.init(path)
    posts = count
    for number in 0..<count {
      let picture = [0xFF, 0xD8, 0xFF, 0xE0] + Array("picture \(number)".utf8) + [0xFF, 0xD9]
      try add(
        "\(number)_1.jpg", Data(picture),
        [
          "category": "made-up", "subcategory": "user", "id": number, "num": 1, "date": "2024-02-29 12:30:00",
          "description": "made up \(number)", "tags": "cats \(number)", "extension": "jpg",
        ])
    }
  }

  private mutating func add(_ name: String, _ bytes: Data, _ description: [String: Any]) throws {
    try bytes.write(to: URL(filePath: "\(path)/\(name)"))
    try describe(name, description)
    pictures += 1
  }

  private func describe(_ name: String, _ description: [String: Any]) throws {
    try JSONSerialization.data(withJSONObject: description, options: .prettyPrinted)
      .write(to: URL(filePath: "\(path)/\(name).json"))
  }

  private static func data(_ address: String) async throws -> Data {
    try await URLSession.shared.data(from: URL(string: address)!).0
  }
}
