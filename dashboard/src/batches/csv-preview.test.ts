import { expect, it } from 'vitest'
import { previewCsv } from './csv-preview.ts'

it('shows the columns, the number of rows and the first of them', () => {
  const rows = Array.from({ length: 9 }, (_, at) => `+1555010${at},"Ada ""${at}"", L."`)
  const preview = previewCsv(`\uFEFFto_phone_number,name\r\n${rows.join('\r\n')}\r\n\r\n`)
  expect(preview).toMatchObject({ columns: ['to_phone_number', 'name'], rows: 9, faults: [], faultyRows: 0 })
  expect(preview.first).toHaveLength(5)
  expect(preview.first[1]).toEqual(['+15550101', 'Ada "1", L.'])
})

it('finds what the server would refuse, row by row', () => {
  const { faults, faultyRows } = previewCsv(
    'to_phone_number,recipient_id\n+15550100,a\n0800 12,b\n+15550101,a\n+15550102\n',
  )
  expect(faultyRows).toBe(3)
  expect(faults).toEqual([
    'Row 2: 0800 12 is no telephone number with its country code, such as +15550100.',
    'Row 3: The same recipient_id as row 1.',
    'Row 4: 1 cells instead of 2.',
  ])
})

it('says when there is no column of numbers', () => {
  expect(previewCsv('phone\n+15550100\n').faults[0]).toContain('to_phone_number')
})

it.each(['\n', '\r\n', '\r'])('passes over rows without anything, with lines that end in %j', (end) => {
  const lines = ['to_phone_number,name', '+15550100,Ada', ',', '', ' , ', '+15550101,"Grace', 'H."', ',,']
  expect(previewCsv(lines.join(end))).toMatchObject({
    rows: 2,
    faults: [],
    first: [
      ['+15550100', 'Ada'],
      ['+15550101', `Grace${end}H.`],
    ],
  })
})
