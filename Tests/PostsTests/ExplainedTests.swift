import Posts
import Testing

struct ExplainedTests {
  private struct Trouble: ExplainedError {
    var summary = "the tea is cold"
    var cure: String?
    var exitCode = ExitCode.partial
  }

  @Test func `an error is described in one line, with its remedy at the end`() {
    #expect(Trouble(cure: "heat it").description == "the tea is cold: heat it")
    #expect(Trouble(cure: nil).description == "the tea is cold")
  }
}
