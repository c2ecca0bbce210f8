import Testing

@testable import Pictures

struct ProgramTests {
  @Test func `the program beside is taken before one on PATH, and the current folder never`() throws {
    let (beside, onPath) = (try Album(), try Album())
    _ = try onPath.script("exit")
    let environment = ["PATH": "::relative:/nonexistent:\(onPath.path)"]
    #expect(try PictureProgram.find(environment, beside: beside.path) == "\(onPath.path)/media-picture")
    _ = try beside.script("exit")
    #expect(try PictureProgram.find(environment, beside: beside.path) == "\(beside.path)/media-picture")
    #expect(throws: DrawingFailure.unavailable("media-picture, which draws them, is neither beside media nor on PATH"))
    {
      try PictureProgram.find(["PATH": ""], beside: nil)
    }
  }
}
