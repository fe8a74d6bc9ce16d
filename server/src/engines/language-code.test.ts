// What users write as a language.
import { expect, it } from 'vitest'
import { isAnyLanguage, languageCode } from './language-code.ts'

const codes = ['en', 'es', 'pt', 'no', 'zh']

it.each([
  ['en', 'en'],
  ['EN-gb', 'en'],
  ['pt_BR', 'pt'],
  ['Portuguese', 'pt'],
  [' spanish ', 'es'],
  ['Chinese', 'zh'],
  ['xx', 'xx'],
  ['no language', 'no language'],
  ['auto', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s is %s', (written, code) => expect(languageCode(written, codes)).toBe(code))

it('auto is whichever the caller speaks', () => {
  expect([isAnyLanguage('Auto'), isAnyLanguage('en'), isAnyLanguage(undefined)]).toEqual([true, false, false])
})
