// Numbers, amounts, times and dates as they are said in Spanish.
import { byScales, joined, monthNumbers, type NumberWords } from './number-words.ts'

const upToThirty = (
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete ' +
  'dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete ' +
  'veintiocho veintinueve treinta'
).split(' ')
const tens = ['', '', '', 'treinta', 'cuarenta', 'cincuenta', 'sesenta', 'setenta', 'ochenta', 'noventa']
const hundreds =
  ' ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'.split(
    ' ',
  )
const months =
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')

const beforeNoun = (said: string) => said.replace(/veintiuno$/, 'veintiún').replace(/uno$/, 'un')
const isFeminine = (noun: string) =>
  /(?:as?|ción|ciones|dad|dades|noche|noches|tarde|tardes|vez|veces|calle|llave|llaves|serie)$/iu.test(
    noun,
  ) && !/^(?:d[ií]as?|para|problemas?|programas?|sistemas?|mapas?|idiomas?)$/iu.test(noun)

const ordinals = 'primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo'.split(' ')

const cardinal: NumberWords['cardinal'] = byScales(
  [
    [1_000_000, (count) => (count === 1 ? 'un millón' : `${beforeNoun(cardinal(count))} millones`)],
    [1_000, (count) => (count === 1 ? 'mil' : `${beforeNoun(cardinal(count))} mil`)],
    [100, (count, rest) => (count === 1 && rest === 0 ? 'cien' : (hundreds[count] ?? ''))],
  ],
  (number) =>
    upToThirty[number] ??
    joined(tens[Math.floor(number / 10)], number % 10 ? `y ${upToThirty[number % 10]}` : ''),
)

export const spanishNumbers: NumberWords = {
  cardinal,
  ordinal(number, feminine) {
    const said = ordinals[number - 1] ?? cardinal(number)
    return feminine ? said.replace(/o$/, 'a') : said
  },
  counted(said, noun) {
    if (!isFeminine(noun)) return beforeNoun(said)
    return said
      .replace(/uno$/, 'una')
      .replace(/cientos(?= |$)/g, 'cientas')
      .replace(/quinientos/g, 'quinientas')
  },
  thousands: '.',
  fraction: ',',
  fractionWord: 'coma',
  percent: 'por ciento',
  minus: 'menos',
  plus: 'más',
  and: 'y',
  at: 'arroba',
  dot: 'punto',
  dash: 'guion',
  underscore: 'guion bajo',
  slash: 'barra',
  moneyJoin: 'con',
  to: 'a',
  between: 'entre',
  numberWord: 'número',
  scales: { words: ['mil', 'millón', 'millones', 'mil millones'], join: (currency) => `de ${currency}` },
  money: {
    '€|EUR': ['euro', 'euros', '', 'céntimos'],
    '$|US$|USD': ['dólar', 'dólares', '', 'centavos'],
    MXN: ['peso mexicano', 'pesos mexicanos', '', 'centavos'],
    '£': ['libra', 'libras', '', 'peniques'],
  },
  time(hours, minutes) {
    const hour = hours === 1 ? 'una' : cardinal(hours).replace(/uno$/, 'una')
    if (minutes === 0) return hour
    if (minutes === 15 && hours <= 12) return `${hour} y cuarto`
    if (minutes === 30 && hours <= 12) return `${hour} y media`
    return hours > 12
      ? `${hour} ${minutes < 10 ? 'cero ' : ''}${cardinal(minutes)}`
      : `${hour} y ${cardinal(minutes)}`
  },
  hourSigns: 'horas|hrs|h',
  halves: ['de la mañana', 'de la tarde'],
  date: (day, month, year) =>
    joined(
      day === 1 ? 'primero' : cardinal(day),
      `de ${months[month - 1] ?? ''}`,
      year ? `de ${cardinal(year)}` : '',
    ),
  months: { join: 'de', names: { ...monthNumbers(months), setiembre: 9 } },
  units: {
    km: ['kilómetro', 'kilómetros'],
    'km/h': ['kilómetro por hora', 'kilómetros por hora'],
    m: ['metro', 'metros'],
    cm: ['centímetro', 'centímetros'],
    mm: ['milímetro', 'milímetros'],
    'm²|m2': ['metro cuadrado', 'metros cuadrados'],
    kg: ['kilo', 'kilos'],
    g: ['gramo', 'gramos'],
    mg: ['miligramo', 'miligramos'],
    l: ['litro', 'litros'],
    ml: ['mililitro', 'mililitros'],
    '°C|°': ['grado', 'grados'],
    h: ['hora', 'horas'],
    min: ['minuto', 'minutos'],
    s: ['segundo', 'segundos'],
    GB: ['giga', 'gigas'],
    MB: ['mega', 'megas'],
    kWh: ['kilovatio hora', 'kilovatios hora'],
  },
  fractions: {
    '1/2|½': 'medio',
    '1/3': 'un tercio',
    '1/4|¼': 'un cuarto',
    '24/7': 'veinticuatro siete',
    '3/4|¾': 'tres cuartos',
  },
  letterNames:
    'a be ce de e efe ge hache i jota ka ele eme ene o pe cu erre ese te u uve uve_doble equis ye zeta',
  identifiers:
    'códigos?|matrícula|pin|clave|pedido|reserva|referencia|expediente|contrato|póliza|factura|cuenta|extensión|postal|terminad[ao] en',
  abbreviations: {
    dni: 'de ene i',
    'sr.': 'señor',
    'sra.': 'señora',
    'sres.': 'señores',
    'srta.': 'señorita',
    'dr.': 'doctor',
    'dra.': 'doctora',
    'd.': 'don',
    'ud.': 'usted',
    'uds.': 'ustedes',
    'avda.|av.': 'avenida',
    'c/': 'calle',
    'pza.': 'plaza',
    'dpto.': 'departamento',
    'tel.|tfno.': 'teléfono',
    'etc.': 'etcétera',
    'aprox.': 'aproximadamente',
    'p. ej.': 'por ejemplo',
    's.a.': 'sociedad anónima',
  },
}
