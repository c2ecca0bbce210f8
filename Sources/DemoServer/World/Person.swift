/// A made-up author.
struct Person: Sendable {
  /// The server's own id.
  let id: Int
  let username: String
  /// Their server; nil for this one.
  let host: String?
  let name: String
  let note: String
  /// BCP 47; also the language of their posts.
  let language: String
  /// What they like to show.
  let topics: [Topic]
  let avatar: Avatar

  /// The handle as this server writes it: remote people carry their host.
  var acct: String { host.map { "\(username)@\($0)" } ?? username }

  /// Everyone, in a fixed order; a person's id is 1001 plus their index here.
  static let everyone: [Person] = table.enumerated().map { index, row in
    Person(
      id: 1001 + index,
      username: row.username,
      host: row.host,
      name: row.name,
      note: row.note,
      language: row.language,
      topics: row.topics,
      avatar: Avatar(index: index)
    )
  }

  /// Those who live on this server and can log in.
  static let residents = everyone.filter { $0.host == nil }

  /// The person of a handle: `mira`, `@mira`, `birds@photo.example`. The caller removes this server's own name.
  static func named(_ handle: some StringProtocol) -> Person? {
    let wanted = handle.drop { $0 == "@" }.lowercased()
    return everyone.first { $0.acct == wanted }
  }

  static func with(id: String) -> Person? {
    guard let number = Int(id), everyone.indices.contains(number - 1001) else { return nil }
    return everyone[number - 1001]
  }

  private typealias Row = (
    username: String, host: String?, name: String, language: String, topics: [Topic], note: String
  )

  private static let table: [Row] = [
    ("mira", nil, "Mira Sandqvist", "en", [.sea, .lighthouses, .birds], "Ferries, fog and far too much coffee."),
    ("tomasz", nil, "Tomasz Wilga", "en", [.mountains, .forest], "I walk uphill until the phone has no signal."),
    ("birds", "photo.example", "Birds of the Bay", "en", [.birds], "One bird a day. Sometimes two."),
    ("yuki", nil, "雪村ゆき", "ja", [.cats, .flowers, .mountains], "猫と山と写真。"),
    ("haruto", "kamera.example", "はると 📷", "ja", [.city, .stars, .birds], "夜の街をさんぽしています。"),
    ("lina", nil, "لينا الخطيب", "ar", [.flowers, .sea, .cats], "أصوّر البحر والقطط وما بينهما."),
    ("omar", "suwar.example", "عمر نجّار", "ar", [.stars, .mountains, .balloons], "سماء الليل أجمل من كل الشاشات."),
    ("noa", nil, "נועה ברק", "he", [.cats, .city, .sea], "חתולים, גגות ושקיעות."),
    ("eitan", "tmunot.example", "איתן שדה", "he", [.flowers, .birds, .lighthouses], "מצלמה ישנה, סבלנות חדשה."),
    ("greta", nil, "Greta Lindwurm", "de", [.forest, .flowers, .birds], "Draußen ist es am schönsten."),
    (
      "jonas", "wald.example", "Jonas Ahornfeld", "de", [.forest, .mountains, .stars],
      "Förster, Frühaufsteher, Funkloch."
    ),
    ("lucia", nil, "Lucía Ferreal", "es", [.balloons, .sea, .cats], "Globos, gatos y gazpacho."),
    ("mateo", "costa.example", "Mateo Olivar", "es", [.lighthouses, .sea, .city], "Faros de todas las costas."),
    ("katya", nil, "Катя Рябинина", "en", [.forest, .birds, .cats], "Rowan berries and a red cat. :blobcat:"),
    ("eleni", "nisi.example", "Ελένη Θαλασσινού", "en", [.sea, .flowers], "Small island, large sky."),
    ("arun", nil, "अरुण मेघवाल", "en", [.city, .balloons, .stars], "Roof terraces and kite season."),
    ("sumin", "bada.example", "한수민", "en", [.city, .sea, .cats], "Last train photographer."),
    ("nino", nil, "ნინო მთიელი", "en", [.mountains, .flowers], "Above the clouds when I can be."),
    ("catpatrol", nil, "Cat Patrol :blobcat:", "en", [.cats], "Cats met on walks. All of them were very good."),
    ("oldtown", "city.example", "Old Town Walks", "en", [.city], "A street, a lamp, a story."),
    ("fern", nil, "Fern & Moss", "en", [.forest, .flowers], "Slow pictures of <small> things."),
    (
      "kofi", "coast.example", "Kofi Anokye-Bell", "en", [.lighthouses, .sea, .birds],
      "Keeper of nothing, visitor of lights."
    ),
    ("skywatch", nil, "Sky Watch ✨", "en", [.stars, .balloons], "Tonight's sky, weather permitting."),
    ("zoe", "bloem.example", "Zoë van Duinen", "en", [.flowers, .balloons, .sea], "Dunes, tulips, tailwind."),
  ]
}
