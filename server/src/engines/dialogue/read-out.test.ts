import { expect, it } from 'vitest'
import type { Passage } from '../../ports/knowledge.ts'
import { answersIn, readOut } from './read-out.ts'

const passages = (...texts: string[]): Passage[] =>
  texts.map((text, place) => ({
    documentId: 'd',
    chunkId: String(place),
    title: 'T',
    heading: null,
    text,
    score: 0.8 - place / 10,
  }))
const nothing = () => 0

it('the sentence that answers is said, not the paragraph', () => {
  const text =
    'The clinic was founded long ago. A visit costs ten euros for adults and must be paid on the same day at the front desk. Parking is free.'
  expect(readOut('What does a visit cost?', passages(text), nothing)).toBe(
    'A visit costs ten euros for adults and must be paid on the same day at the front desk.',
  )
})

it('a short sentence takes the next one along', () => {
  expect(readOut('Do children pay?', passages('Children pay nothing. Bring a card.'), nothing)).toBe(
    'Children pay nothing. Bring a card.',
  )
})

it('what is for readers is left out', () => {
  const text =
    'Monitoring is part of security (see Section 12.4, “Monitoring”) and of upkeep everywhere in the house [3]. → https://a.example/x'
  expect(readOut('Is monitoring part of security?', passages(text), nothing)).toBe(
    'Monitoring is part of security and of upkeep everywhere in the house.',
  )
})

it('a long sentence ends where a part of it does', () => {
  const said = readOut(
    'Which tools?',
    passages(`These tools exist: ${'one that is good, '.repeat(30)}and more.`),
    nothing,
  )
  expect(said?.length).toBeLessThanOrEqual(262)
  expect(said).toMatch(/one that is good\.$/)
})

it('meaning decides where words do not', () => {
  const isNear = (_: string, about: string) => (about.includes('doors') ? 0.9 : 0)
  const text =
    'We have a garden with many old trees and benches in the shade. The doors are unlocked at eight on every working day of the week.'
  expect(readOut('When do you open?', passages(text), isNear)).toMatch(/^The doors/)
})

it('only as many sentences are compared by meaning as a caller waits for, the likely ones first', () => {
  const filler = 'Nothing of this belongs to the matter, and there is a lot of it.'
  const text = [...Array(9).fill(filler), 'A visit costs ten euros for adults.'].join(' ')
  const compared = answersIn('What does a visit cost?', passages(text))
  expect(compared[0]).toBe('A visit costs ten euros for adults.')
  expect(compared.join('').length).toBeLessThanOrEqual(300)
})
