/// The hour of a scene: every colour in a picture comes from here, so that its parts belong together.
struct Light: Sendable {
  /// From the top of the sky to the horizon.
  var sky: [Colour]
  /// The disc of sun or moon, and its glow.
  var disc: Colour
  /// The colour to which distance fades.
  var haze: Colour
  /// The colour of near things.
  var near: Colour
  /// Greenery and paint in this light.
  var leaf: Colour
  var isNight = false
  /// The name of the hour in an image description.
  var hour: Hour

  enum Hour: Int, CaseIterable, Sendable { case dawn, morning, day, golden, dusk, night }

  /// The light of an hour; most hours have two.
  static func at(_ hour: Hour, _ dice: inout Dice) -> Light { dice.pick(table.filter { $0.hour == hour }) }

  private static let table: [Light] = [
    Light(
      sky: [0x2b3a67, 0x8a5a83, 0xe08e79, 0xffd3a3].map(Colour.init),
      disc: Colour(0xfff0d0),
      haze: Colour(0xeab39c),
      near: Colour(0x2a2340),
      leaf: Colour(0x4d4a63),
      hour: .dawn
    ),
    Light(
      sky: [0x5b7db8, 0xa9a6d3, 0xe9bcd0, 0xffe4d6].map(Colour.init),
      disc: Colour(0xfff7ea),
      haze: Colour(0xdcc0d2),
      near: Colour(0x3a3862),
      leaf: Colour(0x566a80),
      hour: .dawn
    ),
    Light(
      sky: [0x4ea3ad, 0x94cfc8, 0xd8eed9, 0xfdf4d8].map(Colour.init),
      disc: Colour(0xfffbe6),
      haze: Colour(0xcde7da),
      near: Colour(0x1c4a4b),
      leaf: Colour(0x4f9277),
      hour: .morning
    ),
    Light(
      sky: [0x6a93b8, 0xa9c4d4, 0xdde6e4, 0xf6ecdc].map(Colour.init),
      disc: Colour(0xfffdf2),
      haze: Colour(0xcfdbdd),
      near: Colour(0x2d4557),
      leaf: Colour(0x6b8f7d),
      hour: .morning
    ),
    Light(
      sky: [0x2f7fc8, 0x6db4e4, 0xb4dcf2, 0xe8f5f8].map(Colour.init),
      disc: Colour(0xfffce0),
      haze: Colour(0xb9dbe8),
      near: Colour(0x1f5a48),
      leaf: Colour(0x5fa552),
      hour: .day
    ),
    Light(
      sky: [0x3e8e9e, 0x7cc3c4, 0xbfe3d3, 0xf3f4dc].map(Colour.init),
      disc: Colour(0xfffbe0),
      haze: Colour(0xbfded0),
      near: Colour(0x24524d),
      leaf: Colour(0x7bab55),
      hour: .day
    ),
    Light(
      sky: [0x3d6ca3, 0xa994a0, 0xf4ab62, 0xffe2a6].map(Colour.init),
      disc: Colour(0xfff4c8),
      haze: Colour(0xf2b880),
      near: Colour(0x47283a),
      leaf: Colour(0x9a7b45),
      hour: .golden
    ),
    Light(
      sky: [0x53508a, 0xc0697d, 0xf78e5c, 0xffd67f].map(Colour.init),
      disc: Colour(0xffedb0),
      haze: Colour(0xf0a071),
      near: Colour(0x3b1f3d),
      leaf: Colour(0x84603f),
      hour: .golden
    ),
    Light(
      sky: [0x17194a, 0x57317a, 0xb94f84, 0xff8f74].map(Colour.init),
      disc: Colour(0xffd9b0),
      haze: Colour(0xa8588a),
      near: Colour(0x170f30),
      leaf: Colour(0x423057),
      hour: .dusk
    ),
    Light(
      sky: [0x12304a, 0x2c6678, 0x87a498, 0xf5cf93].map(Colour.init),
      disc: Colour(0xffeec2),
      haze: Colour(0x7f9c96),
      near: Colour(0x0c222f),
      leaf: Colour(0x24494a),
      hour: .dusk
    ),
    Light(
      sky: [0x050a1c, 0x0e1c42, 0x233c70, 0x45659a].map(Colour.init),
      disc: Colour(0xf7f2dc),
      haze: Colour(0x32507f),
      near: Colour(0x050814),
      leaf: Colour(0x122238),
      isNight: true,
      hour: .night
    ),
    Light(
      sky: [0x0a0f2a, 0x251d50, 0x4a3378, 0x7f5a98].map(Colour.init),
      disc: Colour(0xfff2d8),
      haze: Colour(0x54407e),
      near: Colour(0x0a0718),
      leaf: Colour(0x221d40),
      isNight: true,
      hour: .night
    ),
  ]
}
