import HTTP
import Synchronization
import Testing

@testable import Harvest
@testable import Storage

struct SeenPicturesTests {
  @Test func `a picture that is asked for again is fetched once, unless its address or owner differs`() async throws {
    let library = try TestLibrary()
    let asked = Mutex<[String]>([])
    let transport = Transport(send: { _ throws(TransportError) in throw .invalidURL }) {
      request, _ throws(TransportError) in
      asked.withLock { $0.append(request.url) }
      throw .invalidURL
    }
    let fetcher = PictureFetcher(
      transport: transport, blobs: library.blobs, store: library.store, time: MadeUpClock().timekeeper, parallel: 1)
    let owned: [(PictureOwner, String)] = [
      (.avatar(1), "old"), (.avatar(1), "old"), (.avatar(1), "new"), (.avatar(2), "old"), (.attachment(1), "old"),
    ]
    let (tasks, found) = AsyncStream.makeStream(of: PictureTask.self)
    for (owner, name) in owned {
      let url = "https://\(name).example/face.jpg"
      found.yield(PictureTask(owner: owner, kind: .image, urls: [url], post: nil, server: nil))
    }
    found.finish()
    _ = await fetcher.run(tasks) { _ in }
    let old = "https://old.example/face.jpg"
    #expect(asked.withLock { $0.sorted() } == ["https://new.example/face.jpg", old, old, old])
  }
}
