// Spells out what is written in figures: amounts, times, dates, telephone numbers, addresses. For any language that
// says its numbers from the largest part to the smallest.

/** How a language says what is written in figures. */
export interface NumberWords {
  cardinal(number: number): string
  /** What separates thousands, as in 1.000, and the fraction, as in 2,5. */
  readonly thousands: string
  readonly fraction: string
  readonly fractionWord: string
  readonly percent: string
  readonly minus: string
  readonly plus: string
  readonly and: string
  readonly at: string
  readonly dot: string
  readonly dash: string
  readonly underscore: string
  /** By sign: one, several, and the hundredth part. */
  readonly money: Readonly<Record<string, readonly [one: string, several: string, hundredths: string]>>
  /** Between the whole and the hundredths: "tres euros con veinte". */
  readonly moneyJoin: string
  time(hours: number, minutes: number): string
  /** 1 to 12; day and month as they are said in a date. */
  date(day: number, month: number, year: number | undefined): string
  readonly abbreviations: Readonly<Record<string, string>>
}

// Longer ones, and those with a leading zero, are codes: they are said figure by figure.
const longestAmount = 9

export function writtenForms(words: NumberWords): (sentence: string) => string {
  const { thousands, fraction, money } = words
  const amount = `\\d{1,3}(?:${escaped(thousands)}\\d{3})+(?!\\d)|\\d+`
  const withFraction = `(${amount})(?:${escaped(fraction)}(\\d+))?`
  const signs = Object.keys(money)
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join('|')
  const whole = (written: string) => Number(written.replaceAll(thousands, ''))
  const figures = (written: string) => [...written].map((figure) => words.cardinal(Number(figure))).join(' ')

  const number = (written: string, part?: string) => {
    const isCode = /^0\d/.test(written) || written.length > longestAmount
    const said = isCode ? figures(written) : words.cardinal(whole(written))
    return part === undefined ? said : `${said} ${words.fractionWord} ${fractionOf(part)}`
  }
  const fractionOf = (part: string) =>
    part.startsWith('0') || part.length > 2 ? figures(part) : words.cardinal(Number(part))
  const price = (sign: string, written: string, part?: string) => {
    const [one, several, hundredths] = money[sign] ?? ['', '', '']
    const said = `${words.cardinal(whole(written))} ${whole(written) === 1 ? one : several}`
    const rest = Number((part ?? '').padEnd(2, '0').slice(0, 2))
    return rest === 0 ? said : `${said} ${words.moneyJoin} ${words.cardinal(rest)} ${hundredths}`.trim()
  }
  const address = (written: string) =>
    written.replace(/[@._/-]|\d+/g, (piece) => {
      const sign = { '@': words.at, '.': words.dot, '-': words.dash, _: words.underscore, '/': ' ' }[piece]
      return ` ${sign ?? figures(piece)} `
    })
  const pad = (said: string) => ` ${said} `

  // In order: longer and more specific patterns first, remaining figures last.
  const rules: readonly (readonly [RegExp, (match: string, ...parts: string[]) => string])[] = [
    [/[\p{L}\d._+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu, address],
    [/\b(?:https?:\/\/|www\.)[^\s,;!?]*[^\s,;!?.]/giu, (url) => address(url.replace(/^https?:\/\//i, ''))],
    [
      /\b(\d{4})-(\d{2})-(\d{2})\b/g,
      (_, year, month, day) => words.date(Number(day), Number(month), Number(year)),
    ],
    [
      /\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b/g,
      (_, day, month, year) => words.date(Number(day), Number(month), Number(year)),
    ],
    [
      /\b(\d{1,2})(?::|h)(\d{2})(?:\s?h\b)?/g,
      (_, hours, minutes) => pad(words.time(Number(hours), Number(minutes))),
    ],
    [
      /\+\d[\d\s().-]{6,}\d|\b\d{2,4}(?:[\s-]\d{2,4}){2,}\b/g,
      (written) =>
        pad(
          `${written.startsWith('+') ? `${words.plus} ` : ''}${(written.match(/\d+/g) ?? []).map(figures).join(', ')}`,
        ),
    ],
    [
      new RegExp(`(${signs})\\s?${withFraction}`, 'gu'),
      (_, sign = '', written = '', part?) => pad(price(sign, written, part)),
    ],
    [
      new RegExp(`${withFraction}\\s?(${signs})`, 'gu'),
      (_, written = '', part, sign = '') => pad(price(sign, written, part)),
    ],
    [/(?<=\d)\s?%/g, () => ` ${words.percent}`],
    [/(?<=^|\s)-(?=\d)/g, () => `${words.minus} `],
    [/&/g, () => pad(words.and)],
    [/@/g, () => pad(words.at)],
    [/\+/g, () => pad(words.plus)],
    [
      new RegExp(
        `(?<![\\p{L}\\d])(${Object.keys(words.abbreviations).map(escaped).join('|') || '(?!)'})(?![\\p{L}\\d])`,
        'giu',
      ),
      (match) => words.abbreviations[match.toLowerCase()] ?? match,
    ],
    [new RegExp(withFraction, 'gu'), (_, written = '', part?) => pad(number(written, part))],
  ]
  return (sentence) =>
    rules
      .reduce((text, [written, say]) => text.replace(written, say), sentence)
      .replace(/\s+/g, ' ')
      .replace(/ (?=[.,;:!?])/g, '')
      .trim()
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const wideMarks: Readonly<Record<string, string>> = {
  ...{ '，': ',', '、': ',', '。': '.', '！': '!', '？': '?', '：': ':', '；': ';' },
}

/** The punctuation of Chinese and Japanese as that of other languages, where sentences may be split. */
export const asciiMarks = (text: string): string =>
  text.replace(/[，、。！？：；]\s*/g, (mark) => `${wideMarks[mark.trim()] ?? ''} `).trim()
