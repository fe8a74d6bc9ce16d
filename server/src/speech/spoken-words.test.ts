// What reaches a voice of what was written.
import { expect, it } from 'vitest'
import { englishPhonetics, phoneticText, worldPhonetics } from '../engines/pronunciation/phonetic.ts'
import { spokenSpanish } from '../engines/pronunciation/spanish.ts'
import type { Pronunciation, Synthesizer, SynthesizerOptions } from '../ports/synthesizer.ts'
import { embeddedReading, spokenWords, type VoiceReading } from './spoken-words.ts'

const dictionary: readonly Pronunciation[] = [
  { written: 'Siobhan', spokenAs: 'shivawn', ipa: 'ʃɪˈvɔːn' },
  { written: 'SQL', spokenAs: 'sequel', language: 'en' },
  { written: 'SQL', spokenAs: 'ese cu ele', language: 'es' },
  { written: 'Dr. Nguyen', spokenAs: 'doctor win' },
  { written: 'Nguyen', ipa: 'wɪn' },
]

/** What the voice was written, and the options that it was opened with. */
function said(text: string, reading: VoiceReading, language?: string) {
  const written: string[] = []
  const given: SynthesizerOptions[] = []
  const voice: Synthesizer = {
    abilities: { clauseEnds: true, wordTimes: false, languages: 'any' },
    open(options) {
      given.push(options)
      return {
        write: (clause) => void written.push(clause),
        flush() {},
        finish() {},
        cancel() {},
        async *[Symbol.asyncIterator]() {},
      }
    },
  }
  const options = { voice: '', rateHz: 8_000, language, pronunciations: dictionary } as const
  spokenWords(voice, reading).open(options, new AbortController().signal).write(text)
  return { text: written.join(), options: given[0] }
}

const respelled: VoiceReading = { readsFigures: false, takes: 'respelling' }

it.each([
  ['whole words, whatever their capitals', 'Ask siobhan, not Siobhans.', 'en', 'Ask shivawn, not Siobhans.'],
  ['of the language of the call', 'It runs SQL.', 'en-GB', 'It runs sequel.'],
  ['of another language', 'Usa SQL.', 'es', 'Usa ese cu ele.'],
  ['the longest first', 'Dr. Nguyen is in.', 'en', 'doctor win is in.'],
  ['given in sounds only: as written', 'Mr Nguyen is in.', 'en', 'Mister Nguyen is in.'],
  ['and figures in words', 'Siobhan pays $20.', 'en', 'shivawn pays twenty dollars.'],
  [
    'figures in the language of the text',
    'Son 20 € para la señora.',
    undefined,
    'Son veinte euros para la señora.',
  ],
  ['a language that is not known here', 'Det är 20 kr.', 'sv', 'Det är 20 kr.'],
])('a voice that takes respellings gets words %s', (_, text, language, expected) =>
  expect(said(text, respelled, language).text).toBe(expected),
)

it('a voice that takes sounds by its options gets those, and respellings in the text', () => {
  const { text, options } = said('Siobhan runs SQL for $20.', { readsFigures: true, takes: 'options' }, 'en')
  expect(text).toBe('Siobhan runs sequel for $20.')
  expect(options?.pronunciations?.map(({ written }) => written)).toEqual(['Siobhan', 'Nguyen'])
})

it('an offline voice gets sounds inside of the text, which its rules do not touch', () => {
  const { text, options } = said('Ask Siobhan.', embeddedReading, 'en')
  expect(text).toBe(`Ask ${phoneticText('ʃɪˈvɔːn')}.`)
  expect(options?.pronunciations).toBeUndefined()
  expect(englishPhonetics(phoneticText('ʃɪˈvɔːn'))).toBe('ʃɪˈvɔn')
  expect(worldPhonetics(phoneticText('t͡ʃaˈβi'))).toBe('ʧaˈβi')
  expect(spokenSpanish.pronounce(`Hola ${phoneticText('ˈxuɾɡen')}.`)).toBe('ˈola ˈxuɾɡen.')
})
