// Real softphones call agents and are called by them: baresip and Linphone from Debian, in a network of their own.
//
// In real time: softphones have no virtual clock. Speed is not asserted.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
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
import { type Baresip, type BaresipOptions, openBaresip, samplesOf } from './support/softphone/baresip.ts'
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

  beforeAll(async () => {
    wavFolder = await mkdtemp(join(tmpdir(), 'parley-softphones-'))
    for (const rateHz of [8_000, 16_000] as const)
      await writeSpokenWav(wavOf(rateHz), voice, microphone, rateHz)
    room = await openTelephoneRoom()
    service = await openService(
      {
        PARLEY_MODELS_DIR: folder,
        PARLEY_TTS: 'wren',
        PARLEY_SIP_PORT: '0',
        PARLEY_SIP_ALLOW: `${room.address}/32`,
        PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
        PARLEY_DRAIN_SECONDS: '1',
      },
      undefined,
      openMediaRunner,
    )
    port = Number(/:(\d+)$/.exec(service.service.telephoneAddress ?? '')?.[1])
    agentId = await newAgent(service, agent)
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

  const wavOf = (rateHz: RateHz) => join(wavFolder, `question-${rateHz}.wav`)
  let nextPort = 5_060
  const openPhone = async (options: Partial<BaresipOptions> & Pick<BaresipOptions, 'codecs'>) => {
    const rateHz = options.codecs.startsWith('PCM') ? 8_000 : 16_000
    nextPort += 20
    const phone = await openBaresip(room, { port: nextPort, says: wavOf(rateHz), rateHz, ...options })
    phones.push(phone)
    return { ...phone, rateHz } as const
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
  /** The agent has greeted, has heard the question and has answered it. */
  const hasAnswered = (sessionId: string) =>
    expect.poll(() => saidIn(sessionId, 'agent'), { message: 'the agent answers' }).toMatch(/nine to five/i)

  it('calls an agent over UDP with PCMU, is understood and understands, holds and hangs up', async () => {
    const phone = await openPhone({ codecs: 'PCMU/8000/1' })
    phone.command('dial', `sip:${agentId}@${room.host}:${port}`)
    await phone.happens('CALL_ESTABLISHED')
    const { session_id } = await lastCall()
    await hasAnswered(session_id)
    phone.command('hold')
    await new Promise((r) => setTimeout(r, 2000))
    phone.command('resume')
    await new Promise((r) => setTimeout(r, 2000))
    phone.command('hangup')
    await reaches(service, session_id, 'completed')
    console.log(
      startLines(await ladderOf(session_id)),
      phone.log().replace(/.\[.*bit.s.*/g, ''),
      JSON.stringify((await detailOf(service, session_id)).transcript),
    )
    expect(await saidIn(session_id, 'user')).toMatch(/when are you open/i)
    expect(await heardBy(phone)).toMatch(/city library.*nine to five/s)
    expect(await detailOf(service, session_id)).toMatchObject({
      call_type: 'inbound',
      provider: 'sip',
      from_phone_number: 'softphone',
      hangup_reason: 'user_hangup',
      line: { codec: 'PCMU/8000', quality: { packets_lost: 0 } },
    })
    console.log(startLines(await ladderOf(session_id)), phone.log().replace(/.\[.*bit.s.*/g, ''))
  })
})
