// Real-life prompts, and what is extracted from them.
import { describe, expect, it } from 'vitest'
import { readBrief } from './read-brief.ts'

const asks = (prompt: string) => readBrief(prompt).questions.map(({ ask }) => ask)

describe('questions', () => {
  it.each<[string, string[]]>([
    [
      'Ask for the caller’s name and phone number.',
      ['May I have your name, please?', 'What is your phone number?'],
    ],
    [
      'Collect: name, e-mail, preferred date.',
      ['May I have your name, please?', 'What is your e-mail?', 'Which day would suit you?'],
    ],
    ['Ask the customer if they can come.', ['Can you come?']],
    ['Ask whether they own their home.', ['Do you own your home?']],
    ['Find out whether the parcel arrived.', ['May I ask whether the parcel arrived?']],
    ['Ask how satisfied they are.', ['How satisfied are you?']],
    ['Ask what the problem is.', ['What is the problem?']],
    ['Ask how many people are coming.', ['How many people are coming?']],
    ['Ask for the number of guests.', ['How many guests?']],
    ['Ask for their symptoms.', ['What are your symptoms?']],
    ['1. How was it?\n2) Will you come again?', ['How was it?', 'Will you come again?']],
    ['Ask the following: "How was it?"', ['How was it?']],
    ['Questions:\n- your age\n- whether you smoke', ['What is your age?', 'Do you smoke?']],
    ['If someone wants a tour, ask for their name.', ['May I have your name, please?']],
    [
      'You take messages for Bob. Take a message.',
      ['May I have your name, please?', 'What is your phone number?', 'What is your message?'],
    ],
    [
      'Help callers book appointments.',
      ['May I have your name, please?', 'Which day and time would suit you?', 'What is your phone number?'],
    ],
    ['Be friendly. Never ask for passwords.', []],
    ['If the caller is angry, ask for the manager’s number.', []],
  ])('%s', (prompt, questions) => {
    expect(asks(prompt.replaceAll('’', "'"))).toEqual(questions)
  })

  it('can depend on the answer to another', () => {
    const prompt = 'Ask if they can come. If yes, ask for their name. If not, tell them that we are sorry.'
    const { questions, statements } = readBrief(prompt)
    expect(questions[1]).toMatchObject({ condition: { question: 'q1', is: 'yes' } })
    expect(statements).toEqual([{ text: 'We are sorry.', condition: { question: 'q1', is: 'no' } }])
  })
})

describe('facts', () => {
  it.each<[string, string[]]>([
    ['We are open 9 to 5. Be polite. Parking is free.', ['We are open 9 to 5.', 'Parking is free.']],
    ['Q: Do you deliver?\nA: Yes, in town.', ['Yes, in town.']],
    ['Q: Do you deliver? A: Yes, in town.', ['Yes, in town.']],
    ['FAQ:\n- Do you deliver? Yes, in town.', ['Yes, in town.']],
    ['Address: 5 High Street.', ['Address: 5 High Street.']],
    ['If they ask about parking, say that it is behind the house.', ['It is behind the house.']],
    ['Ms. Lee is our dentist. St. Mary is near.', ['Ms. Lee is our dentist.', 'St. Mary is near.']],
    ['You are Ava. Keep it short. Do not lie. Always be kind.', []],
  ])('%s', (prompt, facts) => {
    expect(readBrief(prompt).facts.map(({ text }) => text)).toEqual(facts)
  })
})

describe('identity', () => {
  it.each([
    ['You are Ava, the friendly receptionist of Bright Dental.', 'Ava', 'the receptionist of Bright Dental'],
    [
      'You are a helpful AI assistant named Leo working for Fit Club.',
      'Leo',
      'the assistant working for Fit Club',
    ],
    ['You are **Emma**, a virtual assistant for GreenLeaf.', 'Emma', 'the assistant for GreenLeaf'],
    ['Your name is Sam.', 'Sam', undefined],
    ['Be brief.', undefined, undefined],
  ])('%s', (prompt, name, role) => {
    expect(readBrief(prompt)).toMatchObject({ name, role })
  })
})

it('purpose and closing', () => {
  const prompt =
    'You are calling to remind the customer of their visit on Monday. Thank them for their trust at the end.'
  expect(readBrief(prompt)).toMatchObject({
    purpose: 'remind you of your visit on Monday',
    statements: [{ text: 'This is a reminder of your visit on Monday.' }],
    closing: 'Thank you for your trust.',
  })
})

it.each(['', '   ', '???', '{{{', '- \n- \n#\n:', 'Q:', 'If', 'ask', 'Ask for', '"', 'Collect:'])(
  'nothing much in %j is no trouble',
  (prompt) => {
    expect(readBrief(prompt).facts).toEqual([])
  },
)
