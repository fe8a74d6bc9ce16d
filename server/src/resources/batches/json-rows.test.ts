// However a body is split into chunks, the result equals JSON.parse of the whole.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Failure } from '../../http/failure.ts'
import { JsonRows } from './json-rows.ts'

function read(text: string | Buffer, cuts: readonly number[] = []) {
  const bytes = Buffer.from(text)
  const reader = new JsonRows()
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const rows = places.slice(1).flatMap((end, at) => reader.push(bytes.subarray(places[at], end)))
  return { rows, rest: reader.end() }
}

const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('recipients', 'a"b', 'a\\', '[', '}'))
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.integer(),
    fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !text.includes('\0')),
    fc.constantFrom('","', '\\"', ']', '[{', '\\', '"recipients":['),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      key.filter((name) => name !== '__proto__' && name.isWellFormed() && !name.includes('\0')),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
}))

describe('a body', () => {
  it('is read the same, however it is chunked', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('name', 'agent_id', 'x'),
          value.filter((v) => v !== undefined),
          { noNullPrototype: true },
        ),
        fc.array(value, { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.constantFrom(undefined, 1),
        (before, recipients, cuts, indent) => {
          const body = { ...before, recipients, last: 1 }
          const { rows, rest } = read(JSON.stringify(body, null, indent), cuts)
          expect(rows).toEqual(JSON.parse(JSON.stringify(recipients)))
          expect(rest).toEqual(JSON.parse(JSON.stringify({ ...body, recipients: [] })))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('without recipients is returned whole at the end', () => {
    expect(read('{"name":"x","recipients":"none"}')).toEqual({
      rows: [],
      rest: { name: 'x', recipients: 'none' },
    })
    expect(read('[{"recipients":[1]}]')).toEqual({ rows: [], rest: [{ recipients: [1] }] })
  })

  it.each([
    '{"recipients":[1,]}',
    '{"recipients":[,1]}',
    '{"recipients":[1,,2]}',
    '{"recipients":[1 2]}',
    '{"recipients":[{]}]}',
    '{"recipients":[1}}',
    '{"recipients":[1',
    '{"recipients":[]',
    '{"recipients":[1],"recipients":[2]}',
    '{"recipients":[{"a":"\u00e9',
    `{"recipients":[${'['.repeat(100)}`,
  ])('%s is refused, however it is chunked', (text) => {
    for (let cut = 0; cut <= text.length; cut++) {
      expect(() => read(text, [cut])).toThrow(expect.objectContaining({ code: 'INVALID_JSON' }) as Failure)
    }
  })

  it('that is not UTF-8 is refused', () => {
    const bytes = Buffer.concat([Buffer.from('{"recipients":["'), Buffer.from([0xff]), Buffer.from('"]}')])
    expect(() => read(bytes)).toThrow('UTF-8')
  })
})
