import Folders
import Testing

/// Runs tests below a ceiling on memory that the kernel holds them to.
struct CeilingTrait: SuiteTrait, TestTrait, TestScoping {
  func provideScope(for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void)
    async throws
  {
    try await Ceiling.during(body)
  }
}

extension Trait where Self == CeilingTrait {
  static var ceiling: Self { Self() }
}
