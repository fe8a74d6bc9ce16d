// Languages in the ways in which vendors write them.
import { describe, expect, it } from 'vitest'
import { writtenLanguage } from './written-language.ts'

it.each([
  ['en', 'en', 'en-US'],
  ['EN-us', 'en', 'en-US'],
  ['pt_BR', 'pt', 'pt-BR'],
  ['Portuguese', 'pt', 'pt-BR'],
  ['zh', 'zh', 'zh-CN'],
  ['zh-Hant', 'zh', 'zh-TW'],
  ['zh-Hans-CN', 'zh', 'zh-CN'],
  ['cmn', 'zh', 'zh-CN'],
  ['es-419', 'es', 'es-419'],
  ['de-AT', 'de', 'de-AT'],
  ['auto', undefined, undefined],
  ['multi', undefined, undefined],
  ['', undefined, undefined],
  [undefined, undefined, undefined],
])('%s is %s, and %s with its region', (language, code, tag) => {
  expect(writtenLanguage(language, { region: 'never' })).toBe(code)
  expect(writtenLanguage(language, { region: 'always' })).toBe(tag)
})

describe('a vendor', () => {
  it.each([
    ['en-GB', 'en-GB'],
    ['en-ZA', 'en'],
    ['en', 'en'],
    ['zh-Hant', 'zh-Hant'],
    ['zh-hant-tw', 'zh-TW'],
    ['hi-IN', 'hi'],
  ])('that knows some regions gets %s as %s', (language, written) => {
    expect(writtenLanguage(language, { region: ['en-GB', 'zh-TW', 'zh-Hant'] })).toBe(written)
  })

  it('has its own regions and names', () => {
    const spelling = { region: 'always', usual: { ar: 'XA' }, own: { 'zh-CN': 'cmn-CN' } } as const
    expect(['ar', 'ar-EG', 'zh', 'zh-HK'].map((language) => writtenLanguage(language, spelling))).toEqual([
      ...['ar-XA', 'ar-EG', 'cmn-CN', 'zh-HK'],
    ])
  })
})
