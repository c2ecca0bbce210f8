import Foundation
import Testing

@testable import Transfer

/// What extractors write, line by line.
struct ExtractedLinesTests {
  /// Posts in short: whether each is described by itself, and its files.
  private func read(_ lines: [String], by reader: any ExtractedLines) -> [String] {
    var reader = reader
    let posts = lines.flatMap { reader.read(Array($0.utf8)) } + reader.end()
    return posts.map { post in
      let files = post.files.map {
        "\(String(decoding: $0.raw, as: UTF8.self).count) \($0.address ?? "-") \($0.path ?? "-")"
      }
      return "\(post.raw == nil ? "" : "described: ")\(files.joined(separator: ", "))"
    }
  }

  private let post = #"{"category":"site","id":1}"#
  private let file = #"{"category":"site","id":1,"num":1}"#

  @Test func `gallery-dl describes a post, then each file, its address, and where it lies`() {
    let lines = [
      post, file, #"{"_url":"https://a/1"}"#, #"{"_path":"/s/1"}"#, file, #"{"_url":"https://a/2"}"#, #"{"count":2}"#,
      post, #"{"count":0}"#,
    ]
    #expect(
      read(lines, by: GalleryDLLines()) == ["described: 34 https://a/1 /s/1, 34 https://a/2 -", "described: "])
  }

  @Test func `versions that do not say where a post ends are read alike`() {
    let lines = [
      post, file, #"{"_url":"https://a/1"}"#, #"{"_path":"/s/1"}"#, post, file, #"{"_url":"https://a/2"}"#,
      #"{"_path":"/s/2"}"#, post,
    ]
    #expect(
      read(lines, by: GalleryDLLines()) == [
        "described: 34 https://a/1 /s/1", "described: 34 https://a/2 /s/2", "described: ",
      ])
  }

  @Test func `what is no line of gallery-dl breaks nothing`() {
    let lines = [
      "", "garbage", #"{"_path":"/etc/passwd"}"#, "[1,2]", #"{"_url":"https://a/1"}"#, #"{"_path":7}"#, "{}", file, "{",
    ]
    #expect(read(lines, by: GalleryDLLines()) == ["22 https://a/1 -", "described: "])
  }

  @Test func `yt-dlp describes a video, then says where it lies`() {
    let video = #"{"id":"a","extractor_key":"Youtube"}"#
    let lines = [
      video, #"{"filepath":"/s/a.mp4"}"#, #"{"filepath":"/s/b.mp4"}"#, "garbage", video, video,
      #"{"filepath":"/s/c.mp4"}"#,
    ]
    #expect(read(lines, by: YtDlpLines()) == ["36 - /s/a.mp4", "36 - /s/c.mp4"])
  }
}
