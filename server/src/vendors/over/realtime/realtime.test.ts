// What realtime models share: what they were told, what was heard of an answer, where words end.
import { expect, it } from 'vitest'
import type { ChatMessage } from '../../../ports/language-model.ts'
import { messagesSince } from './messages.ts'
import { placeInSpeech } from './same-words.ts'
import { SpeechPace } from './speech-pace.ts'
import { wholeWordsOf } from './whole-words.ts'

const caller = (content: string): ChatMessage => ({ role: 'user', content })
const agent = (content: string): ChatMessage => ({ role: 'assistant', content })
const since = (known: readonly ChatMessage[], all: readonly ChatMessage[]) =>
  messagesSince(known, all).map(({ content }) => content)

it('a caller who says the same twice has said something new', () => {
  const known = [agent('Hello.'), caller('yes')]
  expect(since(known, [...known, agent('Shall I?'), caller('yes')])).toEqual(['Shall I?', 'yes'])
})

it('messages that have fallen out of a long conversation are not missed', () => {
  const known = [agent('Hello.'), caller('one'), agent('two'), caller('three')]
  expect(since(known, [agent('two'), caller('three'), agent('four'), caller('five')])).toEqual([
    'four',
    'five',
  ])
})

it('a turn of the caller that was corrected does not repeat what came before it', () => {
  const known = [caller('one'), agent('two'), caller('tree')]
  expect(since(known, [caller('one'), agent('two'), caller('three'), agent('four')])).toEqual([
    'three',
    'four',
  ])
})

it('who knows nothing is told everything', () => {
  expect(since([], [agent('Hello.'), caller('one')])).toEqual(['Hello.', 'one'])
  expect(since([caller('gone')], [agent('Hello.')])).toEqual(['Hello.'])
})

it('words are found whatever their signs, and only from where the last ones ended', () => {
  expect(placeInSpeech('we open', 'Yes: **We** open!')).toEqual({ to: 9 })
  expect(placeInSpeech('No.', 'No. No.', 2)).toEqual({ to: 4 })
  expect(placeInSpeech('No.', 'No. No.', 4)).toBeUndefined()
})

it('the words that a sound has not reached are told by the pace of the voice', () => {
  const pace = new SpeechPace()
  const text = 'One hour later, the doors were opened again.'
  expect(pace.unsaid(text, 0)).toBe(text)
  expect(pace.unsaid(text, 11 * 66)).toBe('the doors were opened again.')
  pace.learn('Abcde fghij.', 1_000)
  expect(pace.unsaid(text, 1_100)).toBe('the doors were opened again.')
  expect(pace.unsaid(text, 20_000)).toBe('')
})

it('a word that may go on is not whole, where words have ends', () => {
  expect(wholeWordsOf('We open at ni')).toBe('We open at ')
  expect(wholeWordsOf('We open at nine.')).toBe('We open at nine.')
  expect(wholeWordsOf('ab neuf heures et dem')).toBe('ab neuf heures et ')
  expect(wholeWordsOf('私たちは九時')).toBe('私たちは九時')
})
