// How results are printed.
import { describe, expect, it } from 'vitest'
import { shown } from './shell.ts'

describe('a line for each field', () => {
  it('keeps the value away from a long name', () => {
    expect(shown({ allowed_destinations: ['DE', 'AT'], name: 'Ada' }, false)).toBe(
      'allowed_destinations  ["DE","AT"]\nname                  Ada',
    )
    expect(shown({ name: 'Ada', prices: null }, false)).toBe(
      'name                Ada\nprices              null',
    )
  })
})

describe('a table', () => {
  const cellsOf = (value: unknown) => shown([{ value }], false).split('\n')[1]

  it.each([
    [{ name: 'Ada', city: 'Paris' }, 'name=Ada, city=Paris'],
    [{ calls: 0, tags: ['a', 'b'], none: null }, 'calls=0, tags=["a","b"], none=null'],
    [['DE', '+8816'], 'DE, +8816'],
    [
      [
        { id: 7, role: 'viewer' },
        { id: 8, role: 'admin' },
      ],
      'id=7, role=viewer; id=8, role=admin',
    ],
    [{}, '–'],
    [[], '–'],
    [null, '–'],
    [false, 'false'],
  ])('shows %j as %s', (value, cell) => expect(cellsOf(value)).toBe(cell))

  it('cuts a large object, but neither texts nor lists of ids', () => {
    expect(cellsOf({ text: 'x'.repeat(200) })).toBe(`text=${'x'.repeat(94)}…`)
    const ids = Array.from({ length: 5 }, () => '99999999-9999-4999-8999-999999999999')
    expect(cellsOf(ids)).toBe(ids.join(', '))
  })

  it('has the columns of all its rows', () => {
    const rows = [
      { file: 'a.bin', status: 'refused', error: 'No.' },
      { file: 'b.md', document_id: '7', status: 'queued' },
    ]
    expect(shown(rows, false).split('\n')).toEqual([
      'file   status   error  document_id',
      'a.bin  refused  No.    –',
      'b.md   queued   –      7',
    ])
  })
})
