import HTTP
import Harvest
import Posts
import Storage
import Terminal

/// Builds downloads of pictures.
struct PictureFactory: Sendable {
  let transports: TransportFactory
  let library: LibraryOpener
  let settings: LibrarySettings
  let time: TimeSource

  /// Fetches the pictures of posts of a library.
  func fetcher(_ transport: Transport, into store: Store) -> PictureFetcher {
    PictureFetcher(
      transport: transport, blobs: library.blobs, store: store, time: time,
      directory: settings.directories.documents)
  }

  /// Pulls only pictures.
  func pull(
    into store: Store, rank: RateRank = .interactive, metered meter: TrafficMeter? = nil,
    onWait: @escaping @Sendable (SafeText) -> Void
  ) -> PicturePull {
    let rates = RateGate(store: store, rank: rank, time: time)
    let (transport, _) = transports.pullTransport(rates: rates, metered: meter, onWait: onWait)
    return PicturePull(
      store: store, pictures: fetcher(transport, into: store), lock: library.pictureLock, time: time, rates: rates)
  }
}
