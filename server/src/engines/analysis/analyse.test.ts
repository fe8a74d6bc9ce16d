// What the built-in analysis finds in ordinary calls, and what it leaves open.
import type { CallAnalysis, TranscriptLine } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { wishesOf } from '../../resources/calls/plan/plan-analysis.ts'
import { readModel } from '../../resources/calls/plan/read-model.ts'
import { analyseEmbedded } from './analyse.ts'
import { dayIn } from './calendar.ts'
import { sentimentOf } from './sentiment.ts'

const talk = (text: string): TranscriptLine[] =>
  text
    .trim()
    .split('\n')
    .map((line, turn) => {
      const [, role = '', content = ''] = line.trim().match(/^(agent|user): (.*)$/) ?? []
      return {
        turn,
        role: role as 'agent',
        content,
        start_time: turn,
        end_time: turn + 1,
        interrupted: false,
      }
    })

const booking = talk(`
  agent: Bright Dental, this is Ava. How can I help you?
  user: Hi, I would like to book a cleaning. My tooth hurts and I am worried.
  agent: Gladly. May I have your name, please?
  user: It's Maria Lopez
  agent: Thank you, Maria. What is your phone number?
  user: five five five oh one two three four
  agent: What is your e-mail address?
  user: maria at example dot com
  agent: Which day would suit you?
  user: next Tuesday at half past three
  agent: Have you been here before?
  user: no, never
  agent: How many people come with you?
  user: two
  agent: What is your budget for the treatment?
  user: about three hundred dollars
  agent: Thank you. Good-bye.
`)

const nothing: CallAnalysis = { summary: false, sentiment: false, data_extraction: false }
// A Sunday.
const at = new Date('2026-11-15T10:00:00Z')

const analyse = (wishes: Partial<CallAnalysis>, transcript = booking) =>
  analyseEmbedded(
    {
      plan: {
        ...wishesOf({ ...nothing, ...wishes }),
        rubric: null,
        timezone: undefined,
        model: readModel({}),
      },
      transcript,
      at,
    },
    undefined,
    new AbortController().signal,
  )

const field = (field_name: string, data_type: string, description?: string) => ({
  field_name,
  data_type,
  ...(description && { description }),
})

it('anything not requested is null', async () => {
  expect(await analyse({})).toEqual({
    summary: null,
    sentiment: null,
    disposition: null,
    dataExtraction: null,
    reasons: {},
    judgements: {},
  })
})

it('extracts typed values, and null where nothing was said', async () => {
  const data_extraction_fields = [
    field('customer_name', 'string'),
    field('phone_number', 'string'),
    field('email', 'email'),
    field('appointment_day', 'date', 'the day that suits the caller'),
    field('visited_before', 'boolean', 'whether the caller has been here before'),
    field('number_of_people', 'integer', 'how many people come'),
    field('budget', 'amount'),
    field('insurance_number', 'number', 'the number of the insurance policy'),
    field('favourite_colour', 'string'),
  ]
  const { dataExtraction } = await analyse({ data_extraction: true, data_extraction_fields })
  expect(dataExtraction).toEqual({
    customer_name: 'Maria Lopez',
    phone_number: '55501234',
    email: 'maria@example.com',
    appointment_day: '2026-11-17',
    visited_before: false,
    number_of_people: 2,
    budget: 300,
    insurance_number: null,
    favourite_colour: null,
  })
})

it('summarises with sentences of the call and their speakers', async () => {
  const { summary } = await analyse({ summary: true })
  expect(summary).toMatch(/^The (?:caller|agent) said: “/)
  expect(summary).toContain('book a cleaning')
  expect(summary?.match(/said:/g)?.length).toBeLessThanOrEqual(4)
  expect((await analyse({ summary: true }, talk('agent: Hello.'))).summary).toBeNull()
  const named = talk('user: I want to see the dentist, my name is Anna Miller,')
  expect((await analyse({ summary: true }, named)).summary).toContain('Anna Miller.”')
})

it('quotes the evidence for or against a disposition, and says when it cannot tell', async () => {
  const action = { name: 'notify', metadata: { to: 'desk' } }
  const transcript = talk(`
    agent: Would you like our newsletter?
    user: I am not interested in the newsletter
    agent: Do you want to book a table?
    user: I would like to book a table
    agent: Do you want a window seat?
    user: No
  `)
  const disposition_fields = [
    { field_name: 'booking', description: 'book a table', action },
    { field_name: 'interested_newsletter', description: 'interested in the newsletter' },
    { field_name: 'window', description: 'want a window seat' },
    { field_name: 'complaint', description: 'wants a refund because of bad food' },
  ]
  const { disposition } = await analyse({ disposition_fields }, transcript)
  expect(disposition).toMatchObject({
    booking: { matched: true, action },
    interested_newsletter: { matched: false, action: null },
    window: { matched: false },
    complaint: { matched: null },
  })
})

describe('sentiment', () => {
  const moodOf = (...said: string[]) =>
    sentimentOf(said.flatMap((words) => talk(`agent: Go on.\nuser: ${words}`)))

  it.each([
    ['negative', ['This is terrible, I am really angry.']],
    ['positive', ['That was excellent, you were very helpful.']],
    ['neutral', ['I will come on Tuesday, thank you.']],
    ['negative', ['I am not happy with this at all, it is still broken']],
    ['positive', ['no problem, that was great']],
  ])('is %s: %j', (label, said) => {
    const found = moodOf(...said)
    expect(found).toMatchObject({ sentiment: { label } })
    if ('sentiment' in found) expect(Math.abs(found.sentiment.score)).toBeLessThanOrEqual(1)
  })

  it.each([
    ['a quotation', 'My neighbour said you were awful.'],
    ['a story', 'Once there was a happy king who loved his garden.'],
    ['sarcasm', 'Great, just great, three hours without water.'],
    ['praise and complaint', 'I love it, but it is the worst.'],
    ['an exclamation', 'I paid that last month!'],
  ])('is left open, with the reason: %s', (_, said) => {
    expect(moodOf(said)).toEqual({ unknown: expect.stringMatching(/cannot be (?:told|weighed)/) })
  })

  it('is unknown if the caller said nothing', () => {
    expect(sentimentOf([])).toEqual({ unknown: 'The caller said nothing.' })
  })
})

describe('what was arranged', () => {
  const booked = (transcript: string) =>
    analyse(
      {
        data_extraction: true,
        data_extraction_fields: [field('booked', 'boolean', 'whether an appointment was booked')],
      },
      talk(transcript),
    )

  it('is what the agent confirmed, not what the caller said yes to', async () => {
    const confirmed = await booked('agent: Tuesday?\nuser: No, Monday.\nagent: You are booked for Monday.')
    expect(confirmed.dataExtraction).toEqual({ booked: true })
    const taken = await booked('agent: Shall I book it?\nuser: Yes.\nagent: I am afraid it is taken.')
    expect(taken.dataExtraction).toEqual({ booked: null })
    expect(taken.reasons['data_extraction.booked']).toContain('Nobody said')
    const declined = await booked('agent: Shall I book it?\nuser: No.\nagent: Goodbye.')
    expect(declined.dataExtraction).toEqual({ booked: false })
  })
})

it('answers the questions of a rubric that words can answer', async () => {
  const question = (question: string, answer: 'yes-no' | 'scale-1-5' = 'yes-no') =>
    ({ name: question, question, answer, weight: 1, pass: true }) as const
  const questions = [
    question('Did the agent ask for the name?'),
    question('Did the agent say goodbye?'),
    question('Did the agent apologise?'),
    question('Was the agent patient?'),
    question('How friendly was the agent?', 'scale-1-5'),
  ]
  const { judgements } = await analyseEmbedded(
    {
      plan: {
        ...wishesOf(nothing),
        rubric: { questions, passScore: 70 },
        timezone: undefined,
        model: readModel({}),
      },
      transcript: booking,
      at,
    },
    undefined,
    new AbortController().signal,
  )
  expect(Object.values(judgements).map(({ value }) => value)).toEqual([true, true, false, null, null])
  for (const { reason } of Object.values(judgements)) expect(reason).not.toBe('')
})

it.each([
  ['tomorrow morning', '2026-11-16'],
  ['the day after tomorrow', '2026-11-17'],
  ['next Tuesday', '2026-11-17'],
  ['Sunday', '2026-11-22'],
  ['in two weeks', '2026-11-29'],
  ['the third of December', '2026-12-03'],
  ['March 5th', '2027-03-05'],
  ['May twenty first 1990', '1990-05-21'],
  ['2027-02-30', undefined],
  ['whenever you like', undefined],
])('%j resolves to %s', (said, day) => {
  expect(dayIn(said, new Date('2026-11-15T00:00:00Z'))).toBe(day)
})
