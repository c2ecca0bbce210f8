extension Phrases {
  static let spanish = Phrases(
    about: [
      .cats: ["El gato del muro me dejó sentarme cerca. Un honor.", "Dos gatos, una luna y ningún ratón."],
      .birds: ["Reunión en el cable a las cinco en punto.", "Uno siempre se sienta aparte. Como yo."],
      .sea: [
        "Ni una ola. Se oía hablar a la otra orilla.", "El último barco del día no tenía prisa.",
        "Sal en el objetivo y arena en los zapatos.",
      ],
      .mountains: [
        "Seis horas de subida para cinco minutos así. Repetiría.", "Detrás de cada cresta, otra más pálida.",
      ],
      .city: ["El río guarda otra ciudad debajo.", "Cuento las ventanas que siguen despiertas."],
      .forest: ["La niebla entró a las siete y se quedó a cenar.", "Me perdí y encontré el sitio."],
      .balloons: [
        "¡Salieron antes del desayuno, uno tras otro!", "El de rayas nos saludó, lo juro.",
        "Viento del oeste: todos hacia nuestro campo.",
      ],
      .flowers: [
        "El prado de detrás de la escuela, antes de la siega.", "Sembré en abril, olvidé en mayo, me asombré en junio.",
      ],
      .lighthouses: [
        "Un destello cada doce segundos; lo medí con el pulso.", "112 escalones. Mis rodillas los contaron.",
        "Con marea baja se llega andando.",
      ],
      .stars: ["Por fin cielo despejado, tres noches seguidas.", "Manos frías, obturador abierto."],
    ],
    asides: [
      "Mañana más.", "¿Quién más lo vio?", "Sin filtro, pura suerte.", "Mismo sitio, otra luz.",
      "Qué día tan tranquilo.",
      "El café ya está hecho.", "¡Y sin trípode!",
    ],
    alt: [
      .cats: "Un gato negro sentado de espaldas en un muro de ladrillo ante un gran disco en el cielo.",
      .birds: "Pajarillos redondos posados en cables.", .sea: "Un velero sobre el agua quieta que refleja el cielo.",
      .mountains: "Sierras una tras otra, cada vez más pálidas.",
      .city: "Edificios con ventanas encendidas reflejados en el río.",
      .forest: "Abetos entre la niebla.", .balloons: "Globos aerostáticos de rayas sobre colinas suaves.",
      .flowers: "Un prado lleno de flores.", .lighthouses: "Un faro rojo y blanco sobre una roca.",
      .stars: "Una tienda iluminada bajo las estrellas.",
    ],
    tags: [.cats: "Gatos", .sea: "Mar", .lighthouses: "Faros", .balloons: "Globos", .city: "Ciudad"],
    warning: "Sol muy brillante",
    words: ["Hoy salí sin cámara. Ya me arrepiento.", "¿Qué fotografiáis cuando llueve toda la semana?"]
  )
}
