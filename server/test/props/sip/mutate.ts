// Spoils SIP messages, the same way for the same seed.

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Random = () => number
type Spoil = (text: string, random: Random, others: readonly string[]) => string

const below = (random: Random, most: number): number => Math.floor(random() * most)
export const pick = <One>(random: Random, from: readonly One[]): One =>
  from[below(random, from.length)] as One

/** What readers of text stumble over. */
const stumbles = [
  '\r\n', '\n', '\r', '\0', '"', '\\', '<', '>', ';', ',', ':', '@', '%', '%00', '%zz', '=', '?', '&', '[', ']', '::',
  ' '.repeat(2_000), 'a'.repeat(3_000), '-1', '0', '4294967296', '99999999999999999999', '\u00ff\u00fe', '\ud83d\ude00',
  ';tag=', ';branch=z9hG4bK', ';lr', 'sip:', 'sips:', 'tel:', 'Require: 100rel\r\n', 'Replaces: a;to-tag=b;from-tag=c\r\n',
  'Content-Length: 0\r\n', 'l: 99\r\n', 'Session-Expires: 0;refresher=\r\n', 'Route: <sip:a;lr>\r\n', 'Expires: 1\r\n',
] // biome-ignore format: a list to be looked over, not down

const insert: Spoil = (text, random) => {
  const at = below(random, text.length + 1)
  return text.slice(0, at) + pick(random, stumbles) + text.slice(at)
}
const remove: Spoil = (text, random) => {
  const at = below(random, text.length)
  return text.slice(0, at) + text.slice(at + 1 + below(random, 40))
}
const repeat: Spoil = (text, random) => {
  const at = below(random, text.length)
  const piece = text.slice(at, at + 1 + below(random, 80))
  return text.slice(0, at) + piece.repeat(1 + below(random, 20)) + text.slice(at)
}
const flip: Spoil = (text, random) => {
  const at = below(random, text.length)
  return text.slice(0, at) + String.fromCharCode(below(random, 256)) + text.slice(at + 1)
}
const truncate: Spoil = (text, random) => text.slice(0, below(random, text.length))
const splice: Spoil = (text, random, others) => {
  const other = pick(random, others)
  return text.slice(0, below(random, text.length)) + other.slice(below(random, other.length))
}
const swapLines: Spoil = (text, random) => {
  const lines = text.split('\r\n')
  const [a, b] = [below(random, lines.length), below(random, lines.length)]
  ;[lines[a], lines[b]] = [lines[b] as string, lines[a] as string]
  return lines.join('\r\n')
}
const dropLine: Spoil = (text, random) => {
  const lines = text.split('\r\n')
  lines.splice(below(random, lines.length), 1)
  return lines.join('\r\n')
}
const repeatLine: Spoil = (text, random) => {
  const lines = text.split('\r\n')
  const at = below(random, lines.length)
  lines.splice(at, 0, ...Array<string>(1 + below(random, 300)).fill(lines[at] as string))
  return lines.join('\r\n')
}
const otherNumber: Spoil = (text, random) => {
  const numbers = [...text.matchAll(/\d+/g)]
  if (numbers.length === 0) return text
  const { index, 0: number } = pick(random, numbers)
  return (
    text.slice(0, index) +
    pick(random, ['0', '-1', '65536', '2147483648', '1e9', '']) +
    text.slice(index + number.length)
  )
}

const spoils: readonly Spoil[] = [
  insert, remove, repeat, flip, truncate, splice, swapLines, dropLine, repeatLine, otherNumber,
] // biome-ignore format: as above

/** One message of the corpus, spoilt once to five times; one in ten is left whole. */
export function mutate(corpus: readonly string[], random: Random): string {
  let text = pick(random, corpus)
  if (random() < 0.1) return text
  for (let left = 1 + below(random, 5); left > 0; left--) text = pick(random, spoils)(text, random, corpus)
  return text
}
