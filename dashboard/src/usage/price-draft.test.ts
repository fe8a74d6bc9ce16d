import { Prices } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { completedBy, draftOf, placeOf, pricesOf } from './price-draft.ts'

const prices: Prices = Prices.parse({
  currency: 'EUR',
  rows: [
    { part: 'line', name: 'sip', per_minute: 0.01 },
    { part: 'transcriber', name: 'deepgram', per_minute: 0.02 },
    { part: 'synthesizer', name: '*', per_million_characters: 30 },
    { part: 'language-model', name: 'm', per_million_input_tokens: 1, per_million_output_tokens: 2 },
  ],
})

describe('prices in a form', () => {
  it('come back as they were, in the order of the lists', () => {
    const back = pricesOf(draftOf(prices))
    expect(back?.currency).toBe('EUR')
    expect(back?.rows).toEqual([1, 2, 3, 0].map((place) => prices.rows[place]))
    expect(pricesOf(draftOf(null))).toBeNull()
  })

  it('are completed by a list without changing what is there', () => {
    const mine = draftOf({ currency: 'EUR', rows: prices.rows.slice(1, 2) })
    const completed = completedBy(mine, {
      currency: 'USD',
      rows: [
        { part: 'transcriber', name: 'deepgram', per_minute: 9 },
        { part: 'transcriber', name: 'gladia', per_minute: 8 },
      ],
    })
    expect(completed.currency).toBe('EUR')
    expect(completed.transcribers).toEqual([
      { part: 'transcriber', name: 'deepgram', per_minute: 0.02 },
      { part: 'transcriber', name: 'gladia', per_minute: 8 },
    ])
    expect(completedBy(draftOf(null), { currency: 'USD', rows: [] }).currency).toBe('USD')
  })

  it('have the faults of the server at their rows', () => {
    const draft = draftOf(prices)
    const at = (path: string) => placeOf({ path, message: 'No.' }, draft).path
    expect(at('prices.currency')).toBe('currency')
    expect(at('prices.rows.0.name')).toBe('transcribers.0.name')
    expect(at('prices.rows.2')).toBe('models.0')
    expect(at('prices.rows.3.per_minute')).toBe('lines.0.per_minute')
  })
})
