// Words that may be the agent's own: recognized by their order and, where the voice is doubtful, by their first sounds.
import { describe, expect, it } from 'vitest'
import { withoutEcho } from './echo-words.ts'

const said = 'Hello, this is Maple Dental. How can I help you today?'

describe('words in a voice that is certainly the caller’s', () => {
  it.each([
    ['three or more that repeat the agent are removed', 'this is maple dental how can I help', ''],
    ['even with one of them misheard', 'this is maple rental how can I help you', ''],
    ['or one of them heard as two', 'hello this is may pull dental how can I help', ''],
    ['or one of them heard again', 'hello is this is maple dental how can I help', ''],
    [
      'what is said over them is kept',
      'how can I help you today I need an appointment',
      'I need an appointment',
    ],
    ['a sentence of the caller is kept', 'I need an appointment', 'I need an appointment'],
    ['a word or two that repeat the agent are kept', 'you today', 'you today'],
    ['a prefix of the agent’s word is a word of the caller', 'Hell', 'Hell'],
  ])('%s', (_, heard, left) => expect(withoutEcho(heard, said, 'caller')).toBe(left))
})

describe('words in a voice that may be the agent’s', () => {
  it.each([
    ['Welcome to the city library.', 'Welcome.', ''],
    ['Welcome to the city library.', 'Well.', ''],
    ['Welcome to the city library.', 'We', ''],
    ['Welcome to the city library.', 'Will', ''],
    ['Welcome to the city library.', 'Welcome to the sit', ''],
    ['Welcome to the city library.', 'the city lie', ''],
    ['The book is here.', 'The but.', ''],
    ['The book is here.', 'Is here.', ''],
    ['The book is here.', 'Buddha’s here.', ''],
    ['Shall we say tomorrow?', 'Tomorrow.', ''],
    ['Shall we say tomorrow?', 'Yes.', 'Yes.'],
    ['Shall we say tomorrow?', 'No, on Friday.', 'No, on Friday.'],
    ['Welcome to the city library.', 'What?', 'What?'],
    ['The book is here.', 'The bill, please.', 'bill, please.'],
    ['I am Ann.', 'A man is there.', 'A man is there.'],
    ['', 'Welcome.', 'Welcome.'],
    ['Welcome.', '', ''],
    ['你好,这里是图书馆', '你好', ''],
  ])('after “%s”, “%s” leaves “%s”', (own, heard, left) =>
    expect(withoutEcho(heard, own, 'doubtful')).toBe(left),
  )
})

it('words in the agent’s own voice are always removed, however they are transcribed', () =>
  expect(withoutEcho('Buddha.', 'The book is here.', 'agent')).toBe(''))
