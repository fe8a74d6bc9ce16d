// What is taken for personal data, in written and spoken form, and what is left alone.
import { describe, expect, it } from 'vitest'
import { digitRuns, passesLuhn } from './digit-runs.ts'
import type { SearchContext } from './find-personal-data.ts'
import { type PersonalDataKind, personalDataKinds } from './kinds.ts'
import { maskText, maskValue } from './mask-text.ts'

const mask = (
  text: string,
  surroundings: SearchContext = {},
  kinds: readonly PersonalDataKind[] = personalDataKinds,
) => maskText(text, kinds, surroundings)

describe('digits', () => {
  it.each([
    ['four two four two', '4242'],
    ['4242-4242 4242', '424242424242'],
    ['forty two, seventeen', '4217'],
    ['double four oh triple seven', '440777'],
    ['vier zwei vier zwo', '4242'],
    ['four two for two', '4242'],
    ['four uh two dash six', '426'],
  ])('%j are %s', (text, digits) => {
    expect(digitRuns(text).map((run) => run.digits)).toEqual([digits])
  })

  it('words between them end a number', () => {
    expect(digitRuns('two apples and 3 pears').map(({ digits }) => digits)).toEqual(['2', '3'])
  })

  it('a check digit that is wrong is not a card number', () => {
    expect([passesLuhn('4242424242424242'), passesLuhn('4242424242424241')]).toEqual([true, false])
  })
})

describe('masked', () => {
  it.each<[string, string, SearchContext?]>([
    ['It is 4242 4242 4242 4242, thanks.', 'It is [card number], thanks.'],
    [
      'four two four two four two four two four two four two four two four two',
      '[card number]',
      { isSpeech: true },
    ],
    ['five five five five dash 5555-5555-4444', '[card number]'],
    ['Write to jo.doe+x@mail.example.org today.', 'Write to [e-mail] today.'],
    ['my email is john at example dot com', 'my email is [e-mail]'],
    ["it's j o h n dot smith at example dot co dot uk", "it's [e-mail]"],
    ['john smith at gmail.com please', '[e-mail] please'],
    ['call +44 20 7946 0958 please', 'call [phone number] please'],
    ['five five five oh one two three four', '[phone number]'],
    ['DE89 3704 0044 0532 0130 00 is mine', '[IBAN] is mine'],
    ['D E eight nine three seven oh four double oh four four oh five three two', '[IBAN]'],
    ['I was born on the fifth of May nineteen ninety.', 'I was born on [date of birth].'],
    ['05/05/1990', '[date of birth]', { asked: 'What is your date of birth?' }],
    ['March 5th, 1990', '[date of birth]', { asked: 'When were you born?' }],
    ['It is 078-05-1120.', 'It is [ID number].'],
    ['oh seven eight oh five one one two oh', '[ID number]', { asked: 'Your social security number?' }],
    ['one two three', '[card number]', { asked: 'And the security code on your card?', isSpeech: true }],
    ['four two four two', '[card number]', { asked: 'Please read me your card number.', isSpeech: true }],
  ])('%j', (text, masked, surroundings) => {
    expect(mask(text, surroundings)).toBe(masked)
  })

  it('the beginning of a card number, whose rest comes in the next sentence', () => {
    const kinds = ['card_number'] as const
    expect(mask('four two four two four two four two', { isSpeech: true }, kinds)).toBe('[card number]')
    expect(mask('it is four two four two', { isOpen: true, isSpeech: true }, kinds)).toBe(
      'it is [card number]',
    )
  })

  it('strings and numbers inside of values, by the names of their fields', () => {
    const value = { card_number: '4242', note: 'at 10', list: [4242424242424242, { e_mail: 'a@b.example' }] }
    expect(maskValue(value, personalDataKinds)).toEqual({
      card_number: '[card number]',
      note: 'at 10',
      list: ['[card number]', { e_mail: '[e-mail]' }],
    })
  })
})

describe('left alone', () => {
  it.each<[string, SearchContext?]>([
    ['We open at ten and close at 18:30.'],
    ['There are 12 of us, on March 5th, 2027.'],
    ['It costs 1,200 dollars.'],
    ['My order is 4711.'],
    ['Room 404 at the hotel'],
    ['I will be there in two to three days'],
    ['Meet me at noon dot'],
    ['4242 4242 4242 4241 is what the receipt says', {}],
  ])('%j', (text, surroundings) => {
    expect(mask(text, surroundings, ['card_number', 'email', 'date_of_birth', 'national_id'])).toBe(text)
  })

  it('kinds that were not asked for', () => {
    expect(mask('4242 4242 4242 4242 or a@b.example', {}, ['email'])).toBe('4242 4242 4242 4242 or [e-mail]')
  })
})
