// What is refused when an agent without a vendor is saved.
import { expect, it } from 'vitest'
import { refusalToSpeak } from './offline-languages.ts'

it.each(['en', 'en-GB', 'English', 'es', 'es-MX', 'Spanish', 'pt_BR', 'auto'])('%s is spoken', (language) => {
  expect(refusalToSpeak(language)).toBeUndefined()
})

it('a language without a voice is refused with what there is and the remedy', () => {
  expect(refusalToSpeak('de-DE')).toMatch(
    /^The offline voices do not speak German\. They speak English, Spanish, .*; for others name a vendor in synthesizer\.$/,
  )
})

it('a language whose voice is not understood well enough is refused with the reason', () => {
  expect(refusalToSpeak('hi-IN')).toMatch(
    /^The offline voices do not speak Hindi: nearly half of the words are heard wrongly\. /,
  )
})

it('a text that is no known language is not refused', () => {
  expect(refusalToSpeak('the language of the caller')).toBeUndefined()
  expect(refusalToSpeak('')).toBeUndefined()
})
