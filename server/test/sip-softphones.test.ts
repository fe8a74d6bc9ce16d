// Real softphones call agents and are called by them: baresip and Linphone from Debian, in a network of their own.
//
// In real time: softphones have no virtual clock. Speed is not asserted.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { moonshine, silero } from '../src/adapters/embedded/models/catalogue.ts'
import { pronunciation } from '../src/adapters/embedded/models/kokoro.ts'
import { moonshineTranscriber } from '../src/adapters/embedded/moonshine/moonshine.ts'
import { sileroDetector } from '../src/adapters/embedded/silero/silero.ts'
import { wrenSynthesizer } from '../src/adapters/embedded/wren/wren.ts'
import { openMediaRunner } from '../src/main/media-runner.ts'
import type { RateHz } from '../src/media/frame.ts'
import { finalText, listen } from './props/engines/listen.ts'
import { modelsAtHand } from './props/engines/models-at-hand.ts'
import { describeUnless } from './props/unless.ts'
import { detailOf, newAgent, reaches } from './support/call-fixture.ts'
import { canOpenNamespace } from './support/namespace/namespace.ts'
import { openTelephoneRoom, type TelephoneRoom } from './support/namespace/telephone-room.ts'
import { openService, type TestService } from './support/service.ts'
import {
  type Baresip,
  type BaresipOptions,
  openBaresip,
  samplesOf,
  softphoneNumber,
} from './support/softphone/baresip.ts'
import { freePort, writeCertificate } from './support/softphone/certificate.ts'
import { writeSpokenWav } from './support/spoken-wav.ts'

const models = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)
const { folder } = models
const absent = models.absent ?? (canOpenNamespace() ? undefined : 'only root can open network namespaces')

const agent = {
  agent_name: 'City library',
  agent_welcome_message: 'Hello, this is the city library.',
  agent_prompt:
    'You are the desk of the city library. We are open from nine to five. Ask for the name of the caller.',
}
// The greeting is over by then.
const microphone = [{ silentMs: 6_000 }, 'When are you open?', { silentMs: 30_000 }]

describeUnless(absent, 'softphones', () => {
  const voice = wrenSynthesizer({ folder })
  const transcriber = moonshineTranscriber({ folder })
  const detector = sileroDetector({ folder })
  const phones: Baresip[] = []
  let room: TelephoneRoom
  let service: TestService
  let agentId: string
  let port: number
  let wavFolder: string
  /** A file with certificate and key. */
  let certificate: string
  let tlsPort: number

  beforeAll(async () => {
    wavFolder = await mkdtemp(join(tmpdir(), 'parley-softphones-'))
    for (const rateHz of [8_000, 16_000] as const)
      await writeSpokenWav(wavOf(rateHz), voice, microphone, rateHz)
    room = await openTelephoneRoom()
    certificate = await writeCertificate(wavFolder, room.host)
    tlsPort = await freePort()
    service = await openService(
      {
        PARLEY_MODELS_DIR: folder,
        PARLEY_TTS: 'wren',
        PARLEY_SIP_PORT: '0',
        PARLEY_SIP_ALLOW: `${room.address}/32`,
        PARLEY_SIP_TLS_PORT: String(tlsPort),
        PARLEY_SIP_TLS_CERT: certificate,
        PARLEY_SIP_TLS_KEY: certificate,
        PARLEY_TRUSTED_HOSTS: room.address,
        PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
        PARLEY_DRAIN_SECONDS: '1',
      },
      undefined,
      openMediaRunner,
    )
    port = Number(/:(\d+)$/.exec(service.service.telephoneAddress ?? '')?.[1])
    agentId = await newAgent(service, agent)
    await warmUp()
  })
  afterEach(async () => {
    for (const phone of phones.splice(0)) await phone.close()
  })
  afterAll(async () => {
    await service?.close()
    await room?.close()
    for (const engine of [voice, transcriber, detector]) await engine.close()
    await rm(wavFolder, { recursive: true, force: true })
  })

  /** A simulated caller first: on a crowded machine the engines take longer to load than a caller waits. */
  const warmUp = async () => {
    for (let tries = 0; tries < 5; tries++) {
      const body = { agent_id: agentId, to_phone_number: '+15550100' }
      const { session_id } = (await service.ask('POST', '/calls', { body })).body.data
      const isOver = async () => (await detailOf(service, session_id)).call_completed_time !== null
      const hasSpoken = async () => (await saidIn(session_id, 'agent')) !== ''
      const patience = { timeout: 60_000, interval: 200 }
      await vi.waitUntil(async () => (await hasSpoken()) || (await isOver()), patience)
      await service.ask('POST', `/calls/${session_id}/stop`)
      await vi.waitUntil(isOver, patience)
      if (await hasSpoken()) return
    }
  }
  const wavOf = (rateHz: RateHz) => join(wavFolder, `question-${rateHz}.wav`)
  let nextPort = 5_060
  const openPhone = async (options: Partial<BaresipOptions> & Pick<BaresipOptions, 'codecs'>) => {
    const rateHz = options.codecs.startsWith('PCM') ? 8_000 : 16_000
    nextPort += 20
    const phone = await openBaresip(room, { port: nextPort, says: wavOf(rateHz), rateHz, ...options })
    phones.push(phone)
    return { ...phone, rateHz, port: nextPort } as const
  }
  const lastCall = async () => (await service.ask('GET', '/calls?limit=1')).body.data.data[0]
  const heardBy = async ({ heard, rateHz }: { heard(): Promise<string>; rateHz: RateHz }) =>
    finalText(await listen({ transcriber, detector }, await samplesOf(await heard()), rateHz)).toLowerCase()
  /** While the call lasts, too. */
  const saidIn = async (sessionId: string, role: string): Promise<string> => {
    const lines = await service.database.query<{ data: { role: string; content: string } }>(
      `SELECT data FROM call_events WHERE session_id = $1 AND type = 'transcript' ORDER BY seq`,
      [sessionId],
    )
    return lines
      .filter(({ data }) => data.role === role)
      .map(({ data }) => data.content)
      .join(' ')
  }
  const ladderOf = async (sessionId: string) => {
    const sip = async () => (await service.ask('GET', `/calls/${sessionId}/sip`)).body.data.messages
    await expect.poll(sip).not.toEqual([])
    return (await sip()) as { direction: 'in' | 'out'; text: string; transport: string }[]
  }
  const startLines = (ladder: { direction: string; text: string }[]) =>
    ladder.map(({ direction, text }) => `${direction} ${text.split('\r\n')[0]}`)
  const newTrunk = async (trunkPort: number, more: object = {}): Promise<string> => {
    const credentials = { host: room.address, port: trunkPort, transport: 'udp', ...more }
    const body = { phone_number: `+49309018${numbers++}`, provider: 'sip', credentials }
    const { body: made } = await service.ask('POST', '/phone-numbers', { body })
    expect(made, JSON.stringify(made)).toMatchObject({ status: 'success' })
    const id = made.data.phone_number_id
    const check = await service.ask('POST', `/phone-numbers/${id}/check`)
    expect(check.body.data).toMatchObject({ ok: true, registered: null, options_ms: expect.any(Number) })
    return id
  }
  let numbers = 20
  const place = async (phoneNumberId: string) => {
    const body = { agent_id: agentId, to_phone_number: softphoneNumber, phone_number_id: phoneNumberId }
    const { body: placed } = await service.ask('POST', '/calls', { body })
    expect(placed, JSON.stringify(placed)).toMatchObject({ status: 'success' })
    return placed.data as { session_id: string }
  }
  /** The agent has greeted, has heard the question and has answered it. */
  const hasAnswered = (sessionId: string) =>
    expect.poll(() => saidIn(sessionId, 'agent')).toMatch(/nine to five/i)

  it('calls an agent with PCMU, understands and is understood, holds, resumes and hangs up', async () => {
    const phone = await openPhone({ codecs: 'PCMU/8000/1' })
    phone.command('dial', `sip:${agentId}@${room.host}:${port}`)
    await phone.happens('CALL_ESTABLISHED')
    const { session_id } = await lastCall()
    await hasAnswered(session_id)
    phone.command('sndcode', '5')
    phone.command('hold')
    await phone.happens('CALL_REMOTE_SDP', 2)
    phone.command('resume')
    await phone.happens('CALL_REMOTE_SDP', 3)
    phone.command('hangup')
    await reaches(service, session_id, 'completed')
    expect(await saidIn(session_id, 'user')).toMatch(/you open/i)
    expect(await heardBy(phone)).toMatch(/city library.*(nine to five|9 to 5)/s)
    expect(await detailOf(service, session_id)).toMatchObject({
      call_type: 'inbound',
      provider: 'sip',
      from_phone_number: softphoneNumber,
      hangup_reason: 'user_hangup',
      line: { codec: 'PCMU/8000', quality: { packets_lost: 0 } },
    })
    const answers = (await ladderOf(session_id)).filter(
      ({ direction, text }) =>
        direction === 'out' && text.startsWith('SIP/2.0 200') && text.includes('m=audio'),
    )
    const directions = answers.map(({ text }) => /^a=(sendrecv|recvonly|sendonly|inactive)/m.exec(text)?.[1])
    expect(directions).toEqual(['sendrecv', 'recvonly', 'sendrecv'])
  })

  it('is called through a trunk with G722, hears the agent and is heard', async () => {
    const phone = await openPhone({ codecs: 'G722/16000/1' })
    const id = await newTrunk(phone.port, { codecs: ['G722', 'PCMU'], headers: { 'X-Account': 'secret-7' } })
    const { session_id } = await place(id)
    await phone.happens('CALL_ESTABLISHED')
    await hasAnswered(session_id)
    await service.ask('POST', `/calls/${session_id}/stop`)
    await phone.happens('CALL_CLOSED')
    await reaches(service, session_id, 'completed')
    expect(await saidIn(session_id, 'user')).toMatch(/you open/i)
    expect(await heardBy(phone)).toMatch(/city library.*(nine to five|9 to 5)/s)
    expect(await detailOf(service, session_id)).toMatchObject({
      call_type: 'outbound',
      provider: 'sip',
      hangup_reason: 'api_stopped',
      line: { codec: 'G722/16000' },
    })
    const ladder = await ladderOf(session_id)
    expect(startLines(ladder)).toEqual([
      `out INVITE sip:${softphoneNumber}@${room.address}:${phone.port} SIP/2.0`,
      'in SIP/2.0 180 Ringing',
      'in SIP/2.0 200 Answering',
      expect.stringMatching(/^out ACK/),
      expect.stringMatching(/^out BYE/),
      'in SIP/2.0 200 OK',
    ])
    expect(ladder[0]?.text).toContain('From: <sip:+4930901820@')
    expect(ladder[0]?.text).not.toContain('secret-7')
  })

  it('is cancelled by us and cancels, and is refused where nobody is', async () => {
    const phone = await openPhone({ codecs: 'PCMA/8000/1', answers: 'manual' })
    const id = await newTrunk(phone.port)
    const { session_id } = await place(id)
    await phone.happens('CALL_INCOMING')
    await reaches(service, session_id, 'ringing')
    await service.ask('POST', `/calls/${session_id}/stop`)
    await phone.happens('CALL_CLOSED')
    await reaches(service, session_id, 'canceled')
    expect(startLines(await ladderOf(session_id)).join()).toMatch(/out CANCEL.*in SIP.2.0 487/)

    phone.command('dial', `sip:${agentId}@${room.host}:${port}`)
    phone.command('hangup')
    await phone.happens('CALL_CLOSED', 2)
    const { session_id: cancelled } = await lastCall()
    await expect.poll(async () => (await detailOf(service, cancelled)).call_completed_time).not.toBeNull()

    phone.command('dial', `sip:7d0c9d3a-8f7e-4a51-9d0e-2f6d4b0f7a11@${room.host}:${port}`)
    expect(await phone.happens('CALL_CLOSED', 3)).toMatchObject({ param: '404 Not Found' })
  })

  it('calls over TLS with encrypted sound', async () => {
    const phone = await openPhone({ codecs: 'PCMA/8000/1', transport: 'tls', srtp: true, certificate })
    phone.command('dial', `sip:${agentId}@${room.host}:${tlsPort};transport=tls`)
    await phone.happens('CALL_ESTABLISHED')
    const { session_id } = await lastCall()
    await hasAnswered(session_id)
    phone.command('hangup')
    await reaches(service, session_id, 'completed')
    expect(await heardBy(phone)).toMatch(/nine to five|9 to 5/)
    const ladder = await ladderOf(session_id)
    expect(ladder[0]).toMatchObject({ transport: 'tls', text: expect.stringContaining('inline:(removed)') })
    expect(ladder.some(({ text }) => /inline:[A-Za-z0-9+/]{20}/.test(text))).toBe(false)
  })
})
