// A model's arguments against the schema of a tool.
import { expect, it } from 'vitest'
import { type Schema, wrongIn } from './check-arguments.ts'

const schema: Schema = {
  type: 'object',
  required: ['date'],
  properties: {
    date: { type: 'string' },
    guests: { type: 'integer' },
    size: { enum: ['small', 'large'] },
    tags: { type: 'array', items: { type: 'string' } },
    address: { type: 'object', required: ['city'], properties: { city: { type: ['string', 'null'] } } },
  },
}

it.each<[unknown, string | undefined]>([
  [{ date: 'today' }, undefined],
  [{ date: 'today', more: 1 }, undefined],
  [{ date: 'x', guests: 2, size: 'small', tags: ['a'], address: { city: null } }, undefined],
  [{}, '"date" is required.'],
  [[], 'the arguments must be an object.'],
  [{ date: 7 }, '"date" must be a string.'],
  [{ date: 'x', guests: 2.5 }, '"guests" must be an integer.'],
  [{ date: 'x', guests: '2' }, '"guests" must be an integer.'],
  [{ date: 'x', size: 'huge' }, '"size" must be one of "small", "large".'],
  [{ date: 'x', tags: ['a', 7] }, 'each of "tags" must be a string.'],
  [{ date: 'x', address: {} }, '"city" is required.'],
  [{ date: 'x', address: { city: 7 } }, '"city" must be a string or a null.'],
])('%j', (value, sentence) => {
  expect(wrongIn(schema, value)).toBe(sentence)
})

it.each<Schema>([{}, { type: 'strange' }, { type: 7, required: 'x', properties: [], enum: 'y' }])(
  'an invalid schema, %j, forbids nothing',
  (nonsense) => {
    expect(wrongIn(nonsense, { a: 1 })).toBeUndefined()
  },
)
