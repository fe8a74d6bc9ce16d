// Which engines a call gets, with whose credentials, and what happens when they fail.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openScriptedRuntime, planWith } from '../../test/props/call/scripted-runtime.ts'
import { openDeepgramStt } from '../../test/props/vendors/deepgram-stt.ts'
import { openDeepgramTts } from '../../test/props/vendors/deepgram-tts.ts'
import { openElevenlabsTts } from '../../test/props/vendors/elevenlabs-tts.ts'
import { heardFrom } from '../../test/props/vendors/tts-suite.ts'
import { vendorCall } from '../../test/props/vendors/vendor-call.ts'
import type { CallPlan } from '../ports/call-plan.ts'
import { assembleSpeech } from './assemble-speech.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const apiKey = 'secret-of-the-vendor'
const own = { credentials: { apiKey } }
const agent = {
  transcriber: { provider: 'deepgram', model: 'nova-3' },
  synthesizer: { provider: 'elevenlabs', provider_config: { voice: 'Adam', voice_id: 'v-1' } },
} as const

async function setUp(env: Record<string, string> = {}) {
  const servers = {
    hears: await openDeepgramStt(apiKey),
    deepgram: await openDeepgramTts(apiKey),
    elevenlabs: await openElevenlabsTts(apiKey),
  }
  const { runtime, voice, ears, close } = openScriptedRuntime(env)
  cleanups.push(close, ...Object.values(servers).map((server) => () => server.close()))
  const accounts = {
    deepgram: { ...own, baseUrl: servers.hears.baseUrl },
    elevenlabs: { ...own, baseUrl: servers.elevenlabs.baseUrl },
  }
  const notes: string[] = []
  const assemble = (config: object, given: CallPlan['accounts'] = accounts) => {
    const speech = assembleSpeech(planWith(config, given), runtime, (note) => notes.push(note))
    cleanups.push(() => speech.close())
    return speech
  }
  return { ...servers, runtime, voice, ears, notes, accounts, assemble }
}

const usedBy = ({ choices }: ReturnType<typeof assembleSpeech>) => choices.map(({ used, why }) => [used, why])

describe('a call gets', () => {
  it('the vendors that its agent names, with the credentials of the workspace', async () => {
    const { assemble, elevenlabs, hears, notes, runtime } = await setUp()
    const succeeded = vi.spyOn(runtime.circuits, 'succeed')
    const speech = assemble(agent)
    expect(usedBy(speech)).toEqual([
      ['deepgram', null],
      ['elevenlabs', null],
    ])
    const phone = vendorCall({
      parts: speech,
      replies: ['Yes.'],
      agent: { agent_welcome_message: 'Good day.' },
    })
    await phone.call.answer()
    await phone.until(() => phone.heard.length === 2)
    await phone.until(() => hears.sound.length > 0)
    hears.partial('good day')
    await phone.until(() => succeeded.mock.calls.length === 2)
    expect(succeeded.mock.calls.flat()).toEqual(['w-1/tts/elevenlabs', 'w-1/stt/deepgram'])
    expect([elevenlabs.asked.length, hears.asked.length]).toEqual([1, 1])
    expect(elevenlabs.asked[0]?.url.pathname).toContain('/v-1/')
    expect(notes).toEqual([])
    await phone.stop()
  })

  it('those of the installation, if the workspace has none', async () => {
    const { assemble } = await setUp({ PARLEY_DEEPGRAM_API_KEY: 'k' })
    expect(usedBy(assemble(agent, {}))).toEqual([
      ['deepgram', null],
      ['offline voice', 'No credentials for elevenlabs are configured here, so the offline voice is used.'],
    ])
  })

  it('the offline whisper, if it asks for whisper and no server was named', async () => {
    const { assemble } = await setUp()
    expect(usedBy(assemble({ transcriber: { provider: 'whisper' } }, {}))[0]?.[0]).toBe('offline whisper')
  })

  it('the next of the agent’s list, if the first has no credentials', async () => {
    const { assemble, accounts } = await setUp()
    const fallbacks = { synthesizer: [{ provider: 'rime' }, { provider: 'deepgram' }] }
    const { deepgram } = accounts
    expect(usedBy(assemble({ ...agent, api_tools: { fallbacks } }, { deepgram }))[1]).toEqual([
      'deepgram',
      'No credentials for elevenlabs are configured here, so Deepgram is used.',
    ])
  })

  it('no address that the operator does not trust', async () => {
    const { assemble } = await setUp()
    const elevenlabs = { ...own, baseUrl: 'http://10.0.0.1' }
    expect(usedBy(assemble(agent, { elevenlabs }))[1]?.[0]).toBe('offline voice')
  })

  it('a note on settings that its vendors have nothing like', async () => {
    const { assemble, notes } = await setUp()
    const { provider_config } = agent.synthesizer
    assemble({
      ...agent,
      synthesizer: { ...agent.synthesizer, provider_config: { ...provider_config, engine: 'neural' } },
    })
    expect(notes).toEqual(['ElevenLabs has nothing like engine; it was left aside.'])
  })

  it('such a note on a vendor that stands in, when it does', async () => {
    const { assemble, accounts, deepgram, elevenlabs, notes } = await setUp()
    elevenlabs.fault = { is: 'refuse', status: 429 }
    const fallbacks = { synthesizer: [{ provider: 'deepgram', voice: 'luna' }] }
    const { synthesizer } = assemble(
      {
        synthesizer: { provider: 'elevenlabs', provider_config: { temperature: 0.5 } },
        agent_welcome_message: 'Good day.',
        api_tools: { fallbacks },
      },
      { elevenlabs: accounts.elevenlabs, deepgram: { ...own, baseUrl: deepgram.baseUrl } },
    )
    const phone = vendorCall({
      parts: { synthesizer, voice: '' },
      agent: { agent_welcome_message: 'Good day.' },
    })
    await phone.call.answer()
    await phone.until(() => phone.heard.length === 2)
    expect(notes).toEqual([
      'Deepgram speaks for now: ElevenLabs refused the connection (429): It was refused.',
      'Deepgram has nothing like temperature; it was left aside.',
    ])
    await phone.stop()
  })
})

describe('a vendor that fails', () => {
  it('is waited for as long as its description says', async () => {
    const { runtime, accounts, elevenlabs, deepgram } = await setUp()
    elevenlabs.fault = { is: 'stall' }
    const patient = (patienceMs: number) => {
      const { tts } = runtime.vendors
      const speaks = tts.elevenlabs as (typeof tts)[string]
      const slow = { ...speaks, abilities: { ...speaks.abilities, patienceMs } }
      return { ...runtime, vendors: { ...runtime.vendors, tts: { ...tts, elevenlabs: slow } } }
    }
    const notes: string[] = []
    for (const patienceMs of [40, 90]) {
      runtime.circuits.succeed('w-1/tts/elevenlabs')
      const api_tools = { fallbacks: { synthesizer: [{ provider: 'deepgram' }] } }
      const plan = planWith(
        { ...agent, api_tools },
        { ...accounts, deepgram: { ...own, baseUrl: deepgram.baseUrl } },
      )
      const speech = assembleSpeech(plan, patient(patienceMs), (note) => notes.push(note))
      cleanups.push(() => speech.close())
      const stream = speech.synthesizer.open({ voice: '', rateHz: 8_000 }, new AbortController().signal)
      stream.write('Good day.')
      stream.flush()
      stream.finish()
      await heardFrom(stream)
    }
    expect(notes).toEqual([
      'Deepgram speaks for now: ElevenLabs said nothing for 0.04 s.',
      'Deepgram speaks for now: ElevenLabs said nothing for 0.09 s.',
    ])
  })

  it('is replaced by the offline voice of the same gender, and the next call does not try it', async () => {
    const { assemble, elevenlabs, voice, notes } = await setUp()
    elevenlabs.fault = { is: 'refuse', status: 429 }
    const phone = vendorCall({
      parts: { synthesizer: assemble(agent).synthesizer, voice: 'Adam' },
      agent: { agent_welcome_message: 'Good day.' },
    })
    await phone.call.answer()
    await phone.until(() => phone.call.spoken().length === 1)
    const fault = 'ElevenLabs refused the connection (429): It was refused.'
    expect(notes).toEqual([`The offline voice speaks for now: ${fault}`])
    expect(voice.options[0]?.voice).toBe('offline male')
    await phone.stop()

    expect(usedBy(assemble(agent))[1]).toEqual([
      'offline voice',
      `ElevenLabs failed a moment ago (${fault.slice(0, -1)}), so the offline voice is used.`,
    ])
  })

  it('is replaced while it listens, and nothing that was said is lost', async () => {
    const { assemble, hears, runtime, ears, notes } = await setUp()
    hears.fault = { is: 'refuse', status: 401 }
    const phone = vendorCall({ parts: { transcriber: assemble(agent).transcriber }, replies: ['Yes.'] })
    await phone.call.answer()
    phone.call.detector.tell('speech-start')
    await phone.until(() => ears.streams.length === 1)
    expect(ears.now.frames).toBeGreaterThan(0)
    expect(notes.at(-1)).toContain('refused the connection (401)')
    expect(runtime.circuits.faultOf('w-1/stt/deepgram')).toBeDefined()
    expect(runtime.circuits.faultOf('w-2/stt/deepgram')).toBeUndefined()
    await phone.stop()
  })
})
