// What a JSON Schema says about a place in a document.
import { expect, it } from 'vitest'
import { descriptionOf, propertiesAt, schemaAt, valuesAt } from './schema-at.ts'

const root = {
  properties: {
    voice: { $ref: '#/defs/Voice', description: 'How it speaks.' },
    tools: { anyOf: [{ type: 'array', items: { $ref: '#/defs/Voice' } }, { type: 'null' }] },
  },
  defs: {
    Voice: {
      description: 'A voice.',
      properties: { kind: { enum: ['high', 'low'] }, loud: { type: 'boolean' } },
    },
  },
}
const at = (...path: (string | number)[]) => schemaAt({ schema: root, root }, path)

it('goes through references, alternatives and lists', () => {
  expect(propertiesAt(at('tools', 0) ?? { schema: {}, root }).map(({ name }) => name)).toEqual([
    'kind',
    'loud',
  ])
  expect(valuesAt(at('voice', 'kind') ?? { schema: {}, root })).toEqual(['high', 'low'])
  expect(valuesAt(at('tools', 3, 'loud') ?? { schema: {}, root })).toEqual([true, false])
})

it('prefers the description beside a reference', () => {
  expect(descriptionOf(at('voice'))).toBe('How it speaks.')
})

it('is nothing where the schema says nothing', () => {
  expect(at('voice', 'kind', 'deeper')).toBeUndefined()
  expect(at('elsewhere')).toBeUndefined()
})
