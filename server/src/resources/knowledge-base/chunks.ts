// Cuts a document into passages: along its headings, at the ends of sentences, with some overlap. Pure.
import type { Block } from '../../ports/document-parser.ts'

export interface Chunk {
  /** The headings above it, from the outermost; null: none. */
  readonly heading: string | null
  readonly text: string
}

export interface ChunkSizes {
  readonly chunkSize: number
  readonly chunkOverlap: number
}

// Of several nested headings, the innermost say what a passage is about.
const mostHeadings = 3
const longestHeading = 120

/** A heading begins a new passage; the passages of a section overlap. */
export function chunksOf(blocks: readonly Block[], sizes: ChunkSizes): Chunk[] {
  const path: { readonly level: number; readonly text: string }[] = []
  const chunks: Chunk[] = []
  let section: string[] = []
  const end = () => {
    const heading = headingOf(path.map(({ text }) => text))
    chunks.push(...passagesOf(section, sizes).map((text) => ({ heading, text })))
    section = []
  }
  for (const block of blocks) {
    if (block.of === 'text') section.push(block.text)
    else {
      end()
      while (path.length > 0 && (path.at(-1)?.level ?? 0) >= block.level) path.pop()
      path.push({ level: block.level, text: block.text.slice(0, longestHeading) })
    }
  }
  end()
  return chunks
}

const headingOf = (path: readonly string[]): string | null =>
  path.length > 0 ? path.slice(-mostHeadings).join(' > ') : null

/** What is embedded and searched: a passage with its headings, which say what it is about. */
export const searchable = ({ heading, text }: Chunk): string => (heading ? `${heading}\n${text}` : text)

/** A sentence, and what follows it in a passage: a space, or a new line at the end of a paragraph. */
interface Sentence {
  readonly text: string
  readonly joiner: ' ' | '\n'
}

function passagesOf(paragraphs: readonly string[], { chunkSize, chunkOverlap }: ChunkSizes): string[] {
  const sentences = paragraphs.flatMap((paragraph) => sentencesOf(paragraph, chunkSize))
  const passages: string[] = []
  let held: Sentence[] = []
  let size = 0
  let isNew = false
  for (const sentence of sentences) {
    const { length } = sentence.text
    if (held.length > 0 && size + length > chunkSize) {
      passages.push(joined(held))
      held = overlapOf(held, chunkOverlap, chunkSize - length)
      size = lengthOf(held)
      isNew = false
    }
    held.push(sentence)
    size += length + 1
    isNew = true
  }
  // The overlap alone is not a passage.
  if (isNew) passages.push(joined(held))
  return passages
}

const joined = (sentences: readonly Sentence[]): string =>
  sentences
    .map(({ text, joiner }) => text + joiner)
    .join('')
    .trimEnd()

const lengthOf = (sentences: readonly Sentence[]): number =>
  sentences.reduce((sum, { text }) => sum + text.length + 1, 0)

/** Returns the last sentences, as far as they fit into the overlap and leave room for the next. */
function overlapOf(sentences: readonly Sentence[], overlap: number, room: number): Sentence[] {
  const kept: Sentence[] = []
  let size = 0
  for (const sentence of sentences.toReversed()) {
    size += sentence.text.length + 1
    if (size > Math.min(overlap, room)) break
    kept.unshift(sentence)
  }
  return kept
}

/** Whole sentences; one that is longer than a passage is cut between words. */
function sentencesOf(paragraph: string, most: number): Sentence[] {
  const sentences = [...segmenter.segment(paragraph)].map(({ segment }) => segment.trim()).filter(Boolean)
  const pieces = sentences.flatMap((sentence) => (sentence.length > most ? cut(sentence, most) : [sentence]))
  return pieces.map((text, place) => ({ text, joiner: place === pieces.length - 1 ? '\n' : ' ' }))
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

function cut(sentence: string, most: number): string[] {
  const pieces: string[] = []
  let rest = sentence
  while (rest.length > most) {
    const space = rest.lastIndexOf(' ', most)
    const at = space > most / 2 ? space : most
    pieces.push(rest.slice(0, at).trim())
    rest = rest.slice(at).trim()
  }
  return rest ? [...pieces, rest] : pieces
}
