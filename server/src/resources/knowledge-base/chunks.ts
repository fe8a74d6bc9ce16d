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

function passagesOf(paragraphs: readonly string[], { chunkSize, chunkOverlap }: ChunkSizes): string[] {
  const sentences = paragraphs.flatMap((paragraph) => sentencesOf(paragraph, chunkSize))
  const passages: string[] = []
  let held: string[] = []
  let size = 0
  let isNew = false
  for (const sentence of sentences) {
    if (held.length > 0 && size + sentence.length > chunkSize) {
      passages.push(held.join(' '))
      held = overlapOf(held, chunkOverlap, chunkSize - sentence.length)
      size = lengthOf(held)
      isNew = false
    }
    held.push(sentence)
    size += sentence.length + 1
    isNew = true
  }
  // The overlap alone is not a passage.
  if (isNew) passages.push(held.join(' '))
  return passages
}

const lengthOf = (sentences: readonly string[]): number =>
  sentences.reduce((sum, sentence) => sum + sentence.length + 1, 0)

/** The last sentences, as far as they fit into the overlap and leave room for the next. */
function overlapOf(sentences: readonly string[], overlap: number, room: number): string[] {
  const kept: string[] = []
  let size = 0
  for (const sentence of sentences.toReversed()) {
    size += sentence.length + 1
    if (size > Math.min(overlap, room)) break
    kept.unshift(sentence)
  }
  return kept
}

/** Whole sentences; one that is longer than a passage is cut between words. */
function sentencesOf(paragraph: string, most: number): string[] {
  const sentences = [...segmenter.segment(paragraph)].map(({ segment }) => segment.trim()).filter(Boolean)
  return sentences.flatMap((sentence) => (sentence.length > most ? cut(sentence, most) : [sentence]))
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
