// What is said about the language of an agent when it is saved.
import { describe, expect, it } from 'vitest'
import type { LanguageQuestion } from '../ports/agent-language.ts'
import { judgeLanguage } from './agent-languages.ts'

const judge = (
  language: string,
  asked: string | null = null,
  { part = 'synthesizer', fallbacks = [], fallback = 'embedded' }: Partial<Wishes> = {},
) => judgeLanguage({ part, asked, fallbacks, language }, fallback)

interface Wishes extends Pick<LanguageQuestion, 'part' | 'fallbacks'> {
  readonly fallback: 'embedded' | 'fail'
}

describe('without a vendor', () => {
  it.each(['en', 'en-GB', 'English', 'es', 'es-MX', 'Spanish', 'pt_BR', 'auto', ''])(
    '%s is spoken',
    (language) => expect(judge(language)).toEqual({}),
  )

  it('a language without a voice is refused with what there is, and who would speak it', () => {
    expect(judge('de-DE').refusal).toMatch(
      /^The offline voices do not speak German\. They speak English, Spanish, .*\. Name a vendor in synthesizer that can speak German: deepgram, elevenlabs, openai, azuretts, .*\.$/,
    )
  })

  it('a language whose voice is not understood well enough is refused with the reason', () => {
    expect(judge('hi-IN').refusal).toMatch(
      /^The offline voices do not speak Hindi: two of five words are heard wrongly\. /,
    )
  })

  it('the offline recognizer understands what it has no voice for', () => {
    expect(judge('de', null, { part: 'transcriber' })).toEqual({})
    expect(judge('zu', null, { part: 'transcriber' }).refusal).toMatch(
      /^The offline recognizer does not understand Zulu\. Name a vendor in transcriber that can understand Zulu: elevenlabs, azure, google\.$/,
    )
  })
})

describe('with a vendor', () => {
  it.each([
    ['de', 'deepgram'],
    ['zh-TW', 'polly'],
    ['cmn-CN', 'polly'],
    ['nb-NO', 'azuretts'],
    ['fil', 'cartesia'],
    ['tl', 'elevenlabs'],
    ['Welsh', 'polly'],
  ])('%s is spoken by %s', (language, vendor) => expect(judge(language, vendor)).toEqual({}))

  it('a language that neither it nor the offline voice speaks is refused, with those that do', () => {
    expect(judge('ko', 'deepgram').refusal).toMatch(
      /^Deepgram does not speak Korean\. Name a vendor in synthesizer that can speak Korean: elevenlabs, .*, gemini\.$/,
    )
  })

  it('one that another of the agent’s engines speaks is served by that, with a warning', () => {
    expect(judge('ko', 'deepgram', { fallbacks: ['rime', 'cartesia'] })).toEqual({
      warning: 'Deepgram does not speak Korean, so Cartesia of the fallbacks is used.',
    })
    expect(judge('zh', 'deepgram').warning).toMatch(
      /^Deepgram does not speak Chinese, so the offline voice is used\. Name a vendor /,
    )
    expect(judge('zh', 'deepgram', { fallback: 'fail' }).refusal).toMatch(
      /^Deepgram does not speak Chinese\. /,
    )
    expect(judge('sw', 'assembly', { part: 'transcriber' }).warning).toMatch(
      /^AssemblyAI does not understand Swahili, so the offline recognizer is used\. /,
    )
  })

  it('what is not known is a warning, never a refusal', () => {
    expect(judge('de', 'whisper', { part: 'transcriber' })).toEqual({
      warning: 'Whether Whisper can understand German is not known here.',
    })
    expect(judge('Klingon', 'deepgram')).toEqual({
      warning: '"Klingon" is no language that is known here; engines are asked for it as it is.',
    })
    expect(judge('the language of the caller')).toHaveProperty('warning')
  })
})
