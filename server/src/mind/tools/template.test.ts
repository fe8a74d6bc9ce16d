// Filling the templates of an agent's tools.
import { describe, expect, it } from 'vitest'
import { readTemplate } from '../../resources/tools/plan-tool.ts'
import { fill, fillUrl, fillWords } from './template.ts'

const values = { id: 'A7', count: '2', price: 1.5, tags: ['a'], open: true }

describe('what is sent', () => {
  it.each<[string, unknown, unknown]>([
    ['a text', { id: '%(id)s' }, { id: 'A7' }],
    ['a number as a string', { count: '%(price)s' }, { count: '1.5' }],
    ['a whole number', { count: '%(count)i', other: '%(count)d' }, { count: 2, other: 2 }],
    ['a number', { price: '%(price)f' }, { price: 1.5 }],
    ['a value unchanged', { open: '{open}', tags: '{tags}' }, { open: true, tags: ['a'] }],
    ['in the middle of words', { note: 'order %(id)s, {count} pieces' }, { note: 'order A7, 2 pieces' }],
    ['deep inside', { a: [{ b: '%(id)s' }], c: 7, d: null }, { a: [{ b: 'A7' }], c: 7 }],
    ['without a value', { a: '%(missing)s', b: '{missing}', c: 'x{missing}' }, { c: 'x' }],
    ['what is not a placeholder', { a: '100 %', b: '{not a name}' }, { a: '100 %', b: '{not a name}' }],
  ])('%s', (_what, template, sent) => {
    expect(fill(template, values)).toEqual(sent)
  })

  it('a value that looks like a placeholder is not filled again', () => {
    expect(fill({ a: '%(a)s and {b}' }, { a: '{b}', b: '"' })).toEqual({ a: '{b} and "' })
  })
})

describe('a template in a text', () => {
  it.each([
    [
      '{"id": "%(id)s", "n": %(count)i, "list": [%(price)f]}',
      { id: '%(id)s', n: '%(count)i', list: ['%(price)f'] },
    ],
    ['{}', {}],
  ])('%s', (text, template) => {
    expect(readTemplate(text)).toEqual(template)
  })

  it.each(['{"id": ', 'id=%(id)s', 7, true])('%j is unparseable', (written) => {
    expect(readTemplate(written)).toBe('unreadable')
  })
})

describe('an address', () => {
  it('encodes values as parts of the path and the query', () => {
    expect(fillUrl('https://x.example/orders/{id}?q=%(q)s', { id: 'a/b', q: 'c&d=e' })).toBe(
      'https://x.example/orders/a%2Fb?q=c%26d%3De',
    )
  })

  it.each(['..', '.', ''])('refuses %j as a path segment', (id) => {
    expect(() => fillUrl('https://x.example/orders/{id}', { id })).toThrow(
      '"id" cannot be part of the address',
    )
  })
})

it('headers are strings', () => {
  expect(fillWords('Bearer {token}%(none)s', { token: 7 })).toBe('Bearer 7')
})
