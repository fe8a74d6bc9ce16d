// The packed dictionary finds what was put in, and nothing else.
import { expect, it } from 'vitest'
import { PronouncingDictionary } from './dictionary.ts'

const entries: Record<string, string[]> = {
  CAT: ['K', 'AE1', 'T'],
  A: ['AH0'],
  CATS: ['K', 'AE1', 'T', 'S'],
  "CAT'S": ['K', 'AE1', 'T', 'S'],
  CA: ['K', 'AA1'],
  ZOO: ['Z', 'UW1'],
}

it('has every word with its phones', () => {
  const dictionary = new PronouncingDictionary(entries)
  for (const [word, phones] of Object.entries(entries)) expect(dictionary.phonesOf(word)).toEqual(phones)
})

it('lacks all others', () => {
  const dictionary = new PronouncingDictionary(entries)
  for (const word of ['', 'C', 'CATSS', 'ZOOS', 'B', 'cat', 'É', '中', 'constructor', '__proto__'])
    expect(dictionary.phonesOf(word)).toBeUndefined()
  expect(new PronouncingDictionary({}).phonesOf('A')).toBeUndefined()
})
