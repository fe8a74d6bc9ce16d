// Text as Speech Synthesis Markup: escaped, with pronunciations, at another speed.
import type { Pronunciation } from '../../../ports/synthesizer.ts'
import { clausePieces } from './pronunciations.ts'

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
export const ssmlOf = (clause: string, pronunciations?: readonly Pronunciation[]): string =>
  clausePieces(clause, pronunciations)
    .map(({ text, pronunciation }) => {
      const written = escapeXml(text)
      if (pronunciation?.ipa !== undefined)
        return `<phoneme alphabet="ipa" ph="${escapeXml(pronunciation.ipa)}">${written}</phoneme>`
      if (pronunciation?.spokenAs !== undefined)
        return `<sub alias="${escapeXml(pronunciation.spokenAs)}">${written}</sub>`
      return written
    })
    .join('')

/** The content in an element, unless all its attributes are undefined. */
export function inElement(name: string, attributes: Readonly<Record<string, unknown>>, ssml: string): string {
  const written = attributesOf(attributes)
  return written === '' ? ssml : `<${name}${written}>${ssml}</${name}>`
}

/** With a space before each. */
export const attributesOf = (attributes: Readonly<Record<string, unknown>>): string =>
  Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escapeXml(`${value}`)}"`]))
    .join('')
