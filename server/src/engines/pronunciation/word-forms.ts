// Words outside the dictionary that are made of words inside it: plurals, tenses, prefixes, compounds, British spellings.

/** Looks up the phones of a word in lower case, if it is known as it is. */
export type PhoneLookup = (word: string) => readonly string[] | undefined

/** The phones of a word made of known parts; undefined if it has none. */
export function phonesOfForm(word: string, lookup: PhoneLookup): readonly string[] | undefined {
  return (
    possessive(word, lookup) ??
    inflected(word, lookup) ??
    americanSpelling(word, lookup) ??
    withPrefix(word, lookup) ??
    compound(word, lookup)
  )
}

const isHissing = (phone: string) => /^(?:S|Z|SH|ZH|CH|JH)$/.test(phone)
const isVoiceless = (phone: string) => /^(?:P|T|K|F|TH|S|SH|CH)$/.test(phone)

export function withS(phones: readonly string[]): readonly string[] {
  const last = phones.at(-1) ?? ''
  if (isHissing(last)) return [...phones, 'IH0', 'Z']
  return [...phones, isVoiceless(last) ? 'S' : 'Z']
}

function withEd(phones: readonly string[]): readonly string[] {
  const last = phones.at(-1) ?? ''
  if (last === 'T' || last === 'D') return [...phones, 'IH0', 'D']
  return [...phones, isVoiceless(last) ? 'T' : 'D']
}

function possessive(word: string, lookup: PhoneLookup): readonly string[] | undefined {
  const stem = /^(.+)'s$/.exec(word)?.[1]
  if (stem) return formed(stem, lookup, withS)
  const plural = /^(.+s)'$/.exec(word)?.[1]
  if (plural) return lookup(plural) ?? inflected(plural, lookup)
  const [, contracted, rest = ''] = /^(.+)'(ll|d|ve|re)$/.exec(word) ?? []
  const added: Readonly<Record<string, readonly string[]>> = {
    ll: ['AH0', 'L'],
    d: ['D'],
    ve: ['AH0', 'V'],
    re: ['ER0'],
  }
  return contracted ? formed(contracted, lookup, (phones) => [...phones, ...(added[rest] ?? [])]) : undefined
}

type Change = (phones: readonly string[]) => readonly string[]

const formed = (stem: string, lookup: PhoneLookup, change: Change) => {
  const phones = lookup(stem) ?? inflected(stem, lookup)
  return phones && change(phones)
}

const adding =
  (...added: readonly string[]): Change =>
  (phones) => [...phones, ...added]

const suffixes: readonly (readonly [suffix: string, change: Change])[] = [
  ['s', withS],
  ['ed', withEd],
  ['ing', adding('IH0', 'NG')],
  ['er', adding('ER0')],
  ['ers', adding('ER0', 'Z')],
  ['est', adding('IH0', 'S', 'T')],
  ['ly', adding('L', 'IY0')],
  ['ness', adding('N', 'AH0', 'S')],
  ['less', adding('L', 'AH0', 'S')],
  ['ful', adding('F', 'AH0', 'L')],
  ['able', adding('AH0', 'B', 'AH0', 'L')],
  ['ment', adding('M', 'AH0', 'N', 'T')],
  ['y', adding('IY0')],
]

function inflected(word: string, lookup: PhoneLookup): readonly string[] | undefined {
  for (const [suffix, change] of suffixes) {
    if (!word.endsWith(suffix) || word.length < suffix.length + 3) continue
    if (suffix === 's' && /(?:ss|us|is)$/.test(word)) continue
    for (const stem of stemsOf(word.slice(0, -suffix.length), suffix)) {
      const phones = lookup(stem)
      if (phones) return change(phones)
    }
  }
  return undefined
}

/** The possible stems of a form: `mak` is of "make", `stopp` of "stop", `tri` of "try", `box` and `e` of "boxes". */
function stemsOf(start: string, suffix: string): string[] {
  const stems = suffix === 'y' || suffix === 'able' ? [start, `${start}e`] : [start]
  if (/^(?:ed|ing|ers?|est)$/.test(suffix)) stems.push(`${start}e`)
  if (/([bdgklmnprtvz])\1$/.test(start)) stems.push(start.slice(0, -1))
  if (start.endsWith('i')) stems.push(`${start.slice(0, -1)}y`)
  if (suffix === 's' && start.endsWith('ie')) stems.push(`${start.slice(0, -2)}y`)
  if (suffix === 's' && /(?:[sxz]|ch|sh)e$/.test(start)) stems.push(start.slice(0, -1))
  return stems
}

const british: readonly (readonly [RegExp, string])[] = [
  [/our(?=$|s|ed|ing|ite|able)/, 'or'],
  [/is(?=(?:e|ed|es|ing|ation|ations|er)$)/, 'iz'],
  [/ys(?=(?:e|ed|es|ing)$)/, 'yz'],
  [/ll(?=(?:ed|ing|er|ers)$)/, 'l'],
  [/tre(?=s?$)/, 'ter'],
  [/ogue(?=s?$)/, 'og'],
  [/^cheque/, 'check'],
  [/^tyre/, 'tire'],
  [/^grey/, 'gray'],
  [/ence(?=s?$)/, 'ense'],
  [/mme(?=s?$)/, 'm'],
]

function americanSpelling(word: string, lookup: PhoneLookup): readonly string[] | undefined {
  for (const [spelling, american] of british) {
    if (!spelling.test(word)) continue
    const changed = word.replace(spelling, american)
    const phones = lookup(changed) ?? inflected(changed, lookup)
    if (phones) return phones
  }
  return undefined
}

const prefixes: readonly (readonly [prefix: string, phones: readonly string[]])[] = [
  ['un', ['AH0', 'N']],
  ['re', ['R', 'IY0']],
  ['pre', ['P', 'R', 'IY0']],
  ['non', ['N', 'AA2', 'N']],
  ['mis', ['M', 'IH0', 'S']],
  ['over', ['OW2', 'V', 'ER0']],
  ['under', ['AH2', 'N', 'D', 'ER0']],
  ['anti', ['AE2', 'N', 'T', 'IY0']],
  ['multi', ['M', 'AH2', 'L', 'T', 'IY0']],
  ['auto', ['AO2', 'T', 'OW0']],
  ['co', ['K', 'OW2']],
  ['de', ['D', 'IY0']],
]

function withPrefix(word: string, lookup: PhoneLookup): readonly string[] | undefined {
  for (const [prefix, phones] of prefixes) {
    if (!word.startsWith(prefix) || word.length < prefix.length + 4) continue
    const stem = word.slice(prefix.length)
    const rest = lookup(stem) ?? inflected(stem, lookup)
    if (rest) return [...phones, ...rest]
  }
  return undefined
}

const shortestPart = 3
const particles = new Set(['up', 'in', 'on'])

/**
 * The phones of a compound such as "chatbot": the first part carries the stress. The most even division is the
 * likeliest.
 */
function compound(word: string, lookup: PhoneLookup): readonly string[] | undefined {
  if (word.length < 2 * shortestPart - 1 || !/^[a-z]+$/.test(word)) return undefined
  const middle = word.length / 2
  const places = Array.from({ length: word.length - 4 }, (_, i) => i + shortestPart)
    .filter((at) => word.length - at >= shortestPart || particles.has(word.slice(at)))
    .toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  for (const at of places) {
    // Two short parts are rarely words: "tes-lla".
    if (word.length < 7 && !particles.has(word.slice(at))) continue
    const first = lookup(word.slice(0, at))
    const second = first && lookup(word.slice(at))
    if (second) return [...first, ...second.map((phone) => phone.replace('1', '2'))]
  }
  return undefined
}
