// The origin of `Scripts/faults shared`: made-up feeds, whose limit is real.
//
//     scripted-origin ADDRESS PORT SEED FEEDS RATE LIMIT WINDOW
//
// Each feed is a tag. RATE posts a second are written from the line "write" until the line "stop". LIMIT requests of the
// interface are answered in WINDOW seconds. It answers the line "all" by everything that it has shown, and others by counts.

import DemoServer
import Foundation
import ScriptedOrigin

let given = CommandLine.arguments.dropFirst()
let numbers = given.dropFirst().compactMap(Double.init)
guard let address = given.first, numbers.count == 6 else { exit(64) }
let (port, rate) = (Int(numbers[0]), numbers[3])

var script = Script()
script.budget = Budget(Int(numbers[4]), in: numbers[5])
let feeds = Feeds(seed: UInt64(numbers[1]), count: Int(numbers[2]), script: &script)

@Sendable func say(_ answer: JSON) { FileHandle.standardOutput.write(Data(answer.bytes + [UInt8(ascii: "\n")])) }

let lines = AsyncStream<String> { lines in
  // Reading blocks.
  Thread.detachNewThread {
    while let line = readLine() { lines.yield(line) }
    lines.finish()
  }
}

try await withOrigin(script, at: address, port: port) { [feeds] origin in
  var writing: Task<Void, any Error>?
  say(["url": .text(origin.url)])
  for await line in lines {
    if line == "write" {
      writing = Task {
        var feeds = feeds
        while true {
          try await Task.sleep(for: .seconds(-log(.random(in: 0.000_001..<1)) / rate))
          let posts = feeds.arrivals()
          origin.change { $0.posts.insert(contentsOf: posts, at: 0) }
        }
      }
    }
    if line == "stop" {
      writing?.cancel()
      _ = await writing?.result
    }
    say(line == "all" ? origin.shown(of: feeds.names) : origin.counts)
  }
  writing?.cancel()
}
