// What words alone show: whether more will follow, what they signal, where to split them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClauseCutter } from '../think/clauses.ts'
import { looksUnfinished } from './end-of-turn.ts'
import { type MachineWords, machineWords } from './machine-words.ts'
import { isBackchannel, isStopPhrase } from './word-list.ts'

describe('more will follow', () => {
  it.each([
    'my number is',
    'I would like to book a table for',
    'my name is Anna and',
    'um',
    'I want, uh',
    'five five five',
    '555 01',
    'the first thing,',
    'well',
    'it was because',
    'I live at the',
  ])('after "%s"', (words) => expect(looksUnfinished(words, 'en')).toBe(true))

  it.each([
    'hello there',
    'yes',
    'two',
    'at 42',
    'five five five oh one two three four five six',
    '555-012-3456',
    'Yes, I am.',
    'who is that',
    'what is it?',
    'book a table for two',
    '',
  ])('not after "%s"', (words) => expect(looksUnfinished(words, 'en')).toBe(false))
})

describe('a few words', () => {
  it.each(['mhm', 'Yeah.', 'okay okay', 'I see', 'Uh-huh'])('"%s" is a backchannel', (words) =>
    expect(isBackchannel(words, 'en')).toBe(true),
  )
  it.each(['', 'yes but no', 'okay and then what happened', 'no'])('"%s" is not', (words) =>
    expect(isBackchannel(words, 'en')).toBe(false),
  )
  it.each(['stop', 'Wait!', 'okay hold on', 'just a second please'])('"%s" stops the agent', (words) =>
    expect(isStopPhrase(words, 'en')).toBe(true),
  )
  it.each(['I will meet you at the bus stop tomorrow', 'yes', ''])('"%s" does not', (words) =>
    expect(isStopPhrase(words, 'en')).toBe(false),
  )
})

describe('what picks up', () => {
  const table: Readonly<Record<MachineWords, readonly string[]>> = {
    voicemail: [
      "Hi, you've reached Bob, please leave a message after the tone.",
      'at the beep record your message',
      "I can't come to the phone right now",
      "I'm not at home, so leave a message",
      'The person you are trying to reach is not available. At the tone, please record your message.',
      "We'll get back to you as soon as we can.",
    ],
    screening: [
      "Hi, the person you're calling is using a screening service from Google. Go ahead and say your name and why you're calling.",
      "If you record your name and reason for calling, I'll see if this person is available.",
      'Please state your name after the tone, and I will see if they are available.',
    ],
    ivr: ['For sales, press one.', 'Please listen carefully, as our menu options have changed.'],
    'out-of-service': [
      'The number you have dialed is not in service.',
      "We're sorry, your call cannot be completed as dialed. Please check the number and dial again.",
    ],
    'not-reachable': [
      'The person you are trying to reach is not available',
      'The subscriber is currently switched off.',
    ],
  }
  it.each<[MachineWords, string]>([
    ['voicemail', 'Sie sind mit der Mailbox von Anna verbunden. Bitte sprechen Sie nach dem Signalton.'],
    ['voicemail', 'Deje su mensaje después de la señal.'],
    ['voicemail', 'Vous êtes bien sur la messagerie de Paul.'],
    ['voicemail', 'Lasciate un messaggio dopo il segnale acustico.'],
    ['voicemail', 'Deixe sua mensagem após o sinal.'],
    ['voicemail', '発信音の後にメッセージをどうぞ。'],
    ['voicemail', '请在提示音后留言。'],
    ['voicemail', 'बीप के बाद अपना संदेश छोड़ें।'],
    ['out-of-service', 'Kein Anschluss unter dieser Nummer.'],
    ['not-reachable', 'Der Teilnehmer ist vorübergehend nicht erreichbar.'],
    ['ivr', 'Pour le service client, tapez 1.'],
  ])('is %s if it says "%s"', (who, words) => expect(machineWords(words)).toBe(who))

  const cases = (Object.entries(table) as [MachineWords, readonly string[]][]).flatMap(([who, list]) =>
    list.map((words) => [who, words] as const),
  )
  it.each(cases)('is %s if it says "%s"', (who, words) => expect(machineWords(words)).toBe(who))

  it.each([
    'hello',
    'who is calling please',
    'Maple Dental, this is Anna, how can I help you?',
    'can I leave early tomorrow',
    'I would like to leave a message.',
    'could I leave my number, or can I just leave a message',
    'What is this about? What is your name?',
  ])('may be a person if it says "%s"', (words) => expect(machineWords(words)).toBeUndefined())
})

describe('clauses', () => {
  const cut = (text: string) => {
    const cutter = new ClauseCutter()
    return [...cutter.push(text), ...cutter.flush()]
  }
  it.each([
    [
      'sentences, after a short first piece',
      'Sure thing, friend, one moment. It costs 3.5 dollars. Okay?',
      ['Sure thing, friend,', 'one moment.', 'It costs 3.5 dollars.', 'Okay?'],
    ],
    [
      'names and initials stay whole',
      'Dr. J. Lee is in. Ask Mr. Ray.',
      ['Dr. J. Lee is in.', 'Ask Mr. Ray.'],
    ],
    [
      'addresses stay whole',
      'Write to ann.lee@mail.example.com today.',
      ['Write to ann.lee@mail.example.com today.'],
    ],
    ['digits stay together', 'Your number is 5, 5, 5, 1, 2.', ['Your number is 5, 5, 5, 1, 2.']],
    ['markup is not read aloud', '**Yes**, `it` is.', ['Yes, it is.']],
    [
      'markup that is none stays',
      'Order #7734 goes to jo_doe@mail.example. Press * or #.',
      ['Order #7734 goes to jo_doe@mail.example.', 'Press * or #.'],
    ],
    ['a list', '* red\n* blue', ['red', 'blue']],
    [
      'headings and bold sentences',
      '## Hours\n**We open at 9.** Come in.',
      ['Hours', 'We open at 9.', 'Come in.'],
    ],
    ['punctuation alone is not said', '... — !', []],
    ['a list keeps its numbers', '1. Red. 2. Blue.', ['1. Red.', '2. Blue.']],
    ['other full stops', '你好。 再见。', ['你好。', '再见。']],
  ])('%s', (_, text, clauses) => expect(cut(text)).toEqual(clauses))

  it('are the same however the text is chunked, and lose nothing', () => {
    const piece = fc.constantFrom(
      'Hello',
      ' world',
      ', ',
      '. ',
      '3.5',
      ' Dr. ',
      '? ',
      'and so',
      ' on; ',
      '\n',
      'x'.repeat(90),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const cutter = new ClauseCutter()
        const streamed = [...pieces.flatMap((text) => cutter.push(text)), ...cutter.flush()].join(' ')
        const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')
        expect(letters(streamed)).toBe(letters(pieces.join('')))
      }),
    )
  })

  it('come before the model has finished', () => {
    const cutter = new ClauseCutter()
    expect(cutter.push('I can do that, ')).toEqual(['I can do that,'])
    expect(cutter.push('it takes')).toEqual([])
    expect(cutter.push(' a week. And')).toEqual(['it takes a week.'])
  })

  it('never grow without limit', () => {
    expect(new ClauseCutter().push('word '.repeat(500)).every((clause) => clause.length <= 240)).toBe(true)
  })
})
