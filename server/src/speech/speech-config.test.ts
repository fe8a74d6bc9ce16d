// Every key of an agent's synthesizer and transcriber, from its settings to what a vendor is told in a call. The title of
// a test begins with its key, by which docs/agent-fields.md finds it.

import { AgentConfig } from '@parley/contract'
import { credentialNameOf } from '@parley/contract/companies'
import { afterEach, expect, it } from 'vitest'
import { rehearse } from '../../test/props/call/rehearsal.ts'
import { openScriptedRuntime, planWith } from '../../test/props/call/scripted-runtime.ts'
import { openCartesiaTts } from '../../test/props/vendors/cartesia-tts.ts'
import { openDeepgramFlux, openDeepgramStt } from '../../test/props/vendors/deepgram-stt.ts'
import { openElevenlabsTts } from '../../test/props/vendors/elevenlabs-tts.ts'
import { openPollyTts } from '../../test/props/vendors/polly-tts.ts'
import { openRimeTts } from '../../test/props/vendors/rime-tts.ts'
import { openSarvamStt } from '../../test/props/vendors/sarvam-stt.ts'
import { vendorCall } from '../../test/props/vendors/vendor-call.ts'
import type { VendorServer } from '../../test/props/vendors/vendor-server.ts'
import { assembleSpeech } from './assemble-speech.ts'

const apiKey = 'secret-of-the-vendor'
const awsKey = { secretAccessKey: apiKey, accessKeyId: 'AKIA1234', region: 'eu-west-1' }

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

interface Agent {
  readonly synthesizer?: Readonly<Record<string, unknown>>
  readonly transcriber?: Readonly<Record<string, unknown>>
  readonly api_tools?: Readonly<Record<string, unknown>>
}

/** Whom such an agent gets, and what is noted, where the workspace has credentials for this vendor. */
function assembled(agent: Agent, vendor: string, baseUrl: string, credentials = {}) {
  const { runtime, close } = openScriptedRuntime()
  const notes: string[] = []
  const accounts = { [credentialNameOf(vendor)]: { credentials: { apiKey, ...credentials }, baseUrl } }
  const speech = assembleSpeech(planWith(agent, accounts), runtime, (note) => notes.push(note))
  cleanups.push(close, () => speech.close())
  return { speech, notes, used: speech.choices.map(({ used }) => used) }
}

/** A call of an agent with these settings, whose greeting was spoken by the vendor. */
async function spoken<Server extends VendorServer>(
  opening: Promise<Server>,
  { provider, ...settings }: { readonly provider: string } & Readonly<Record<string, unknown>>,
  credentials = {},
) {
  const server = await opening
  cleanups.push(() => server.close())
  const agent = { synthesizer: { provider, ...settings }, agent_welcome_message: 'We are open. Come in.' }
  const { speech, notes } = assembled(agent, provider, server.baseUrl, credentials)
  const phone = vendorCall({
    agent: agent as never,
    parts: { synthesizer: speech.synthesizer, voice: speech.voice },
  })
  await phone.call.answer()
  await phone.until(() => phone.heard.length === 5)
  await phone.stop()
  const query = Object.fromEntries(server.asked.at(-1)?.url.searchParams ?? [])
  return { server, notes, query }
}

const rime = (settings: object) =>
  spoken(openRimeTts(apiKey), { provider: 'rime', ...settings }).then(({ query }) => query)
const rimeConfig = (provider_config: object) => rime({ provider_config })

/** A call of an agent with these settings, whose caller was listened to. */
async function heard(settings: Readonly<Record<string, unknown>>, api_tools = {}) {
  const server = await openDeepgramStt(apiKey)
  const transcriber = { provider: 'deepgram', ...settings }
  const { speech, notes } = assembled({ transcriber, api_tools }, 'deepgram', server.baseUrl)
  cleanups.push(() => server.close())
  const phone = vendorCall({
    agent: { transcriber: transcriber as never },
    parts: { transcriber: speech.transcriber },
  })
  await phone.call.answer()
  await phone.until(() => server.sound.length > 0)
  await phone.stop()
  const { searchParams } = server.asked[0]?.url ?? new URL('http://nobody')
  return { notes, query: Object.fromEntries(searchParams), sound: server.sound, rateHz: server.rateHz }
}

it('synthesizer.provider: who speaks', async () => {
  const server = await openCartesiaTts(apiKey)
  cleanups.push(() => server.close())
  const usedBy = (provider: string) =>
    assembled({ synthesizer: { provider } }, 'cartesia', server.baseUrl).used[1]
  expect(['cartesia', 'rime'].map(usedBy)).toEqual(['cartesia', 'offline voice'])
})

it('synthesizer.buffer_size: how many characters the vendor gets at a time', async () => {
  const textsFor = async (buffer_size: number) => {
    const { server } = await spoken(openCartesiaTts(apiKey), { provider: 'cartesia', buffer_size })
    return server.texts.map((text) => text.trim()).filter(Boolean)
  }
  expect(await textsFor(40)).toEqual(['We are open.', 'Come in.'])
  expect(await textsFor(100)).toEqual(['We are open. Come in.'])
})

it('synthesizer.audio_format: what nobody has is noted', async () => {
  const notesOn = async (audio_format: string) =>
    (await spoken(openCartesiaTts(apiKey), { provider: 'cartesia', audio_format })).notes
  expect(await notesOn('pcm')).toEqual([])
  expect(await notesOn('mp3')).toEqual(['Cartesia has nothing like audio_format; it was left aside.'])
})

it('synthesizer.language: what is spoken', async () => {
  expect(await rime({ language: 'de' })).toMatchObject({ lang: 'de' })
})

it('synthesizer.provider_config.language: the same, if only the vendor’s options say it', async () => {
  expect(await rimeConfig({ language: 'fr' })).toMatchObject({ lang: 'fr' })
})

it('synthesizer.provider_config.voice: by its name', async () => {
  expect(await rimeConfig({ voice: 'cove' })).toMatchObject({ speaker: 'cove' })
})

it('synthesizer.provider_config.voice_id: before the name', async () => {
  expect(await rimeConfig({ voice: 'cove', voice_id: 'luna' })).toMatchObject({ speaker: 'luna' })
})

it('synthesizer.provider_config.model: of the vendor', async () => {
  expect(await rimeConfig({ model: 'mistv2' })).toMatchObject({ modelId: 'mistv2' })
})

it('synthesizer.provider_config.temperature: how lively', async () => {
  expect(await rimeConfig({ temperature: 0.4 })).toMatchObject({ temperature: '0.4' })
})

it('synthesizer.provider_config.similarity_boost: how close to the speaker', async () => {
  const { server } = await spoken(openElevenlabsTts(apiKey), {
    provider: 'elevenlabs',
    provider_config: { similarity_boost: 0.4 },
  })
  expect(server.contexts[0]).toMatchObject({ voice_settings: { similarity_boost: 0.4 } })
})

it('synthesizer.provider_config.engine: which quality of the voice', async () => {
  const { server } = await spoken(
    openPollyTts(awsKey),
    { provider: 'polly', provider_config: { engine: 'generative' } },
    awsKey,
  )
  expect(server.messages.join()).toContain('"Engine":"generative"')
})

it('transcriber.provider: who listens', async () => {
  const server = await openSarvamStt(apiKey)
  cleanups.push(() => server.close())
  const usedBy = (provider: string) =>
    assembled({ transcriber: { provider } }, 'sarvam', server.baseUrl).used[0]
  expect(['sarvam', 'deepgram'].map(usedBy)).toEqual(['sarvam', 'offline ears'])
})

it('transcriber.model: of the vendor', async () => {
  expect((await heard({ model: 'nova-3' })).query).toMatchObject({ model: 'nova-3' })
})

it('transcriber.language: what is understood', async () => {
  expect((await heard({ language: 'pt-BR' })).query).toMatchObject({ language: 'pt-BR' })
})

it('transcriber.sampling_rate: how fine the sound is that the vendor gets', async () => {
  const { query, rateHz } = await heard({ sampling_rate: 8_000 })
  expect([query.sample_rate, rateHz]).toEqual(['8000', 8_000])
})

it('transcriber.encoding: how its samples are written', async () => {
  expect((await heard({ encoding: 'mulaw' })).query).toMatchObject({ encoding: 'mulaw' })
})

it('transcriber.keywords: what the vendor is to listen for', async () => {
  const { query } = await heard({ model: 'nova-3', keywords: 'Maple, Nguyen' })
  expect(query.keyterm).toBe('Nguyen')
})

it('transcriber.task: a translation instead of what was said', async () => {
  const server = await openSarvamStt(apiKey)
  cleanups.push(() => server.close())
  const transcriber = { provider: 'sarvam', task: 'translate' } as const
  const { speech } = assembled({ transcriber }, 'sarvam', server.baseUrl)
  const phone = vendorCall({ agent: { transcriber }, parts: { transcriber: speech.transcriber } })
  await phone.call.answer()
  await phone.until(() => server.settings.length > 0)
  await phone.stop()
  expect(server.settings[0]).toMatchObject({ mode: 'translate' })
})

it('transcriber.endpointing: how many milliseconds of silence end the turn', async () => {
  const waited = async (endpointing: number) => {
    const call = rehearse({ agent: { transcriber: { endpointing } }, replies: ['Sure.', 'Sure.'] })
    await call.answer()
    await call.says('hello there')
    const fromMs = call.nowMs
    await call.until(() => call.hears('Sure.'))
    return call.nowMs - fromMs
  }
  expect((await waited(900)) - (await waited(400))).toBe(500)
})

it('api_tools.turn_detection: who decides that the caller has finished', async () => {
  const asked = async (turn_detection: string | undefined, model: string) => {
    const server = await openDeepgramFlux(apiKey)
    cleanups.push(() => server.close())
    const agent = { transcriber: { model }, api_tools: { turn_detection } }
    const { speech, notes } = assembled(agent, 'deepgram', server.baseUrl)
    const phone = vendorCall({ agent: agent as never, parts: { transcriber: speech.transcriber } })
    await phone.call.answer()
    await phone.until(() => server.settings.length > 0)
    await phone.stop()
    return [server.settings[0]?.eot_threshold, notes]
  }
  expect(await asked('parley', 'flux-general-en')).toEqual(['1', []])
  expect(await asked('vendor', 'flux-general-en')).toEqual(['0.7', []])
  expect(await asked(undefined, 'flux-general-en')).toEqual(['0.7', []])
  expect(await asked('vendor', 'nova-3')).toEqual([
    undefined,
    ['Deepgram does not take turn_detection as asked; what comes nearest is used.'],
  ])
})

it('api_tools.turn_detection: any other word is refused when the agent is saved', () => {
  const fault = (turn_detection: unknown) =>
    AgentConfig.safeParse({ agent_name: 'Ada', llm_agent: {}, api_tools: { turn_detection } }).error
      ?.issues[0]
  expect(fault('ours')).toMatchObject({
    path: ['api_tools', 'turn_detection'],
    message: 'Must be vendor or parley.',
  })
  expect(['vendor', 'parley', null, undefined].map(fault)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('synthesizer.provider_config: the vendor’s own options, and a note on what it does not have', async () => {
  const { server, notes } = await spoken(openCartesiaTts(apiKey), {
    provider: 'cartesia',
    provider_config: { emotion: 'wistful', volume: 'loud', emotionn: 'calm' },
  })
  expect(server.messages.join()).toContain('"generation_config":{"emotion":"wistful"}')
  expect(server.messages.join()).not.toMatch(/loud|emotionn/)
  expect(notes).toEqual([
    '"generation_config.volume" of Cartesia must be a number from 0.5 to 2; it is not sent. ' +
      'Cartesia has no setting "emotionn". Did you mean "emotion"?',
  ])
})

it('api_tools.transcriber.provider_config: the same of who listens', async () => {
  const { query, notes } = await heard(
    {},
    { transcriber: { provider_config: { mip_opt_out: true, redact: ['pci'], quokka: 1 } } },
  )
  expect(query).toMatchObject({ mip_opt_out: 'true', redact: 'pci' })
  expect(notes).toEqual(['Deepgram has no setting "quokka". It is not sent.'])
})

it('api_tools.fallbacks: a vendor that stands in gets its own options, and none of another’s', async () => {
  const broken = await openCartesiaTts(apiKey)
  const server = await openRimeTts(apiKey)
  broken.fault = { is: 'refuse', status: 429 }
  cleanups.push(
    () => broken.close(),
    () => server.close(),
  )
  const agent = {
    synthesizer: { provider: 'cartesia', provider_config: { emotion: 'sad' } },
    api_tools: { fallbacks: { synthesizer: [{ provider: 'rime', provider_config: { top_p: 0.35 } }] } },
    agent_welcome_message: 'We are open.',
  }
  const { runtime, close } = openScriptedRuntime()
  const accounts = {
    cartesia: { credentials: { apiKey }, baseUrl: broken.baseUrl },
    rime: { credentials: { apiKey }, baseUrl: server.baseUrl },
  }
  const speech = assembleSpeech(planWith(agent, accounts), runtime, () => {})
  cleanups.push(close, () => speech.close())
  const phone = vendorCall({
    agent: agent as never,
    parts: { synthesizer: speech.synthesizer, voice: speech.voice },
  })
  await phone.call.answer()
  await phone.until(() => phone.heard.length === 3)
  await phone.stop()
  const sent = server.asked.at(-1)?.url.search
  expect(sent).toContain('top_p=0.35')
  expect(`${sent}${server.messages}`).not.toContain('emotion')
})

it('an address of its own for each service: voices here, ears there', async () => {
  const [here, there] = [await openDeepgramStt(apiKey), await openCartesiaTts(apiKey)]
  cleanups.push(
    () => here.close(),
    () => there.close(),
  )
  const { runtime, close } = openScriptedRuntime()
  const accounts = {
    deepgram: {
      credentials: { apiKey },
      baseUrl: 'https://nobody.example.com',
      baseUrls: { transcriber: here.baseUrl, synthesizer: there.baseUrl },
    },
  }
  const agent = { transcriber: { provider: 'deepgram' } }
  const speech = assembleSpeech(planWith(agent, accounts), runtime, () => {})
  cleanups.push(close, () => speech.close())
  const phone = vendorCall({
    agent: { transcriber: { provider: 'deepgram' } as never },
    parts: { transcriber: speech.transcriber },
  })
  await phone.call.answer()
  await phone.until(() => here.sound.length > 0)
  await phone.stop()
  expect(there.asked).toEqual([])
})
