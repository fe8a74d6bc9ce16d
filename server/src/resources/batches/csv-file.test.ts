// The file of recipients, in pieces of any size.
import { expect, it } from 'vitest'
import { readCsv } from './csv-file.ts'

async function* piecesOf(text: string, length: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function read(text: string, length: number): Promise<unknown[]> {
  const rows: unknown[] = []
  await readCsv(piecesOf(text, length), (row) => void rows.push(row))
  return rows
}

it.each(['\n', '\r\n', '\r', '\r\r\n'])('lines may end with %j, wherever the file is cut', async (end) => {
  const text = ['to_phone_number,name', '+15550100,"Ada, L."', ',', '+15550101,', ''].join(end)
  for (const length of [1, 2, 3, 5, 7, 1_000])
    expect(await read(text, length)).toEqual([
      { to_phone_number: '+15550100', name: 'Ada, L.' },
      { to_phone_number: '+15550101' },
    ])
})
