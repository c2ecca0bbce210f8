import Blobs
import Posts
import Storage

extension PictureTask {
  /// Its kind, if its source or its address says it.
  var knownKind: FileLimits.Kind? { FileLimits.Kind(kind, addresses: urls) }

  /// Which limit leaves it out before anything is requested.
  var limitBeforeRequest: FileLimits.Limit? { limits.wants(knownKind) ? nil : .kind }
}

extension MediaHeader {
  /// The kind that its bytes show.
  var limitedKind: FileLimits.Kind { type == .ogg ? .audio : FileLimits.Kind(kind) }
}

/// The bounds of one download: what of it is counted, and which limit it exceeds.
///
/// It lives under the lock of a sink.
struct FileBounds {
  private let limits: FileLimits
  /// Whether only the bytes tell the kind, and it matters.
  private let asksKind: Bool
  private let total: TotalLimit?
  private var head: [UInt8] = []
  private var isKindKnown = false
  /// The bytes of this answer, those that are set aside for it, and those of all answers.
  private var (came, held): (Int64, Int64) = (0, 0)
  private(set) var exceeded: FileLimits.Limit?

  /// As many first bytes as a type is detected from.
  private static let headLength = 4096
  /// With so many a detected type stands.
  private static let enough = 512

  /// No bounds.
  init() { (limits, asksKind, total) = (FileLimits(), false, nil) }

  init(of task: PictureTask, total: TotalLimit) {
    limits = task.limits
    let isFile = if case .attachment = task.owner { true } else { false }
    asksKind = isFile && limits.only != nil && task.knownKind == nil
    self.total = isFile ? total : nil
  }

  /// An answer begins. Returns whether it may.
  mutating func begin(announced: Int?) -> Bool {
    end()
    (head, isKindKnown, came, held, exceeded) = ([], false, 0, 0, nil)
    guard let announced = announced.map(Int64.init), announced > 0 else { return true }
    if let most = limits.maxSize, announced > most { return exceed(.size) }
    guard total?.take(announced) ?? true else { return exceed(.total) }
    held = announced
    return true
  }

  /// Counts bytes as they come. Returns whether they may.
  mutating func count(_ bytes: UnsafeRawBufferPointer) -> Bool {
    came += Int64(bytes.count)
    if let most = limits.maxSize, came > most { return exceed(.size) }
    if came > held {
      guard total?.take(came - held) ?? true else { return exceed(.total) }
      held = came
    }
    guard asksKind, !isKindKnown else { return true }
    head += bytes.prefix(Self.headLength - head.count)
    let header = MediaHeader(of: head)
    isKindKnown = head.count == Self.headLength || head.count >= Self.enough && header.type != nil
    return isKindKnown && !limits.wants(header.limitedKind) ? exceed(.kind) : true
  }

  /// Whether a whole file is left out because of its kind.
  func leavesOut(_ header: MediaHeader) -> Bool { asksKind && !limits.wants(header.limitedKind) }

  /// The answer ended. What did not come of it is no longer set aside.
  mutating func end() {
    total?.giveBack(max(0, held - came))
    held = min(held, came)
  }

  private mutating func exceed(_ limit: FileLimits.Limit) -> Bool {
    exceeded = limit
    return false
  }
}
