// Text as Speech Synthesis Markup: escaped, with pronunciations, at another speed.
import type { Pronunciation } from '../../../ports/synthesizer.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** For text and for values of attributes. */
export const escapeXml = (text: string): string =>
  text.replaceAll(notInXml, ' ').replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')

/** Control characters, escaped or not. */
const notInXml = /[^\P{Cc}\t\n\r]/gu

/** The content of a document: words that have a pronunciation in their elements, the rest escaped. */
export const ssmlOf = (text: string, pronunciations: readonly Pronunciation[] = []): string =>
  pieces(text, pronunciations)
    .map(({ piece, pronunciation }) => {
      const written = escapeXml(piece)
      if (pronunciation?.ipa !== undefined)
        return `<phoneme alphabet="ipa" ph="${escapeXml(pronunciation.ipa)}">${written}</phoneme>`
      if (pronunciation?.spokenAs !== undefined)
        return `<sub alias="${escapeXml(pronunciation.spokenAs)}">${written}</sub>`
      return written
    })
    .join('')

/** `rate` as the vendor writes it. */
export const atRate = (ssml: string, rate: string | undefined): string =>
  rate === undefined ? ssml : `<prosody rate="${rate}">${ssml}</prosody>`

interface Piece {
  readonly piece: string
  readonly pronunciation?: Pronunciation | undefined
}

/** Whole words only, in any case. */
function pieces(text: string, pronunciations: readonly Pronunciation[]): readonly Piece[] {
  const byWord = new Map(pronunciations.map((one) => [one.written.toLowerCase(), one]))
  byWord.delete('')
  if (byWord.size === 0) return [{ piece: text }]
  // The longest first: "New York City" before "New York".
  const words = [...byWord.keys()].toSorted((a, b) => b.length - a.length).map(literally)
  const separator = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  return text.split(separator).map((piece, place) => ({
    piece,
    pronunciation: place % 2 ? byWord.get(piece.toLowerCase()) : undefined,
  }))
}

const literally = (word: string): string => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
