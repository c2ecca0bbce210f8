import FoundationEssentials

extension ChangeHub.Event {
  /// How far a job has come.
  init(_ job: Job) {
    let data = (try? JSONEncoder().encode(job)) ?? Data()
    self.init(id: nil, name: "job", data: String(decoding: data, as: UTF8.self))
  }
}
