// The estimate of tokens, beside what OpenAI's o200k counts.
import { expect, it } from 'vitest'
import { countTokens } from './count-tokens.ts'

it.each([
  [0, ''],
  [
    82,
    `You are Ava, the receptionist of Bright Dental Clinic. You are calling to remind the patient of their appointment on Tuesday at 3 pm with Doctor Lee.
Ask if they can come. If not, ask for another day that suits them and tell them that the office will call back to confirm.
The clinic is at 12 Hill Street. A cleaning takes about forty minutes. Parking is free behind the building.`,
  ],
  [19, 'あなたは歯科医院の受付です。短く親切に答えてください。'],
])('is near %i', (tokens, text) => {
  expect(Math.abs(countTokens(text) - tokens)).toBeLessThanOrEqual(tokens / 10)
})
