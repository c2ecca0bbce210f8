import Browse
import Machine
import MediaLibrary

/// Reads for the calendar. A request replaces one that is not answered yet.
struct CalendarReader: Sendable {
  private let library: Library
  private let state: BrowsingState
  private let eventQueue: ScreenEventQueue
  private let work = BlockingExecutor("calendar")
  private let requests: AsyncStream<CalendarRequest>
  private let continuation: AsyncStream<CalendarRequest>.Continuation

  init(library: Library, state: BrowsingState, eventQueue: ScreenEventQueue) {
    (self.library, self.state, self.eventQueue) = (library, state, eventQueue)
    (requests, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func ask(_ ask: CalendarRequest) { continuation.yield(ask) }

  /// Answers until the task is cancelled.
  func answer() async {
    for await ask in requests {
      var query = state.shown.query
      // A calendar shows what is planned.
      query.planned = .included
      do {
        let answer = try await work.run { [library, query] in
          let days = try library.store.overlaps(of: query, within: ask.days)
          let hours = try library.store.overlaps(of: query, within: ask.hours, atMost: ask.rows)
          return CalendarAnswer(
            days: zip(ask.days, days).map { CalendarReading($0, $1) },
            hours: zip(ask.hours, hours).map { CalendarReading($0, $1) })
        }
        eventQueue.post(.calendar(answer))
      } catch {
        eventQueue.post(.problem(ListMessage.of(error)))
      }
    }
  }
}
