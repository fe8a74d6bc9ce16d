// How the policy handles real calls: interrupted questions, callers who continue, words it did not generate.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ChatMessage } from '../../ports/language-model.ts'
import { decideReply } from './decide-reply.ts'
import { readBrief } from './read-brief.ts'

const prompt = `You are Ava, the receptionist of Bright Dental. We are open 9 to 5. A cleaning costs 80 dollars.
Ask for the caller's name and phone number. Ask if they are a new patient. Ask what the problem is.`
const brief = readBrief(prompt)

const agent = (content: string): ChatMessage => ({ role: 'assistant', content })
const caller = (content: string): ChatMessage => ({ role: 'user', content })
const greeting = agent('Bright Dental, how can I help?')
const after = (...messages: ChatMessage[]) => decideReply(brief, [greeting, ...messages]).text

it('a question interrupted before it was heard is asked again', () => {
  expect(
    after(
      caller('I need help'),
      agent('May I have your name, please?'),
      caller('Tom'),
      agent('Thank you, Tom.'),
      caller('my tooth hurts'),
    ),
  ).toBe('What is your phone number?')
})

it('consecutive caller messages are one utterance', () => {
  expect(
    after(caller('I need help'), agent('May I have your name, please?'), caller('Tom'), caller('Baker')),
  ).toBe('Thank you, Tom. What is your phone number?')
})

it('an agent message that it did not generate does not make it forget its question', () => {
  expect(
    after(
      caller('I need help'),
      agent('May I have your name, please?'),
      agent('Hey, are you still there'),
      caller('Tom'),
    ),
  ).toBe('Thank you, Tom. What is your phone number?')
})

it('a greeting may ask the first question', () => {
  const asked = agent('Bright Dental. May I have your name, please?')
  expect(decideReply(brief, [asked, caller('Tom Baker')]).text).toBe(
    'Thank you, Tom. What is your phone number?',
  )
})

it('a question is given up after the second try', () => {
  const failing = [caller('I need help'), agent('May I have your name, please?'), caller('no')]
  const second = 'Sorry, I did not catch that. May I have your name, please?'
  expect(after(...failing)).toBe(second)
  expect(after(...failing, agent(second), caller('no'))).toBe(
    'Never mind, let us go on. What is your phone number?',
  )
})

it('it never invents facts', () => {
  expect(after(caller('do you sell cars?'))).toBe('I am sorry, I do not know that. Shall I take a message?')
})

it('without a greeting it introduces itself', () => {
  expect(decideReply(brief, []).text).toBe(
    'Hello. This is Ava, the receptionist of Bright Dental. How can I help you?',
  )
})

it('a silent caller is told so, and not hung up on', () => {
  expect(decideReply(brief, [greeting, caller(' ')])).toEqual({
    text: 'Sorry, I cannot hear you.',
    ends: false,
    asks: true,
  })
})

it('a caller who said goodbye is not kept', () => {
  expect(decideReply(brief, [greeting, caller('bye')])).toEqual({
    text: 'Thank you for your time. Good-bye.',
    ends: true,
    asks: true,
  })
})

it('for any caller: it always answers, never the same twice in a row, and deterministically', () => {
  const utterance = fc.oneof(
    fc.constantFrom(
      'yes',
      'no',
      'hello',
      'pardon?',
      'what',
      'who are you',
      'are you a robot?',
      'thanks',
      'Tom Baker',
      '555 123 4567',
      'when are you open',
      'how much is a cleaning',
      'I want to talk to a human',
      'next friday at ten',
      'that is wrong',
      "I don't know",
      'my tooth hurts',
      'the phone number',
      'ok',
      'um',
      '...',
      'is that so?',
      'call me later maybe?',
    ),
    fc.string(),
    fc.lorem(),
  )
  fc.assert(
    fc.property(fc.array(utterance, { maxLength: 20 }), (utterances) => {
      const messages: ChatMessage[] = [greeting]
      for (const said of utterances) {
        messages.push(caller(said))
        const { text } = decideReply(brief, messages)
        expect(text).toBe(decideReply(brief, messages).text)
        expect(text).toMatch(/\w/)
        const last = messages.findLast(({ role }) => role === 'assistant')?.content
        expect(text).not.toBe(last)
        messages.push(agent(text))
      }
    }),
    { numRuns: 300 },
  )
})

it('any prompt is parsed and answered', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'Ask ',
      'for ',
      'if they ',
      'their name',
      ', and ',
      'Q: ',
      'A: ',
      '\n',
      '- ',
      '# FAQ',
      '?',
      '. ',
      'If yes, ',
      'tell them that ',
      'You are ',
      'say "',
      '"',
      ' or ',
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(
        decideReply(readBrief(pieces.join('')), [caller('hello'), agent('Hi.'), caller('yes')]).text,
      ).toMatch(/\S/)
    }),
  )
})
