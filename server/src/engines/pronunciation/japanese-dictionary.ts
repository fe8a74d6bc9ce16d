// Finds the words of a Japanese sentence, which has no spaces, and how each is read.
//
// Every word of the dictionary that occurs in the sentence is an edge of a lattice; the cheapest path through it, by the
// costs of words and of their neighbourhood, is the most likely reading (Viterbi). The files, gzipped, little-endian:
//
//   base, check   a double-array trie over UTF-8 bytes: child = base[node] + byte, if check[child] = node
//   entries       count, then for each key of the trie: key, count, places in `words`
//   words         left id (2 bytes), right id (2), cost (2), place in `features` (4)
//   features      text that ends with a zero byte: surface, part of speech …, reading, pronunciation
//   costs         two dimensions, then the cost of each pair: right id of one word, left id of the next
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

export type DictionaryPaths = Readonly<
  Record<'base' | 'check' | 'words' | 'features' | 'entries' | 'costs', string>
>

export interface JapaneseWord {
  readonly surface: string
  /** The word in katakana as it is said: long vowels and particles included. Undefined: not in the dictionary. */
  readonly said: string | undefined
  readonly isParticle: boolean
}

export interface JapaneseDictionary {
  wordsIn(sentence: string): JapaneseWord[]
}

interface Edge {
  readonly fromByte: number
  readonly toByte: number
  readonly leftId: number
  readonly rightId: number
  readonly cost: number
  /** The place of its features; undefined: an unknown word. */
  readonly features: number | undefined
  total: number
  before: Edge | undefined
}

// The cost is higher than that of any word of the dictionary, so that a known word is always preferred.
const unknownCost = 20_000
// The ids of a noun, which unknown words mostly are.
const nounId = 1_285
// The bytes of the longest word that is looked for.
const longestBytes = 60

export async function loadJapaneseDictionary(paths: DictionaryPaths): Promise<JapaneseDictionary> {
  const open = async (file: string) => Uint8Array.from(await promisify(gunzip)(await readFile(file)))
  const [base, check, costs] = [
    new Int32Array((await open(paths.base)).buffer),
    new Int32Array((await open(paths.check)).buffer),
    new Int16Array((await open(paths.costs)).buffer),
  ]
  const words = new DataView((await open(paths.words)).buffer)
  const features = await open(paths.features)
  const entries = placesByKey(new DataView((await open(paths.entries)).buffer))
  const backward = costs[1] ?? 0
  const costOf = (rightId: number, leftId: number) => costs[rightId * backward + leftId + 2] ?? 0

  /** The words that begin at a byte, with their ends. */
  function* wordsFrom(bytes: Uint8Array, from: number): Generator<{ toByte: number; place: number }> {
    let node = 0
    for (let at = from; at < Math.min(bytes.length, from + longestBytes); at++) {
      const child = (base[node] ?? 0) + (bytes[at] ?? 0)
      if (check[child] !== node) return
      node = child
      // A key ends where a zero byte leads on; its value is stored there as a negative number.
      const leaf = base[node] ?? 0
      if (leaf < 0 || check[leaf] !== node) continue
      const value = base[leaf] ?? 0
      if (value >= 0) continue
      for (const place of entries.get(-value - 1) ?? []) yield { toByte: at + 1, place }
    }
  }

  function edgesFrom(bytes: Uint8Array, from: number, nextFrom: number): Edge[] {
    const known = [...wordsFrom(bytes, from)].map(({ toByte, place }) => ({
      fromByte: from,
      toByte,
      total: Number.POSITIVE_INFINITY,
      before: undefined,
      leftId: words.getInt16(place, true),
      rightId: words.getInt16(place + 2, true),
      cost: words.getInt16(place + 4, true),
      features: words.getInt32(place + 6, true),
    }))
    const unknown = {
      fromByte: from,
      toByte: nextFrom,
      leftId: nounId,
      rightId: nounId,
      cost: unknownCost,
      features: undefined,
      total: Number.POSITIVE_INFINITY,
      before: undefined,
    }
    return [...known, unknown]
  }

  function readOf(edge: Edge, bytes: Uint8Array): JapaneseWord {
    const surface = Buffer.from(bytes.subarray(edge.fromByte, edge.toByte)).toString('utf8')
    if (edge.features === undefined) return { surface, said: undefined, isParticle: false }
    const end = features.indexOf(0, edge.features)
    const fields = Buffer.from(features.subarray(edge.features, end)).toString('utf8').split(',')
    const said = fields.length > 8 ? fields.at(-1) : undefined
    return {
      surface,
      said: said === '*' ? undefined : said,
      isParticle: /^(?:助詞|助動詞)$/.test(fields[1] ?? ''),
    }
  }

  return {
    wordsIn(sentence) {
      const bytes = new TextEncoder().encode(sentence)
      const endingAt = new Map<number, Edge[]>([[0, []]])
      // Words do not begin at continuation bytes, which begin with the bits 10.
      const starts = [...bytes.keys()].filter((at) => ((bytes[at] ?? 0) & 0xc0) !== 0x80)
      for (const [place, from] of starts.entries()) {
        const before = endingAt.get(from)
        if (!before) continue
        for (const edge of edgesFrom(bytes, from, starts[place + 1] ?? bytes.length)) {
          connect(edge, before, costOf)
          endingAt.set(edge.toByte, [...(endingAt.get(edge.toByte) ?? []), edge])
        }
      }
      const path: Edge[] = []
      const end = cheapest(endingAt.get(bytes.length) ?? [], costOf)
      for (let edge = end; edge; edge = edge.before) path.unshift(edge)
      return path.map((edge) => readOf(edge, bytes))
    },
  }
}

function connect(
  edge: Edge,
  before: readonly Edge[],
  costOf: (rightId: number, leftId: number) => number,
): void {
  // The sentence begins and ends with id 0.
  if (before.length === 0) edge.total = edge.cost + costOf(0, edge.leftId)
  for (const candidate of before) {
    const total = candidate.total + costOf(candidate.rightId, edge.leftId) + edge.cost
    if (total < edge.total) {
      edge.total = total
      edge.before = candidate
    }
  }
}

const cheapest = (
  edges: readonly Edge[],
  costOf: (rightId: number, leftId: number) => number,
): Edge | undefined =>
  edges.toSorted((a, b) => a.total + costOf(a.rightId, 0) - b.total - costOf(b.rightId, 0))[0]

function placesByKey(view: DataView): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, readonly number[]>()
  let at = 4
  const next = () => {
    at += 4
    return view.getInt32(at - 4, true)
  }
  while (at + 8 <= view.byteLength) {
    const key = next()
    places.set(
      key,
      Array.from({ length: next() }, () => next()),
    )
  }
  return places
}
