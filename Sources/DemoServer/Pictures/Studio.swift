import CCrypto
import Dispatch

/// A picture that clients can request.
enum Subject: Hashable, Sendable {
  case art(Art, Art.Copy)
  case avatar(Int)
  case emoji

  func draw() throws(DemoServerError) -> EncodedPicture {
    switch self {
    case .art(let art, let copy):
      let size = art.size(of: copy)
      return try Encoders.encode(art.draw(width: size.width, height: size.height), as: art.format)
    case .avatar(let index): return try Encoders.encode(Avatar(index: index).draw(), as: .png)
    case .emoji: return try Encoders.encode(Emoji.draw(), as: .png)
    }
  }
}

/// A finished picture with the name of its content.
struct FinishedPicture: Sendable {
  let picture: EncodedPicture
  let tag: String

  init(_ picture: EncodedPicture) {
    self.picture = picture
    tag = "\"\(sha256(picture.bytes).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())\""
  }
}

/// The SHA-256 of some bytes (FIPS 180-4).
func sha256(_ bytes: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  crypto_shim_sha256(bytes, bytes.count, &digest)
  return digest
}

/// Draws pictures away from the event loop, a few at a time, and keeps the latest.
actor Studio {
  private static let room = 48 << 20
  private var kept: [Subject: (finished: FinishedPicture, used: Int)] = [:]
  private var held = 0
  private var uses = 0
  // Its threads are about as many as the machine has cores: drawing never waits.
  private let easels = DispatchQueue(label: "media.easels", attributes: .concurrent)

  func picture(of subject: Subject) async throws -> FinishedPicture {
    uses += 1
    if let entry = kept[subject] {
      kept[subject] = (entry.finished, uses)
      return entry.finished
    }
    let finished = try await draw(subject)
    keep(finished, for: subject)
    return finished
  }

  private func draw(_ subject: Subject) async throws -> FinishedPicture {
    try await withCheckedThrowingContinuation { continuation in
      easels.async {
        continuation.resume(with: Result { FinishedPicture(try subject.draw()) })
      }
    }
  }

  private func keep(_ finished: FinishedPicture, for subject: Subject) {
    guard kept[subject] == nil else { return }
    kept[subject] = (finished, uses)
    held += finished.picture.bytes.count
    while held > Studio.room, let oldest = kept.min(by: { $0.value.used < $1.value.used }) {
      kept[oldest.key] = nil
      held -= oldest.value.finished.picture.bytes.count
    }
  }
}
