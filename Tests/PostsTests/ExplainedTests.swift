import Posts
import Testing

struct ExplainedTests {
  private struct Trouble: ExplainedError {
    var summary = "the tea is cold"
    var cure: String?
    var exitCode = ExitCode.partial
  }

  @Test func `an error reads as one line, its cure at the end`() {
    #expect(Trouble(cure: "heat it").description == "the tea is cold: heat it")
    #expect(Trouble(cure: nil).description == "the tea is cold")
  }
}
