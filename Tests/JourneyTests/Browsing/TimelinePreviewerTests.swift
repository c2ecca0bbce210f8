import Synchronization
import Testing

@testable import media

/// Timeline previews while a name is typed.
@Suite(.timeLimit(.minutes(10))) struct TimelinePreviewerTests {
  /// The requested previews.
  private final class Previews: Sendable {
    private let state = Mutex((underWay: 0, most: 0, begun: [String]()))

    var counts: (underWay: Int, most: Int, begun: [String]) { state.withLock { $0 } }

    func begin(_ text: String) {
      state.withLock { state in
        state.underWay += 1
        state.most = max(state.most, state.underWay)
        state.begun.append(text)
      }
    }

    func end() { state.withLock { $0.underWay -= 1 } }
  }

  @Test func `one request is in flight, whatever is typed meanwhile, and the last one is answered`() async {
    let (asks, desk) = AsyncStream.makeStream(of: String.self)
    let previews = Previews()
    let (begun, requests) = AsyncStream.makeStream(of: String.self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await TimelinePreviewer.follow(asks) { text in
          previews.begin(text)
          requests.yield(text)
          // A server that does not answer: the preview lasts until shortly after its cancellation.
          let (never, _) = AsyncStream.makeStream(of: Void.self)
          for await _ in never {}
          for _ in 0..<10 { await Task.yield() }
          previews.end()
        }
      }
      var names = ["@a", "@ab", "@abc"].makeIterator()
      desk.yield(names.next() ?? "")
      for await _ in begun {
        guard let next = names.next() else { break }
        desk.yield(next)
      }
      desk.finish()
    }
    #expect(previews.counts.begun == ["@a", "@ab", "@abc"])
    #expect(previews.counts.most == 1 && previews.counts.underWay == 0)
  }
}
