// Which engine a call gets: every combination of request, credentials and languages.
import { describe, expect, it } from 'vitest'
import { chooseEngine, type EngineQuestion, noteOn } from './choose-engines.ts'

const vendors: EngineQuestion['vendors'] = {
  acme: { label: 'Acme', credentials: ['apiKey', 'region'], abilities: { languages: 'any' } },
  hindi: { label: 'Hindi', credentials: [], abilities: { languages: ['hi'] } },
}
const whole = {
  acme: { credentials: { apiKey: 'k', region: 'eu' } },
  hindi: { credentials: {} },
}
const embedded = { used: 'moonshine', languages: ['en'] }
const base = { part: 'transcriber', vendors, accounts: whole, embedded } as const

const noCredentials = 'No credentials for acme are configured here'
const offline = ', so the offline recognizer is used.'
const english = 'The offline recognizer understands English only, not de.'

describe.each<
  [
    string,
    Partial<EngineQuestion> & Pick<EngineQuestion, 'asked' | 'language'>,
    string,
    string | null,
    string | null,
  ]
>([
  // request, … used if the operator allows a fallback, why; the refusal if not (null: no refusal)
  ['nothing', { asked: null, language: undefined }, 'moonshine', null, null],
  ['nothing, in English', { asked: null, language: 'en-GB' }, 'moonshine', null, null],
  ['nothing, in English by its name', { asked: null, language: 'English' }, 'moonshine', null, null],
  ['nothing, in another language', { asked: null, language: 'de' }, 'moonshine', english, null],
  ['nothing, in the language of the caller', { asked: null, language: 'auto' }, 'moonshine', null, null],
  ['a vendor with credentials', { asked: 'acme', language: undefined }, 'acme', null, null],
  ['a vendor that speaks everything', { asked: 'acme', language: 'de' }, 'acme', null, null],
  [
    'a vendor without credentials',
    { asked: 'acme', language: 'en', accounts: {} },
    'moonshine',
    noCredentials + offline,
    `${noCredentials}.`,
  ],
  [
    'a vendor without credentials, in another language',
    { asked: 'acme', language: 'de', accounts: {} },
    'moonshine',
    `${noCredentials}${offline} ${english}`,
    `${noCredentials}.`,
  ],
  [
    'a vendor with incomplete credentials',
    { asked: 'acme', language: 'en', accounts: { acme: { credentials: { region: 'eu', apiKey: '' } } } },
    'moonshine',
    `The credentials for acme lack apiKey${offline}`,
    'The credentials for acme lack apiKey.',
  ],
  [
    'an unknown vendor',
    { asked: 'nobody', language: 'en' },
    'moonshine',
    `The vendor nobody is not known here${offline}`,
    'The vendor nobody is not known here.',
  ],
  [
    'a name on the object prototype',
    { asked: 'constructor', language: 'en' },
    'moonshine',
    `The vendor constructor is not known here${offline}`,
    'The vendor constructor is not known here.',
  ],
  ['a vendor in its own language', { asked: 'hindi', language: 'hi-IN' }, 'hindi', null, null],
  [
    'a vendor in a language that only the embedded engine supports',
    { asked: 'hindi', language: 'en' },
    'moonshine',
    `Hindi understands Hindi only, not en${offline}`,
    'Hindi understands Hindi only, not en.',
  ],
])('asked for %s', (_, question, used, why, refusal) => {
  const { asked } = question

  it('gets an engine, and the reason in sentences', () => {
    const { engine, choice } = chooseEngine({ ...base, ...question, fallback: 'embedded' })
    expect(choice).toEqual({ part: 'transcriber', asked, used, why })
    expect(engine).toEqual(used === 'moonshine' ? { is: 'embedded' } : { is: 'vendor', name: used })
  })

  it('gets that vendor or none, where the operator allows no fallback', () => {
    const { engine, choice } = chooseEngine({ ...base, ...question, fallback: 'fail' })
    if (refusal === null) expect(choice).toEqual({ part: 'transcriber', asked, used, why })
    else {
      expect(engine).toEqual({ is: 'none' })
      expect(choice).toEqual({ part: 'transcriber', asked, used: 'none', why: refusal })
    }
  })
})

it.each(['embedded', 'fail'] as const)(
  'a language that the embedded engine does not support leaves the requested vendor (%s)',
  (fallback) => {
    expect(chooseEngine({ ...base, asked: 'hindi', language: 'de', fallback })).toEqual({
      engine: { is: 'vendor', name: 'hindi' },
      choice: {
        part: 'transcriber',
        asked: 'hindi',
        used: 'hindi',
        why: 'Hindi understands Hindi only, not de.',
      },
    })
  },
)

it('the reason says that a voice speaks a language; a transcriber understands it', () => {
  const question = {
    ...base,
    part: 'synthesizer',
    asked: 'acme',
    language: 'fr',
    accounts: {},
    fallback: 'embedded',
  } as const
  expect(chooseEngine(question).choice.why).toBe(
    'No credentials for acme are configured here, so the offline voice is used. The offline voice speaks English only, not fr.',
  )
})

it('does not list the languages of an engine that knows many', () => {
  const many = { used: 'whisper', languages: 'en zh de es ru ko fr ja pt tr pl'.split(' ') }
  const question = { ...base, embedded: many, asked: null, fallback: 'embedded' } as const
  expect(chooseEngine({ ...question, language: 'Spanish' }).choice.why).toBeNull()
  expect(chooseEngine({ ...question, language: 'xx' }).choice.why).toBe(
    'The offline recognizer does not understand xx.',
  )
})

describe('the note on a choice', () => {
  const choice = { part: 'language-model', asked: null, used: 'x' } as const
  it.each([
    ['ends with one full stop where the reason has one', 'It is away.', 'Using x: It is away.'],
    ['and where it has none', 'no server is configured', 'Using x: no server is configured.'],
  ])('%s', (_, why, note) => expect(noteOn({ ...choice, why })).toBe(note))
  it('is absent without a reason', () => expect(noteOn({ ...choice, why: null })).toBeUndefined())
})
