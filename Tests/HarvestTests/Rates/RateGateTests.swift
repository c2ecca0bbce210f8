import Foundation
import HTTP
import SQLite
import Synchronization
import Testing

@testable import Harvest
@testable import Storage

@Suite(.timeLimit(.minutes(10))) struct RateGateTests {
  private let library: TestLibrary
  private let page = Request(.get, "https://birds.example/api/v1/timelines/tag/cats?max_id=7")

  init() throws { library = try TestLibrary() }

  private func gate(_ rank: RateRank = .interactive, store: Store? = nil) -> RateGate {
    RateGate(store: store ?? library.store, rank: rank, time: library.clock.timekeeper)
  }

  /// Two harvests and a list, each with its own connection to the library: all send until they must wait.
  @Test func `three processes together never ask more than is allowed, and the list finds a reserve`() async throws {
    let server = SharedServer(limit: 300, window: 900, clock: library.clock)
    for _ in 1...3 {
      let (cats, dogs) = try (asker(.background, server), asker(.background, server))
      let list = try asker(.interactive, server)
      async let few = list.ask(20)
      async let many = cats.ask(400)
      async let more = dogs.ask(400)
      #expect(await few == 20, "a list is never held back by harvests")
      let harvested = await (many, more)
      #expect(harvested.0 + harvested.1 >= 200, "what is there is used")
      #expect(await list.ask(5) == 5, "and there is a reserve for it when they have taken all they may")
      #expect(server.current.turnedAway == 0)
      #expect(server.current.left >= 1)
      for asker in [cats, dogs, list] { await asker.gate.giveBack() }
      library.clock.pass(901)
    }
  }

  private func asker(_ rank: RateRank, _ server: SharedServer) throws -> Asker {
    let store = try Store.open(library: library.folder, now: noon)
    return Asker(gate: gate(rank, store: store), hosts: server.hosts, page: page)
  }

  @Test func `a picture is asked for while a page waits for another process that writes`() async throws {
    let server = SharedServer(limit: 300, window: 900, clock: library.clock)
    let gate = gate()
    // Its answer names a limit, so that the next request needs a lease from the library.
    _ = try await gate.guarding(server.hosts.transport).send(page)
    let other = try Connections("\(library.folder)/media.sqlite", .asItIs)
    try other.use { try $0.execute("BEGIN IMMEDIATE") }
    let isAnswered = Mutex(false)
    async let answer = {
      let answer = try await gate.guarding(server.hosts.transport).send(page)
      isAnswered.withLock { $0 = true }
      return answer
    }()
    try await Task.sleep(for: .milliseconds(100))
    let files = Hosts { _ in Response(status: 200) }
    let picture = Request(.get, "https://files.example/1.jpeg")
    _ = try await gate.guarding(files.transport).download(picture, PictureSink(library.blobs.draft()))
    #expect(!isAnswered.withLock { $0 })
    try other.use { try $0.execute("ROLLBACK") }
    #expect(try await answer.status == 200)
  }

  /// As many requests wait for the ledger as there are threads for tasks, and one more task runs beside them.
  @Test func `no request leaves before its reservation, and none blocks the threads of tasks`() async throws {
    let server = SharedServer(limit: 300, window: 900, clock: library.clock)
    let hosts = server.hosts
    _ = try await gate().guarding(hosts.transport).send(page)
    let other = try Connections("\(library.folder)/media.sqlite", .asItIs)
    try other.use { try $0.execute("BEGIN IMMEDIATE") }
    let gates = (0..<(2 * ProcessInfo.processInfo.activeProcessorCount)).map { _ in gate() }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for gate in gates { group.addTask { try await gate.guarding(hosts.transport).send(page).status } }
      // It is scheduled behind those requests, and would run after they have given up waiting.
      await Task {}.value
      #expect(hosts.requests == 1)
      try other.use { try $0.execute("ROLLBACK") }
      for try await status in group { #expect(status == 200) }
    }
    #expect(hosts.requests == gates.count + 1)
    #expect(server.current.turnedAway == 0)
  }

  @Test func `requests of one key wait in order while the ledger is asked, and no reservation is spent twice`()
    async throws
  {
    let server = SharedServer(limit: 40, window: 900, clock: library.clock)
    let hosts = server.hosts
    let transport = gate().guarding(hosts.transport)
    _ = try await transport.send(page)
    let sent = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 { group.addTask { (try? await transport.send(page)) != nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(sent == 39)
    #expect(server.current.turnedAway == 0)
  }

  @Test func `a host that states no limit is asked as before, and nothing is written for it`() async throws {
    let hosts = Hosts { _ in Response(status: 200) }
    let gate = gate()
    let commits = try Commits(in: library)
    for _ in 0..<50 { _ = try await gate.guarding(hosts.transport).send(page) }
    await gate.giveBack()
    #expect(try !commits.grew())
    #expect(try library.store.rateBudget(of: RateKey(page, .page)) == nil)
    #expect(hosts.requests == 50)
  }

  @Test func `a limit that only the documentation names is kept by all processes together, and files do not count`()
    async throws
  {
    let hosts = Hosts { _ in Response(status: 200) }
    let askers = (0..<2).map { _ in
      let gate = RateGate(
        store: library.store, rank: .interactive, time: library.clock.timekeeper, dialect: RateDialect(hourly: 40))
      return Asker(gate: gate, hosts: hosts, page: page)
    }
    #expect(await askers[0].ask(10) == 10)
    #expect(await askers[1].ask(15) == 15)
    for asker in askers { await asker.gate.giveBack() }
    #expect(try library.store.rateBudget(of: RateKey(page, .page))?.remaining == 15)
    #expect(await askers[0].ask(400) == 15)
    let picture = Request(.get, "https://files.example/1.jpeg")
    for _ in 0..<60 {
      _ = try await askers[0].gate.guarding(hosts.transport).download(picture, PictureSink(library.blobs.draft()))
    }
    library.clock.pass(3601)
    // The first requests of a window that follows another are taken for one more than they are.
    #expect(await askers[1].ask(400) == 39)
  }

  @Test func `a hundred requests to one that does cost ten writes or so`() async throws {
    let server = SharedServer(limit: 300, window: 900, clock: library.clock)
    let asker = Asker(gate: gate(), hosts: server.hosts, page: page)
    let commits = try Commits(in: library)
    var writes = 0
    for _ in 0..<100 {
      #expect(await asker.ask(1) == 1)
      if try commits.grew() { writes += 1 }
    }
    #expect((10...12).contains(writes))
    await asker.gate.giveBack()
    let left = try library.store.rateBudget(of: RateKey(page, .page))
    #expect((left?.remaining, left?.held) == (server.current.left, 0))
  }

  @Test func `requests that a killed process took are not available until the window ends`() async throws {
    let server = SharedServer(limit: 300, window: 900, clock: library.clock)
    #expect(await Asker(gate: gate(), hosts: server.hosts, page: page).ask(2) == 2)
    let next = Asker(gate: gate(), hosts: server.hosts, page: page)
    #expect(await next.ask(400) == 289)
    #expect(server.current.left == 9)
    library.clock.pass(901)
    #expect(await next.ask(400) == 300)
    #expect(server.current.turnedAway == 0)
  }

  @Test func `429 closes the host for other processes until its time`() async throws {
    let hosts = Hosts { _ in Response(status: 429, headers: ["Retry-After": "600"]) }
    #expect(try await gate().guarding(hosts.transport).send(page).status == 429)
    let until = noon.addingTimeInterval(600)
    await #expect(throws: TransportError.rateLimited(host: "birds.example", until: until, asked: noon)) {
      try await gate().guarding(hosts.transport).send(page)
    }
    #expect(hosts.requests == 1)
    var others = [page, page]
    others[0].token = Secret("a token")
    others[1].url = "https://cats.example/"
    for other in others { #expect(try await gate().guarding(hosts.transport).send(other).status == 429) }
    library.clock.pass(600)
    #expect(try await gate().guarding(hosts.transport).send(page).status == 429)
  }

  @Test func `a limit that is no longer stated is forgotten`() async throws {
    let isTold = Mutex(true)
    let limits: Headers = ["X-RateLimit-Limit": "20", "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "60"]
    let hosts = Hosts { _ in Response(status: 200, headers: isTold.withLock { $0 } ? limits : [:]) }
    let asker = Asker(gate: gate(.background), hosts: hosts, page: page)
    #expect(await asker.ask(5) == 1)
    isTold.withLock { $0 = false }
    library.clock.pass(61)
    #expect(await asker.ask(50) == 50)
    #expect(try library.store.rateBudget(of: RateKey(page, .page)) == nil)
  }

  @Test func `an answer that does not state the limit is not counted against it`() async throws {
    let limits: Headers = ["X-RateLimit-Limit": "30", "X-RateLimit-Remaining": "20", "X-RateLimit-Reset": "600"]
    let hosts = Hosts { Response(status: 200, headers: $0.url.hasSuffix("counted") ? limits : [:]) }
    let transport = gate().guarding(hosts.transport)
    _ = try await transport.send(Request(.get, "https://birds.example/counted"))
    for number in 0..<100 { _ = try await transport.send(Request(.get, "https://birds.example/\(number)")) }
    #expect(hosts.requests == 101)
  }

  @Test func `an error with a limit beside it holds nothing back, as a probe either`() async throws {
    let limits: Headers = ["X-RateLimit-Limit": "30", "X-RateLimit-Remaining": "2", "X-RateLimit-Reset": "60"]
    let status = Mutex(500)
    let hosts = Hosts { _ in Response(status: status.withLock { $0 }, headers: limits) }
    let transport = gate().guarding(hosts.transport)
    for next in [500, 404, 200] {
      status.withLock { $0 = next }
      for _ in 0..<2 { #expect(try await transport.send(page).status == next) }
    }
    library.clock.pass(61)
    for next in [404, 500, 404, 200] {
      status.withLock { $0 = next }
      for _ in 0..<2 { #expect(try await transport.send(page).status == next) }
    }
  }

  @Test func `pictures are counted only where their host counts them, and apart from pages`() async throws {
    let server = SharedServer(limit: 30, window: 600, clock: library.clock)
    let gate = gate()
    let transport = gate.guarding(server.hosts.transport)
    var (came, held) = (0, 0)
    for _ in 0..<50 {
      do {
        _ = try await transport.download(Request(.get, "https://birds.example/media_proxy/1"), NoSink())
        came += 1
      } catch { held += 1 }
    }
    #expect((came, held, server.current.turnedAway) == (30, 20, 0))
    #expect(try library.store.rateBudget(of: RateKey(page, .page)) == nil)
  }

  @Test func `an answer from another host after a redirect says nothing about this one`() async throws {
    let spent: Headers = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "600"]
    let hosts = Hosts { _ in Response(status: 200, headers: spent, url: "https://files.example/1.png") }
    let transport = gate().guarding(hosts.transport)
    for _ in 0..<3 { #expect(try await transport.send(page).status == 200) }
  }

  @Test func `a token's limit stands in the library without the token`() async throws {
    let server = SharedServer(limit: 300, window: 900, clock: library.clock)
    var mine = page
    mine.token = Secret("scripted-token")
    _ = try await gate().guarding(server.hosts.transport).send(mine)
    let key = RateKey(mine, .page)
    #expect(try library.store.rateBudget(of: key) != nil)
    #expect(key.login.count == 16 && !"scripted-token".contains(key.login))
    #expect(key != RateKey(page, .page))
  }

  @Test func `a library that is gone holds nothing up: this process keeps its own account`() async throws {
    let server = SharedServer(limit: 30, window: 900, clock: library.clock)
    let store = try Store.open(library: library.folder, now: noon)
    store.close()
    let asker = Asker(gate: gate(store: store), hosts: server.hosts, page: page)
    #expect(await asker.ask(100) == 30)
    #expect(server.current.turnedAway == 0)
  }

  @Test func `patience waits a short while for the window's end, and a retry is counted`() async throws {
    let server = SharedServer(limit: 4, window: 120, clock: library.clock)
    let patient = gate().guarding(server.hosts.transport).patient(time: library.clock.timekeeper)
    for _ in 0..<10 { #expect(try await patient.send(page).status == 200) }
    #expect((server.current.turnedAway, server.current.served) == (0, 10))
    #expect(library.clock.timekeeper.now().timeIntervalSince(noon) < 300)
  }
}

/// A counting server, shared by all clients.
private final class SharedServer: Sendable {
  private let state: Mutex<CountingServer>
  private let clock: MadeUpClock

  init(limit: Int, window: TimeInterval, clock: MadeUpClock) {
    state = Mutex(CountingServer(limit: limit, window: window))
    self.clock = clock
  }

  var current: CountingServer { state.withLock { $0 } }

  var hosts: Hosts {
    Hosts { [self] _ in state.withLock { $0.answer(at: clock.timekeeper.now()) } }
  }
}

/// A process that sends requests.
private final class Asker: Sendable {
  let gate: RateGate
  private let transport: Transport
  private let page: Request

  init(gate: RateGate, hosts: Hosts, page: Request) {
    self.gate = gate
    transport = gate.guarding(hosts.transport)
    self.page = page
  }

  /// Sends up to `times` requests, one after another, until it must wait for longer than a moment. Returns their number.
  func ask(_ times: Int) async -> Int {
    var count = 0
    while count < times {
      do {
        _ = try await transport.send(page)
        count += 1
      } catch .rateLimited(_, let until, let asked) {
        guard until.timeIntervalSince(asked) < 1 else { break }
        await Task.yield()
      } catch {
        break
      }
    }
    return count
  }
}

private final class NoSink: ByteSink {
  func begin(_ head: Response) -> Bool { true }
  func write(_ bytes: UnsafeRawBufferPointer) throws {}
}

/// Detects writes to the library.
private final class Commits {
  private let looker: Connections
  private var last: Int?

  init(in library: TestLibrary) throws {
    looker = try Connections("\(library.folder)/media.sqlite", .asItIs)
    _ = try grew()
  }

  func grew() throws -> Bool {
    let version = try looker.read { try $0.value("PRAGMA data_version") as Int? }
    defer { last = version }
    return version != last
  }
}
