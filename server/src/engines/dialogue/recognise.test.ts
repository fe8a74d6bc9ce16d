// Answers as people give them on the telephone and as a recognizer transcribes them.
import { describe, expect, it } from 'vitest'
import { recognise, volunteered } from './recognise.ts'
import { slotOf } from './slot.ts'

const words = (question: string, said: string) => recognise(slotOf(question), said)?.words

describe('a name', () => {
  it.each([
    ['my name is Maria Lopez', 'Maria Lopez'],
    ['this is maria lopez and I have a question', 'Maria Lopez'],
    ["It's Tom.", 'Tom'],
    ['um, Anna-Lena Weiß please', 'Anna-Lena Weiß'],
    ['Bob speaking', 'Bob'],
    ["O'Neill", "O'Neill"],
    ['why do you ask', undefined],
    ['I am not sure', undefined],
    ['tomorrow', undefined],
    ['no', undefined],
    ['what', undefined],
    ['', undefined],
  ])('%s', (said, name) => {
    expect(words('What is your name?', said)).toBe(name)
  })
})

describe('a telephone number', () => {
  it.each([
    ['555 123 4567', '5 5 5, 1 2 3, 4 5 6 7'],
    ['it is five five five, oh one two three four', '5 5 5, 0 1 2, 3 4'],
    ['double five five one two triple three', '5 5 5, 1 2 3, 3 3'],
    ['+44 (0)20 7946-0123', '4 4 0, 2 0 7, 9 4 6, 0 1 2 3'],
    ['five five five', undefined],
    ['I have none', undefined],
    ['1234567890123456', undefined],
  ])('%s', (said, number) => {
    expect(words('What is your phone number?', said)).toBe(number)
  })
})

describe('an e-mail address', () => {
  it.each([
    ['maria@example.com', 'maria at example dot com'],
    ['it is john dot smith at example dot co dot uk', 'john dot smith at example dot co dot uk'],
    ['j o h n at example dot com', 'john at example dot com'],
    ['I am at home', undefined],
  ])('%s', (said, address) => {
    expect(words('What is your e-mail address?', said)).toBe(address)
  })
})

describe('a day', () => {
  it.each([
    ['tuesday would be nice', 'Tuesday'],
    ['how about next friday', 'next Friday'],
    ['the day after tomorrow', 'the day after tomorrow'],
    ['march third', 'March third'],
    ['on the 5th of may', 'the 5th of May'],
    ['12/05', '12/05'],
    ['march third nineteen eighty five', 'March third nineteen eighty five'],
    ['whenever', undefined],
  ])('%s', (said, day) => {
    expect(words('Which day would suit you?', said)).toBe(day)
  })
})

describe('a time', () => {
  it.each([
    ['at half past three', 'half past three'],
    ['3 pm', '3 pm'],
    ['seven thirty in the evening', 'seven thirty in the evening'],
    ['14:30', '14:30'],
    ['seven', 'seven'],
    ['noon', 'noon'],
    ['in the morning', 'in the morning'],
    ['I do not care', undefined],
  ])('%s', (said, time) => {
    expect(words('What time would suit you?', said)).toBe(time)
  })
})

describe('a number', () => {
  it.each([
    ['four', '4'],
    ['twenty three', '23'],
    ['a hundred and fifty', '150'],
    ['two thousand five hundred', '2500'],
    ['For,', '4'],
    ['1,200', '1200'],
    ['just me', '1'],
    ['none', '0'],
    ['many', undefined],
  ])('%s', (said, number) => {
    expect(words('How many people are coming?', said)).toBe(number)
  })

  it('outside the scale is rejected', () => {
    const ask = 'On a scale from 1 to 5, how happy are you?'
    expect([words(ask, 'five'), words(ask, 'six')]).toEqual(['5', undefined])
  })
})

describe('yes or no', () => {
  it.each([
    ['yes', 'yes'],
    ['yeah sure', 'yes'],
    ['I do', 'yes'],
    ['that works', 'yes'],
    ['nope', 'no'],
    ['not really', 'no'],
    ["I don't think so", 'no'],
    ['probably yes', 'yes'],
    ['no I am busy then', 'no'],
  ])('%s', (said, answer) => {
    expect(recognise({ kind: 'yes-no' }, said)?.polarity).toBe(answer)
  })

  it('a whole sentence counts as an answer, a question does not', () => {
    expect(recognise({ kind: 'yes-no' }, 'my wife owns it')?.words).toBe('my wife owns it')
    expect(recognise({ kind: 'yes-no' }, 'why do you want to know')).toBeUndefined()
  })
})

it('one of several options', () => {
  const ask = 'Would you like it small, medium or large?'
  expect(words(ask, 'the large one')).toBe('large')
  expect(words(ask, 'hm')).toBeUndefined()
})

it('free text, but not small talk', () => {
  const ask = 'What is the problem?'
  expect(words(ask, 'It is broken.')).toBe('It is broken')
  expect(words(ask, 'pardon?')).toBeUndefined()
  expect(words(ask, 'are you a robot')).toBeUndefined()
})

it('is accepted unasked only if it is unambiguous', () => {
  const said = 'a table for four on friday at seven thirty, my name is Tom'
  const found = [
    'How many guests?',
    'When will you come?',
    'What is your name?',
    'What is your e-mail address?',
  ]
  expect(found.map((ask) => volunteered(slotOf(ask), said)?.words)).toEqual([
    '4',
    'Friday at seven thirty',
    'Tom',
    undefined,
  ])
  expect(volunteered(slotOf('What is your name?'), 'good evening')).toBeUndefined()
})
