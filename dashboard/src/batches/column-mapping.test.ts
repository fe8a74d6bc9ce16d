import { expect, it } from 'vitest'
import { filledGreeting, guessMapping, withHeadings } from './column-mapping.ts'
import { previewCsv } from './csv-preview.ts'

it('columns are recognised by what they are likely to mean', () => {
  expect(guessMapping(['Customer', 'Mobile', 'order'])).toEqual({
    to_phone_number: 'Mobile',
    name: 'Customer',
  })
  expect(guessMapping(['phone', 'to_phone_number'])).toEqual({ to_phone_number: 'to_phone_number' })
})

it('the file is sent with the headings that the server knows, and its rows as they are', () => {
  const text = '\uFEFF"My, number",name,who\r\n+15550100,"a ""b""",Ada\r\n'
  const sent = withHeadings(text, previewCsv(text), { to_phone_number: 'My, number', name: 'who' })
  expect(sent).toBe('to_phone_number,name_in_file,name\r\n+15550100,"a ""b""",Ada\r\n')
  expect(previewCsv(sent).faults).toEqual([])
})

it('a file whose headings are known is sent as it is', () => {
  const text = 'to_phone_number,order\n+15550100,7\n'
  expect(withHeadings(text, previewCsv(text), guessMapping(['to_phone_number', 'order']))).toBe(text)
})

it('a greeting has the values of the row, and says which it lacks', () => {
  expect(filledGreeting('Hello {name}, order {order}?', ['name', 'order'], ['Ada', ''])).toEqual({
    text: 'Hello Ada, order {order}?',
    missing: ['order'],
  })
})
