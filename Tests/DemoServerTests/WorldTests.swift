import Foundation
import Testing

@testable import DemoServer

@Suite struct WorldTests {
  private func world(_ count: Int = 400, seed: UInt64 = 1) -> World {
    World(count: count, seed: seed, start: Clockwork.start)
  }

  private func originals(_ world: World) -> [DemoPost] {
    world.ids(on: .tag("demo")).compactMap { world.posts[$0] }
  }

  @Test(arguments: [0, 1, 37, 400, 2_000])
  func `the common tag holds exactly as many posts as were asked for`(count: Int) {
    let posts = originals(world(count))
    #expect(posts.count == count)
    #expect(posts.allSatisfy { $0.boosts == nil && $0.tags.contains("demo") })
  }

  @Test func `the same seed makes the same world, and another seed another one`() {
    #expect(originals(world()) == originals(world()))
    #expect(originals(world()).map(\.caption) != originals(world(seed: 2)).map(\.caption))
  }

  @Test func `a later start moves the times and nothing else`() {
    let later = World(count: 50, seed: 1, start: Clockwork.start.addingTimeInterval(86_400 * 3))
    let (one, two) = (originals(world(50)), originals(later))
    #expect(one.map(\.caption) == two.map(\.caption))
    #expect(one.map { $0.pictures.map(\.art) } == two.map { $0.pictures.map(\.art) })
    #expect(one.map(\.createdAt) != two.map(\.createdAt))
  }

  @Test func `posts lie in the last weeks, the newest a few minutes old`() throws {
    let times = originals(world()).map(\.createdAt)
    #expect(times == times.sorted())
    let newest = Clockwork.start.timeIntervalSince(try #require(times.last))
    let oldest = Clockwork.start.timeIntervalSince(try #require(times.first))
    #expect((60...600).contains(newest))
    #expect((14.0...60.0).contains(oldest / 86_400))
  }

  @Test func `the story has everything that pulling must cope with`() {
    let posts = originals(world())
    let pictures = posts.flatMap(\.pictures)
    #expect(Set(posts.map { $0.pictures.count }) == [0, 1, 2, 3, 4])
    #expect(Set(posts.map(\.person.language)) == ["en", "de", "es", "ar", "he", "ja"])
    #expect(Set(pictures.map(\.art.format)) == Set(PictureFormat.allCases))
    #expect(posts.contains { $0.person.host != nil } && posts.contains { $0.person.host == nil })
    #expect(posts.contains { !$0.warning.isEmpty } && posts.contains { $0.caption.plain.contains(":blobcat:") })
    #expect(pictures.contains { $0.alt == nil })
    #expect(Set(pictures.map(\.art)).count < pictures.count)
    #expect(Set(pictures.map(\.id)).count == pictures.count)
    for kind in ["mention", "link"] {
      #expect(posts.contains { $0.caption.parts.contains { "\($0)".hasPrefix(kind) } }, "\(kind)")
    }
  }

  @Test func `boosts stand on public, personal and lesser tag timelines, never on the common one`() {
    let world = world()
    let boosts = world.posts.values.filter { $0.boosts != nil }
    #expect((4...24).contains(boosts.count))
    for boost in boosts {
      #expect(world.ids(on: .everything).contains(boost.id))
      #expect(world.ids(on: .person(boost.author)).contains(boost.id))
      #expect(!world.ids(on: .tag("demo")).contains(boost.id))
      #expect(boost.createdAt > world.original(of: boost).createdAt)
    }
  }

  @Test func `an edit keeps what was said before`() throws {
    var world = world(20)
    let id = try #require(world.ids(on: .tag("demo")).last)
    let before = try #require(world.posts[id])
    var dice = Dice(seed: 1)
    world.edit(id, at: Clockwork.start, &dice)
    let after = try #require(world.posts[id])
    #expect(after.caption != before.caption)
    #expect(after.editedAt == Clockwork.start)
    #expect(after.history.map(\.caption) == [before.caption])
    #expect(after.tags == before.tags)
  }

  @Test func `a deleted post takes its boosts with it`() throws {
    var world = world()
    let boost = try #require(world.posts.values.first { $0.boosts != nil })
    let original = world.original(of: boost)
    world.delete(original.id, at: Clockwork.start)
    #expect(world.posts[boost.id] == nil && world.posts[original.id] == nil)
    #expect(originals(world).count == 399)
    #expect(!world.ids(on: .person(boost.author)).contains(boost.id))
  }

  @Test func `what happens to posts is told in its order`() throws {
    var world = world(20)
    #expect(world.events.map(\.post.id) == world.ids(on: .tag("demo")))
    let (now, id) = (Clockwork.start, try #require(world.ids(on: .tag("demo")).last))
    let new = world.write(at: now.addingTimeInterval(1))
    world.edit(id, to: Caption(typed: "again"), at: now.addingTimeInterval(2), renumbering: false)
    world.delete(id, at: now.addingTimeInterval(3))
    world.delete(id, at: now.addingTimeInterval(4))
    let told = world.events.dropFirst(20)
    #expect(told.map(\.kind) == [.create, .update, .delete])
    #expect(told.map(\.post.id) == [new.id, id, id])
    #expect(told.map { $0.time.timeIntervalSince(now) } == [1, 2, 3])
    #expect(told.last?.post.caption.plain == "again")
    var quiet = World(count: 20, seed: 1, start: now, keepsEvents: false)
    quiet.delete(id, at: now)
    #expect(quiet.posts[id] == nil && quiet.events.isEmpty)
  }

  @Test func `people have distinct handles and can be found by them`() {
    #expect(Set(Person.everyone.map(\.acct)).count == Person.everyone.count)
    for person in Person.everyone { #expect(Person.named("@" + person.acct)?.id == person.id) }
    #expect(Person.with(id: "1000") == nil && Person.with(id: "9999") == nil && Person.with(id: "x") == nil)
  }
}
