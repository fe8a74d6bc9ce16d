// What the built-in analysis finds in ordinary calls, and what it leaves open.
import type { CallAnalysis, TranscriptLine } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { wishesOf } from '../../../resources/calls/plan/plan-analysis.ts'
import { readModel } from '../../../resources/calls/plan/read-model.ts'
import { analyseEmbedded } from './analyse.ts'
import { dayIn } from './calendar.ts'
import { exchangesOf } from './exchanges.ts'
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
      plan: { ...wishesOf({ ...nothing, ...wishes }), timezone: undefined, model: readModel({}) },
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
})

it('quotes the evidence for or against a disposition, and says when it cannot tell', async () => {
  const action = { name: 'notify', metadata: { to: 'desk' } }
  const transcript = talk(`
    agent: Would you like our newsletter?
    user: I am not interested in the newsletter
    agent: Do you want to book a table?
    user: I would like to book a table
  `)
  const disposition_fields = [
    { field_name: 'booking', description: 'book a table', action },
    { field_name: 'interested_newsletter', description: 'interested in the newsletter' },
    { field_name: 'complaint', description: 'wants a refund because of bad food' },
  ]
  const { disposition } = await analyse({ disposition_fields }, transcript)
  expect(disposition).toMatchObject({
    booking: { matched: true, action },
    interested_newsletter: { matched: false, action: null },
    complaint: { matched: false },
  })
})

describe('sentiment', () => {
  const moodOf = (...said: string[]) =>
    sentimentOf(exchangesOf(said.flatMap((words) => talk(`agent: Go on.\nuser: ${words}`))))

  it.each([
    ['negative', ['This is terrible, I am really angry.']],
    ['positive', ['That was excellent, you were very helpful.']],
    ['neutral', ['I will come on Tuesday, thank you.']],
    ['negative', ['I am not happy with this at all, it is still broken']],
    ['positive', ['no problem, that was great']],
  ])('is %s: %j', (label, said) => {
    const mood = moodOf(...said)
    expect(mood?.label).toBe(label)
    expect(Math.abs(mood?.score ?? 2)).toBeLessThanOrEqual(1)
  })

  it('is null if the caller said nothing', () => {
    expect(sentimentOf([])).toBeNull()
  })
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
