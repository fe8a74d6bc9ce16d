// The desk of a library in a telephone room: a whole service with a telephone line, a model that knows its sentences,
// and softphones that call it and are called by it. In real time: softphones have no virtual clock.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { moonshineTranscriber } from '../../../src/engines/moonshine/moonshine.ts'
import { sileroDetector } from '../../../src/engines/silero/silero.ts'
import { wrenSynthesizer } from '../../../src/engines/wren/wren.ts'
import { openMediaRunner } from '../../../src/main/media/media-runner.ts'
import { finalText, listen } from '../../props/engines/listen.ts'
import {
  type CompletionRequest,
  openAnsweringModel,
  type ScriptedReply,
} from '../../props/servers/model-server.ts'
import { detailOf, newAgent } from '../call-fixture.ts'
import { openTelephoneRoom, type TelephoneRoom } from '../namespace/telephone-room.ts'
import { openService, type TestService } from '../service.ts'
import { writeSpokenWav } from '../spoken-wav.ts'
import { waitUntil } from '../wait-until.ts'
import { type Baresip, type BaresipOptions, openBaresip, softphoneNumber, soundOf } from './baresip.ts'
import { freePort, writeCertificate } from './certificate.ts'
import { type Linphone, openLinphone } from './linphone.ts'

/** What softphones can say. */
const sentences = {
  nothing: [],
  hours: ['When are you open?'],
  code: ['Please enter the code.'],
  colleague: ['Please connect me to your colleague.'],
  yes: ['Yes, sure, I will talk to them.'],
  garden: ['The garden is full of yellow flowers.'],
} as const
export type Sentence = keyof typeof sentences

/** By the rate of the codec: files of 8 and 16 kHz, and of 48 kHz in stereo for Opus. */
export type Microphone = 8_000 | 16_000 | 48_000

const silentMs = 150_000

/** Knows one sentence for each question, and the tools. */
function answerOf({ messages, tools }: CompletionRequest): ScriptedReply {
  const last = messages.at(-1)
  const said = typeof last?.content === 'string' ? last.content : ''
  if (last?.role === 'tool') return { words: ['It is done.'] }
  const call = (name: string, given: object): ScriptedReply => ({
    words: ['One moment.'],
    calls: [{ id: 'call_1', name, pieces: [JSON.stringify(given)] }],
  })
  if (/code/i.test(said)) return call('send_dtmf', { digits: '47#' })
  if (/colleague|connect/i.test(said)) return call('transfer_call', { destination: destinationIn(tools) })
  if (/\b5\b|five/i.test(said)) return { words: ['You pressed the key five.'] }
  return { words: [/open/i.test(said) ? 'We are open from nine to five.' : 'Please say that again.'] }
}

function destinationIn(tools: CompletionRequest['tools']): string {
  const [transfer] = (tools ?? []).flatMap((tool) =>
    tool.type === 'function' && tool.function.name === 'transfer_call' ? [tool.function.parameters] : [],
  )
  return /"enum":\["([^"]+)"/.exec(JSON.stringify(transfer ?? {}))?.[1] ?? ''
}

export type Phone = Baresip & { readonly port: number; readonly microphone: Microphone }

/** Requires the weights and `canOpenNamespace`. */
export async function openDesk(models: string) {
  const scratch = await mkdtemp(join(tmpdir(), 'parley-desk-'))
  const voice = wrenSynthesizer({ folder: models })
  const ears = {
    transcriber: moonshineTranscriber({ folder: models }),
    detector: sileroDetector({ folder: models }),
  }
  const wavOf = (sentence: Sentence, rateHz: Microphone) => join(scratch, `${sentence}-${rateHz}.wav`)
  const written = new Set<string>()
  const spoken = async (sentence: Sentence, rateHz: Microphone): Promise<string> => {
    const file = wavOf(sentence, rateHz)
    if (!written.has(file)) {
      written.add(file)
      const parts = [{ silentMs: 300 }, ...sentences[sentence], { silentMs }]
      await writeSpokenWav(file, voice, parts, rateHz, rateHz === 48_000 ? 2 : 1)
    }
    return file
  }
  for (const sentence of Object.keys(sentences) as Sentence[]) await spoken(sentence, 8_000)
  for (const rateHz of [16_000, 48_000] as const)
    for (const sentence of ['nothing', 'hours'] as const) await spoken(sentence, rateHz)
  const room = await openTelephoneRoom()
  const certificate = await writeCertificate(scratch, room.host)
  const tlsPort = await freePort()
  const model = await openAnsweringModel(answerOf)
  const service = await openService(
    {
      PARLEY_MODELS_DIR: models,
      PARLEY_TTS: 'wren',
      PARLEY_LLM_BASE_URL: model.baseUrl,
      PARLEY_LLM_MODEL: 'desk',
      PARLEY_SIP_PORT: '0',
      PARLEY_SIP_ALLOW: `${room.address}/32,${room.host}/32`,
      PARLEY_SIP_TLS_PORT: String(tlsPort),
      PARLEY_SIP_TLS_CERT: certificate,
      PARLEY_SIP_TLS_KEY: certificate,
      // A trunk of a test may be on this machine.
      PARLEY_TRUSTED_HOSTS: `${room.address},127.0.0.1`,
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
      PARLEY_DRAIN_SECONDS: '1',
    },
    undefined,
    openMediaRunner,
  )
  await warmUp(service)
  const open: { close(): Promise<void> }[] = []
  const keep = <Opened extends { close(): Promise<void> }>(opened: Opened): Opened => {
    open.push(opened)
    return opened
  }
  let nextPort = 5_060
  const takePort = () => {
    nextPort += 20
    return nextPort
  }

  return {
    room,
    service,
    certificate,
    tlsPort,
    port: Number(/:(\d+)$/.exec(service.service.telephoneAddress ?? '')?.[1]),
    async phone(options: Partial<BaresipOptions> & Pick<BaresipOptions, 'codecs'>): Promise<Phone> {
      const { codecs } = options
      const microphone = codecs.startsWith('PCM') ? 8_000 : codecs.startsWith('opus') ? 48_000 : 16_000
      const port = takePort()
      const says = wavOf('nothing', microphone)
      const phone = await openBaresip(room, { port, says, rateHz: microphone, ...options })
      return { ...keep(phone), port, microphone }
    },
    async linphone(): Promise<Linphone & { port: number; microphone: Microphone }> {
      const port = takePort()
      return { ...keep(await openLinphone(room, port, wavOf('nothing', 8_000))), port, microphone: 8_000 }
    },
    wavOf,
    agent: (more: object = {}) =>
      newAgent(service, {
        agent_name: 'City library',
        agent_welcome_message: 'Hello, this is the city library.',
        agent_prompt: 'You are the desk of the city library.',
        api_tools: { tools: [{ name: 'keys', key: 'send_dtmf' }] },
        ...more,
      }),
    heardBy: async ({ heard }: { heard(): Promise<string> }) => {
      const { samples, rateHz } = await soundOf(await heard())
      return finalText(await listen(ears, samples, rateHz)).toLowerCase()
    },
    understood: async (samples: Int16Array, rateHz: 16_000) =>
      finalText(await listen(ears, samples, rateHz)).toLowerCase(),
    ...recordsOf(service),
    ...placingOf(service, room),
    async close() {
      for (const phone of open) await phone.close()
      await service.close()
      await model.close()
      await room.close()
      for (const engine of [voice, ears.transcriber, ears.detector]) await engine.close()
      await rm(scratch, { recursive: true, force: true })
    },
  }
}
export type Desk = Awaited<ReturnType<typeof openDesk>>

/** A simulated caller first: on a crowded machine the engines take longer to load than a caller waits. */
async function warmUp(service: TestService): Promise<void> {
  const agent_id = await newAgent(service, { agent_welcome_message: 'Hello.' })
  const { said } = recordsOf(service)
  for (let tries = 0; tries < 5; tries++) {
    const body = { agent_id, to_phone_number: '+15550100' }
    const { session_id } = (await service.ask('POST', '/calls', { body })).body.data
    const isOver = async () => (await detailOf(service, session_id)).call_completed_time !== null
    const hasSpoken = async () => (await said(session_id, 'agent')) !== ''
    await waitUntil(
      async () => (await hasSpoken()) || (await isOver()) || undefined,
      () => 'the first call',
    )
    await service.ask('POST', `/calls/${session_id}/stop`)
    if (await hasSpoken()) return
  }
}

interface LadderStep {
  readonly direction: 'in' | 'out'
  readonly text: string
  readonly transport: string
}

/** Over UDP a message is sent again when no answer comes in time. */
const withoutRepeats = (messages: readonly LadderStep[]): readonly LadderStep[] =>
  messages.filter(
    ({ direction, text }, place) =>
      messages.findIndex((other) => other.direction === direction && other.text === text) === place,
  )

const recordsOf = (service: TestService) => {
  /** While the call lasts, too. */
  const said = async (sessionId: string, role: string): Promise<string> => {
    const lines = await service.database.query<{ data: { role: string; content: string } }>(
      `SELECT data FROM call_events WHERE session_id = $1 AND type = 'transcript' ORDER BY seq`,
      [sessionId],
    )
    return lines
      .filter(({ data }) => data.role === role)
      .map(({ data }) => data.content)
      .join(' ')
  }
  const isOver = async (sessionId: string) =>
    (await detailOf(service, sessionId)).call_completed_time === null ? undefined : true
  /** What the agent has said is as it should be; throws if the call ends first. */
  const talks = (sessionId: string, isRight: (agent: string) => boolean) =>
    waitUntil(
      async () => {
        const ended = await isOver(sessionId)
        if (isRight(await said(sessionId, 'agent'))) return true
        if (ended) throw new Error(JSON.stringify(await detailOf(service, sessionId)))
        return undefined
      },
      () => `the agent says it\n${isRight}`,
    )
  return {
    said,
    isOver: (sessionId: string) =>
      waitUntil(
        () => isOver(sessionId),
        () => 'the call is over',
      ),
    /** The agent has said this. */
    hears: (sessionId: string, words: RegExp) => talks(sessionId, (agent) => words.test(agent)),
    /** Says it, and again if it was misheard: a softphone stutters on a busy machine. */
    async ask(phone: { says(file: string): void }, file: string, sessionId: string, answer: RegExp) {
      for (;;) {
        const before = await said(sessionId, 'agent')
        if (answer.test(before)) return
        phone.says(file)
        await talks(sessionId, (agent) => agent !== before)
      }
    },
    async sessionOf(agentId: string): Promise<string> {
      return waitUntil(
        async () =>
          (await service.ask('GET', `/calls?agent_id=${agentId}&limit=1`)).body.data.data[0]?.session_id,
        () => 'a call of this agent',
      )
    },
    /** A tool has answered this. */
    notes(sessionId: string, words: RegExp) {
      let noted = ''
      return waitUntil(
        async () => {
          noted = await said(sessionId, 'tool')
          return words.test(noted) || undefined
        },
        () => `a tool says ${words}, but "${noted}"`,
      )
    },
    ladderOf: (sessionId: string) =>
      waitUntil(
        async () => {
          const { messages } = (await service.ask('GET', `/calls/${sessionId}/sip`)).body.data
          return messages.length > 0 ? withoutRepeats(messages) : undefined
        },
        () => 'the messages of the call',
      ),
    reaches: (sessionId: string, status = 'completed') =>
      waitUntil(
        async () => {
          const detail = await detailOf(service, sessionId)
          return detail.call_status === status ? detail : undefined
        },
        () => `the call is ${status}`,
      ),
  }
}

const placingOf = (service: TestService, room: TelephoneRoom) => {
  let numbers = 20
  return {
    /** A number whose trunk is the softphone at this port. */
    async trunk(port: number, more: object = {}): Promise<string> {
      const credentials = { host: room.address, port, transport: 'udp', ...more }
      const body = { phone_number: `+49309018${numbers++}`, provider: 'sip', credentials }
      const { body: made } = await service.ask('POST', '/phone-numbers', { body })
      expect(made, JSON.stringify(made)).toMatchObject({ status: 'success' })
      const id = made.data.phone_number_id
      const check = await service.ask('POST', `/phone-numbers/${id}/check`)
      expect(check.body.data).toMatchObject({ ok: true, registered: null, options_ms: expect.any(Number) })
      return id
    },
    async place(agentId: string, phoneNumberId: string): Promise<string> {
      const body = { agent_id: agentId, to_phone_number: softphoneNumber, phone_number_id: phoneNumberId }
      const { body: placed } = await service.ask('POST', '/calls', { body })
      expect(placed, JSON.stringify(placed)).toMatchObject({ status: 'success' })
      return placed.data.session_id
    },
  }
}
