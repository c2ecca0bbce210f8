/// What a post is about; its raw value is also the tag it carries.
enum Topic: String, CaseIterable, Sendable {
  case cats, birds, sea, mountains, city, forest, balloons, flowers, lighthouses, stars
}
