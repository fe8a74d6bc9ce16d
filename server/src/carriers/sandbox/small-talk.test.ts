import { expect, it } from 'vitest'
import { smallTalk } from './small-talk.ts'

it.each([
  ['Hello, this is Maple Dental. How can I help you?', 'Hello, I would like to make an appointment.'],
  ['The Garden Restaurant. How can I help you?', 'Hello, I would like to book a table.'],
  ['Good. Is there anything else I can do for you?', 'No, thank you, that is all.'],
  ['Which they would you like to come?', 'Tomorrow, please.'],
  ['Could you please tell me your name?', 'My name is Anna Miller.'],
  ['And your phone number?', 'It is five five five, zero one four two.'],
  ['Great. Which day would suit you?', 'Tomorrow, please.'],
  ['What time?', 'At seven in the evening.'],
  ['For how many people?', 'For four people, please.'],
  ['Is that correct?', 'Yes, please.'],
  ['Hey, are you still there', 'Yes, I am here.'],
  ['Good morning.', 'Hello. Who is this, please?'],
  ['We are open.', 'Okay.'],
  ['', 'Sorry, I did not hear you.'],
])('answers "%s"', (heard, text) => {
  expect(smallTalk(heard, 0)).toEqual({ text, last: false })
})

it.each(['Thank you for calling. Goodbye!', 'Good-bye.', 'Have a nice day.'])(
  'leaves after "%s"',
  (heard) => {
    expect(smallTalk(heard, 0).last).toBe(true)
  },
)

it('leaves after enough turns', () => {
  expect(smallTalk('What is your name?', 6).last).toBe(false)
  expect(smallTalk('What is your name?', 7).last).toBe(true)
})
