// Multipart forms, intact and damaged: each is either read or refused, and none hangs.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readForm } from './csv-form.ts'

const boundary = 'edge'
const contentType = `multipart/form-data; boundary=${boundary}`
const part = (name: string, value: string, more = '') =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const csv = 'to_phone_number,name\n+15550100,"Zoë"\n+15550101,B\n'
const file = part('file', csv, '; filename="list.csv"\r\ncontent-type: text/csv')
const form = Buffer.from(
  `${part('name', 'N')}${part('metadata', '{"a":[1]}')}${file}${part('max_concurrency', '3')}--${boundary}--\r\n`,
)

async function read(body: Uint8Array, pieceBytes: number) {
  const rows: unknown[] = []
  async function* bytes() {
    for (let at = 0; at < body.length; at += pieceBytes) yield Buffer.from(body.subarray(at, at + pieceBytes))
  }
  const take = (row: unknown) => void rows.push(row)
  return { ...(await readForm({ contentType, bytes: bytes() }, take)), rows }
}

/** Bytes removed, bytes inserted. */
const damage = fc.record({
  at: fc.nat({ max: form.length }),
  cut: fc.nat({ max: 60 }),
  put: fc.oneof(
    fc.constantFrom(
      '\r\n',
      `--${boundary}`,
      `--${boundary}--`,
      `--${boundary}\r\n`,
      '"',
      '\0',
      '\\u0000',
      'é',
    ),
    fc.string({ maxLength: 5 }),
  ),
})

const damaged = (hurts: readonly { at: number; cut: number; put: string }[]): Buffer =>
  hurts.reduce(
    (body, { at, cut, put }) =>
      Buffer.concat([body.subarray(0, at), Buffer.from(put, 'latin1'), body.subarray(at + cut)]),
    form,
  )

describe('a form', () => {
  it('is read the same in chunks of any size', async () => {
    const expected = {
      settings: { recipients: [], name: 'N', metadata: { a: [1] }, max_concurrency: 3 },
      faults: [],
      rows: [
        { to_phone_number: '+15550100', name: 'Zoë' },
        { to_phone_number: '+15550101', name: 'B' },
      ],
    }
    for (const pieceBytes of [1, 2, 7, 64, form.length]) {
      const { settings, faults, rows } = await read(form, pieceBytes)
      expect({ settings: { ...(settings as object) }, faults, rows }).toEqual(expected)
    }
  })

  it('that is damaged in any way is read or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 300 }),
        async (hurts, pieceBytes) => {
          const outcome = await read(damaged(hurts), pieceBytes).catch((error) => error)
          if (outcome instanceof Error) expect(outcome).toMatchObject({ status: 400 })
        },
      ),
      {
        numRuns: 150,
        interruptAfterTimeLimit: 20_000,
        // A part header that never ends, an unterminated file, and text that no database stores.
        examples: [
          [[{ at: form.indexOf('filename'), cut: 200, put: '' }], 64],
          [[{ at: form.indexOf('+15550101'), cut: form.length, put: '' }], 64],
          [[{ at: form.indexOf('[1]'), cut: 3, put: '"\\u0000"' }], 64],
        ],
      },
    )
  })
})
