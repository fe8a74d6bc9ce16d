// Keyterms that a transcriber does not take.
import { expect, it } from 'vitest'
import { leftOutKeyterms, withinLimits } from './keyterms.ts'

const options = { model: '', rateHz: 8_000, endpointingMs: 500 } as const
const keptOf = (keyterms: readonly string[], limits: object) =>
  withinLimits({ ...options, keyterms }, { keyterms: limits }).keyterms

it('the first ones are taken, without those that are too long', () => {
  expect(keptOf(['Ada', 'Bartholomew', 'Cy', 'Di'], { most: 2, mostChars: 5 })).toEqual(['Ada', 'Cy'])
})

it('as many are taken as there is room for in tokens, in every script', () => {
  expect(keptOf(['Kyiv', 'Lwow', 'Rivne', 'Sumy'], { mostTokens: 6 })).toEqual(['Kyiv', 'Lwow', 'Rivne'])
  expect(keptOf(['東京', '大阪市', '京'], { mostTokens: 3 })).toEqual(['東京', '京'])
})

it('without limits all of them are', () => {
  const keyterms = Array.from({ length: 900 }, (_, n) => `Name ${n}`)
  expect(withinLimits({ ...options, keyterms }, { keyterms: true }).keyterms).toEqual(keyterms)
  expect(withinLimits(options, { keyterms: { most: 1 } })).toBe(options)
  expect(leftOutKeyterms('Vendor', { keyterms: true }, keyterms)).toBeUndefined()
})

it.each<[object, readonly string[], string]>([
  [{ most: 1 }, ['a', 'b'], 'Vendor takes at most 1 keywords: "b" is left out.'],
  [
    { most: 50, mostChars: 3 },
    ['Ada', 'Bert', 'Carl'],
    'Vendor takes at most 50 keywords, of at most 3 characters each: "Bert" and "Carl" are left out.',
  ],
  [
    { mostTokens: 500 },
    ['x'.repeat(1_501)],
    `Vendor takes keywords, of about 1,500 letters altogether: "${'x'.repeat(1_501)}" is left out.`,
  ],
  [
    { most: 2 },
    ['1', '2', '3', '4', '5', '6', '7'],
    'Vendor takes at most 2 keywords: "3", "4", "5", and 2 more are left out.',
  ],
])('%o with %s: %s', (limits, terms, sentence) => {
  expect(leftOutKeyterms('Vendor', { keyterms: limits }, terms)).toBe(sentence)
})
