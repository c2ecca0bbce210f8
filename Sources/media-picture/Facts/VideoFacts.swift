import Blobs
import CVideo
import Glibc

extension FactsReader {
  /// The most codecs that are named.
  private static let mostCodecs = 16

  /// What the container of a video or of sound says. Nothing is decoded.
  static func videoFacts(_ file: borrowing PictureFile) throws(Refusal) -> FileFacts {
    let video = try OpenVideo(file, showing: false)
    return withExtendedLifetime(video) { facts(video.pointer) }
  }

  private static func facts(_ video: UnsafePointer<video>) -> FileFacts {
    func first<Value>(_ names: [String], _ read: ([UInt8]?) -> Value?) -> Value? {
      for name in names { if let value = read(tag(name, video)) { return value } }
      return nil
    }
    var facts = FileFacts()
    let length = Int(video_milliseconds(video))
    if length > 0 { facts.duration = length }
    (facts.codecs, facts.hasSound) = codecs(video)
    let time = first(["com.apple.quicktime.creationdate", "creation_time"], FactTime.init(ofContainer:))
    (facts.takenAt, facts.offset) = (time?.text, time?.offset)
    let coordinates = first(["com.apple.quicktime.location.ISO6709", "location"]) { bytes in
      bytes.flatMap { Coordinates(iso6709: String(decoding: $0, as: UTF8.self)) }
    }
    (facts.latitude, facts.longitude) = (coordinates?.latitude, coordinates?.longitude)
    facts.camera = FactText.camera(
      make: tag("com.apple.quicktime.make", video) ?? tag("make", video),
      model: tag("com.apple.quicktime.model", video) ?? tag("model", video))
    facts.artist = first(["com.apple.quicktime.artist", "artist", "author"]) { FactText.text($0) }
    facts.copyright = first(["com.apple.quicktime.copyright", "copyright"]) { FactText.text($0) }
    facts.caption = first(
      ["com.apple.quicktime.description", "description", "com.apple.quicktime.title", "title"], FactText.caption)
    return facts
  }

  private static func tag(_ name: String, _ video: UnsafePointer<video>) -> [UInt8]? {
    video_tag(video, name).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  private static func codecs(_ video: UnsafePointer<video>) -> (names: [String], hasSound: Bool) {
    var (names, hasSound): ([String], Bool) = ([], false)
    for index in 0..<video.pointee.format.pointee.nb_streams {
      var isSound: Int32 = 0
      guard let codec = video_codec(video, index, &isSound).map({ String(cString: $0) }) else { continue }
      hasSound = hasSound || isSound != 0
      if names.count < mostCodecs, !names.contains(codec) { names.append(codec) }
    }
    return (names, hasSound)
  }
}

extension FactTime {
  /// A time of a container. Recorders without a clock write the beginning of their calendar.
  fileprivate init?(ofContainer bytes: [UInt8]?) {
    self.init(bytes)
    if text.hasPrefix("1904-01-01") || text.hasPrefix("1970-01-01") { return nil }
  }
}
