import Foundation
import ScriptedOrigin
import Testing

/// Libraries and planner entries that leave by `media export`.
@Suite(.timeLimit(.minutes(10))) struct TransferTests {
  @Test func `planner entries leave as a diary and as a calendar`() async throws {
    let sandbox = try Sandbox()
    let times = ["--at", "1974-09-05T08:00:00Z", "--until", "1974-09-05T10:46:40Z"]
    _ = try await sandbox.run(["add", "Описание моего дела", "--title", "My task"] + times)
    let diary = try await sandbox.media("export", "--format", "diary")
    let entry =
      #"{"id":1,"date_start":"147600000","date_finish":"147610000","name":"My task","description":"Описание моего дела"}"#
    #expect(diary.output == "[\n\(entry)\n]\n")
    let calendar = try await sandbox.media("export", "--format", "ics").output
    #expect(calendar.contains("\r\nDTSTART:19740905T080000Z\r\nDTEND:19740905T104640Z\r\nSUMMARY:My task\r\n"))
    expect(try await sandbox.media("export", "--format", "ics", "--raw"), fails: 64, saying: "--raw and --blobs")
  }

  @Test(.inFolders) func `a library is compared with another one`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.media("add", "a kingfisher")
    let other = "\(sandbox.folder)/other"
    expect(try await sandbox.media("check", "--against", other), fails: 74, saying: "no library at")
    try FileManager.default.copyItem(atPath: sandbox.library, toPath: other)
    let equal = try await sandbox.media("check", "--against", other)
    #expect(equal.status == 0 && equal.output == "The libraries are equal: 1 post\n")
    try await sandbox.media("add", "a heron", "--tag", "birds")
    try await sandbox.media("delete", "1")
    let different = try await sandbox.media("check", "--against", other)
    #expect(different.status == 1)
    #expect(different.output.contains("person differs\n") && different.output.contains(": only here\n"))
    #expect(different.errors.contains("2 differences among 2 posts"))
    expect(try await sandbox.media("check", "--against", other, "--deep"), fails: 64, saying: "--against only compares")
  }
}
