import FoundationEssentials
import Hummingbird
import MediaLibrary
import Storage
import Web

/// What is known of the library besides its posts: tags, authors, days, feeds and numbers, as pages.
struct InsightRoutes: Sendable {
  let parts: GalleryParts
  private let months: ComputedValues<MonthsKey, [PostMonth]>
  private let positions: ComputedValues<ListAddress, [FilePosition]>
  private let statistics: ComputedValues<StatisticsQuery, LibraryStatistics>

  init(parts: GalleryParts) {
    self.parts = parts
    let position: @Sendable () async throws -> ChangePosition = {
      try await parts.read { try $0.store.changePosition() }
    }
    months = parts.months
    statistics = ComputedValues(position: position)
    // Eight bytes a file.
    positions = ComputedValues(limit: 4, position: position)
  }

  func add(to router: Router<GalleryContext>) {
    router.get("/tags") { request, _ in
      let wanted = try CountsRequest(request.fields)
      return parts.page(try await parts.read { try TagsPage(wanted, in: $0).html })
    }
    router.get("/authors") { request, _ in
      let wanted = try CountsRequest(request.fields)
      return parts.page(try await parts.read { try AuthorsPage(wanted, in: $0).html })
    }
    router.get("/calendar") { request, _ in
      let wanted = try CalendarRequest(request.fields, now: parts.now())
      return parts.page(try await calendar(wanted))
    }
    router.get("/map") { request, _ in
      // As in filters: where pictures were taken is for the owner alone.
      guard !parts.isReadOnly else { throw RequestError.privateMarks }
      let wanted = try MapRequest(request.fields)
      let positions = try await positions.value(for: wanted.list) {
        try await parts.read { try $0.store.filePositions(of: wanted.query(in: $0)) }
      }
      return parts.page(await parts.readers.next().run { MapPage(request: wanted, positions: positions).html })
    }
    router.get("/status") { request, _ in
      let span = try StatusSpan(request.fields)
      return parts.page(try await status(span))
    }
    router.get("/doctor") { _, _ in parts.page(DoctorPage(findings: try await parts.doctor.findings()).html) }
    router.get("/api/status") { _, _ in
      let now = parts.now()
      return Response(json: try await parts.read { try $0.status(at: now) })
    }
    CoverRoutes(parts: parts).add(to: router)
    addStatistics(to: router)
  }

  private func addStatistics(to router: Router<GalleryContext>) {
    router.get("/statistics") { request, _ in
      let wanted = try StatisticsRequest(request.fields)
      let now = parts.now()
      let planned = try await parts.read { try $0.store.plannedCounts(after: now) }
      return parts.page(StatisticsPage(wanted, try await read(wanted), planned: planned).html)
    }
    router.get("/statistics.csv") { request, _ in
      let wanted = try StatisticsRequest(request.fields)
      let part = try StatisticsCSV.Part(request.fields)
      return StatisticsCSV(part, of: try await read(wanted), zone: wanted.query.zone).response
    }
  }

  private func calendar(_ wanted: CalendarRequest) async throws -> HTML {
    let months = try await months.value(for: MonthsKey(list: wanted.list, showsPlanned: true)) {
      try await parts.read { try $0.store.months(of: wanted.counted(in: $0), in: wanted.zone) }
    }
    return try await parts.read { [canAdd = !parts.isReadOnly] in
      try MonthPage(wanted, months: months, canAdd: canAdd, in: $0).html
    }
  }

  private func status(_ span: StatusSpan) async throws -> HTML {
    let now = parts.now()
    return try await parts.read { [isReadOnly = parts.isReadOnly] in
      StatusPage(try StatusReading(of: $0, span: span, now: now), isReadOnly: isReadOnly).html
    }
  }

  private func read(_ wanted: StatisticsRequest) async throws -> LibraryStatistics {
    try await statistics.value(for: wanted.query) {
      try await parts.read { try $0.store.statistics(wanted.query) }
    }
  }
}
