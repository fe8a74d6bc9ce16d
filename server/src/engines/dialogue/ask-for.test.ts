// From the name of a piece of information to the question for it.
import { expect, it } from 'vitest'
import { askFor } from './ask-for.ts'

it.each([
  ['their name', 'May I have your name, please?'],
  ['the name of the caller', 'May I have your name, please?'],
  ['the phone number of the customer', 'What is your phone number?'],
  ['the date of birth of the patient', 'What is your date of birth?'],
  ['the day they would like to come', 'Which day would you like to come?'],
  ['the date and time they want', 'Which day and time do you want?'],
  ['a time that suits them', 'Which time would suit you?'],
  ['the number of guests', 'How many guests?'],
  ['the reason of the call', 'What is the reason of the call?'],
])('%s: %s', (thing, question) => {
  expect(askFor(thing).ask).toBe(question)
})
