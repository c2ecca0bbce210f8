/// A picture by name: these three values determine all of it, so the same name always has the same bytes.
struct Art: Sendable, Hashable {
  var topic: Topic
  var seed: UInt64
  var format: PictureFormat

  /// The last part of its address, as in `cats-00c0ffee.webp`.
  var name: String { "\(topic.rawValue)-\(String(seed, radix: 16)).\(format.rawValue)" }

  init(topic: Topic, seed: UInt64, format: PictureFormat) {
    (self.topic, self.seed, self.format) = (topic, seed, format)
  }

  /// The picture of an address; nil if no picture has that name.
  init?(name: some StringProtocol) {
    let parts = name.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let format = PictureFormat(rawValue: String(parts[1])) else { return nil }
    let stem = parts[0].split(separator: "-", maxSplits: 1)
    guard stem.count == 2, let topic = Topic(rawValue: String(stem[0])), let seed = UInt64(stem[1], radix: 16) else {
      return nil
    }
    self.init(topic: topic, seed: seed, format: format)
  }

  /// The hour it shows.
  var hour: Light.Hour {
    var dice = Dice(seed: seed, subject: 1)
    return dice.pick(Art.hours[topic] ?? Light.Hour.allCases)
  }

  /// The hours of subjects that do not fit every hour.
  private static let hours: [Topic: [Light.Hour]] = [
    .stars: [.night], .cats: [.dusk, .night, .night, .golden], .flowers: [.dawn, .morning, .day, .golden],
    .balloons: [.dawn, .morning, .day, .golden, .dusk],
  ]

  private var light: Light {
    var dice = Dice(seed: seed, subject: 4)
    return Light.at(hour, &dice)
  }

  /// Its full size in pixels: one of the usual formats of cameras and telephones. PNG costs most bytes and WebP most time,
  /// so they stay small.
  var size: (width: Int, height: Int) {
    var dice = Dice(seed: seed, subject: 2)
    let shapes = [(1600, 1067), (1500, 1000), (1440, 1080), (1080, 1350), (1200, 1200), (1600, 900), (1000, 1250)]
    let small = [(1200, 800), (960, 960), (900, 1125), (1024, 768)]
    return dice.pick(format == .jpeg ? shapes : small)
  }

  /// What is shown of it: all its pixels, or at most so many on the longer side.
  enum Copy: Int {
    case whole = 1_000_000
    /// What must be drawn before its post is shown.
    case upload = 800
    case preview = 480
  }

  /// Its size as a copy, in pixels.
  func size(of copy: Copy) -> (width: Int, height: Int) {
    let (width, height) = size
    let longer = max(width, height), edge = min(longer, copy.rawValue)
    return (width * edge / longer, height * edge / longer)
  }

  /// Its size as a preview.
  var previewSize: (width: Int, height: Int) { size(of: .preview) }

  /// A blurhash of one component, the picture's middle colour (https://github.com/woltapp/blurhash).
  var blurhash: String {
    let pixel = light.sky[2].pixel
    let value = Int(pixel & 255) << 16 | Int(pixel >> 8 & 255) << 8 | Int(pixel >> 16 & 255)
    let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")
    return "00" + String([571_787, 6889, 83, 1].map { digits[value / $0 % 83] })
  }

  /// Draws it at a size of its own proportions.
  func draw(width: Int, height: Int) -> Canvas {
    let canvas = Canvas(width: width, height: height)
    var painter = Painter(canvas: canvas, light: light, dice: Dice(seed: seed, subject: 3))
    switch topic {
    case .mountains: painter.hills()
    case .sea: painter.sea()
    case .lighthouses: painter.lighthouse()
    case .city: painter.city()
    case .forest: painter.forest()
    case .cats: painter.cat()
    case .balloons: painter.balloons()
    case .flowers: painter.flowers()
    case .birds: painter.birds()
    case .stars: painter.nightSky()
    }
    return canvas
  }
}
