// An agent's guard rails as they are written, and what applies where they cannot be read.
import { expect, it } from 'vitest'
import { personalDataKinds } from '../../../platform/personal-data/kinds.ts'
import { guardRailSentences } from './guard-rail-sentences.ts'
import { readGuardRails } from './read-guard-rails.ts'

const fill = (text: string) => text.replaceAll('{name}', 'Ada')
const read = (guard_rails: unknown, ...languages: string[]) =>
  readGuardRails({ guard_rails }, fill, languages)

it('an agent without rails says anything and records everything', () => {
  expect(readGuardRails(undefined, fill, [])).toMatchObject({
    guardRails: { topics: [], neverSay: [], mask: [], records: true },
    consent: null,
    problems: [],
  })
})

it('every key is read', () => {
  const rails = {
    refuse_topics: ['politics', { topic: 'competitors', examples: ['Is Acme cheaper?'], words: ['acme'] }],
    refusal: 'Not that, {name}.',
    never_say: ['guarantee*', 'money back'],
    replacement: { de: 'Lieber nicht.', en: 'Rather not.' },
    mask: ['email', 'email', 'card_number'],
    recording: 'ask',
    consent: { question: 'May we?', refused: 'Fine.', needs_yes: true },
  }
  expect(read(rails, 'de-AT')).toEqual({
    problems: [],
    guardRails: {
      topics: [
        { name: 'politics', examples: ['politics'], words: [] },
        { name: 'competitors', examples: ['competitors', 'Is Acme cheaper?'], words: ['acme'] },
      ],
      refusal: 'Not that, Ada.',
      neverSay: ['guarantee*', 'money back'],
      replacement: 'Lieber nicht.',
      mask: ['email', 'card_number'],
      records: true,
    },
    consent: { question: 'May we?', refused: 'Fine.', needsYes: true },
  })
  expect(read(JSON.parse('{"mask":"all","recording":"off"}')).guardRails).toMatchObject({
    mask: personalDataKinds,
    records: false,
  })
  expect(readGuardRails(JSON.stringify({ guard_rails: rails }), fill, []).consent?.needsYes).toBe(true)
})

it('sentences that the agent does not have are in its language', () => {
  const { consent, guardRails } = read({ recording: 'ask' }, 'fr')
  expect([consent?.question, guardRails.refusal]).toEqual([
    guardRailSentences.fr?.consent,
    guardRailSentences.fr?.refusal,
  ])
})

it('what cannot be read is named, and the careful reading applies', () => {
  const { guardRails, problems } = read({ mask: ['cards'], recording: 'ask', never_say: ['never'] })
  expect(guardRails).toMatchObject({ mask: personalDataKinds, records: false, neverSay: ['never'] })
  expect(problems).toEqual([expect.stringContaining('api_tools.guard_rails.mask must be "all" or a list of')])
  expect(read('please').guardRails.records).toBe(false)
})
