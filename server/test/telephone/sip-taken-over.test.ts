// A telephone call survives its process: another one goes on with it, in the same record.
//
// In real time: softphones have no virtual clock. Speed is not asserted.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../bench/service-process.ts'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { moonshineTranscriber } from '../../src/engines/moonshine/moonshine.ts'
import { sileroDetector } from '../../src/engines/silero/silero.ts'
import { wrenSynthesizer } from '../../src/engines/wren/wren.ts'
import { parseWav } from '../../src/media/wav-parse.ts'
import { recordingPath } from '../../src/resources/calls/recordings/recording-file.ts'
import { finalText, listen } from '../props/engines/listen.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { describeUnless } from '../props/unless.ts'
import { detailOf, newAgent, reaches } from '../support/call-fixture.ts'
import { canOpenNamespace } from '../support/namespace/namespace.ts'
import { openTelephoneRoom, type TelephoneRoom } from '../support/namespace/telephone-room.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { openService, type TestService } from '../support/service.ts'
import { openBaresip, soundOf } from '../support/softphone/baresip.ts'
import { writeSpokenWav } from '../support/spoken-wav.ts'

const models = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)
const { folder } = models
const absent = models.absent ?? (canOpenNamespace() ? undefined : 'only root can open network namespaces')

const agent = {
  agent_name: 'City library',
  agent_welcome_message: 'Hello, this is the city library.',
  agent_prompt:
    'You are the desk of the city library. We are open from nine to five. We are at 12 Maple Street.',
}

/** Answers of the agent to something that was said. */
const turnsIn = (text: string): number => text.match(/user: [^/]*\/ agent: /g)?.length ?? 0

describeUnless(absent, 'a telephone call whose process is killed', () => {
  const voice = wrenSynthesizer({ folder })
  const transcriber = moonshineTranscriber({ folder })
  const detector = sileroDetector({ folder })
  const processes: RunningProcess[] = []
  let room: TelephoneRoom
  let api: TestService
  let scratch: string

  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'parley-taken-over-'))
    room = await openTelephoneRoom()
    // The interface, in this process: it has no telephone line.
    api = await openService({ PARLEY_CALL_EVENT_DELAY_SECONDS: '0' })
  })
  afterAll(async () => {
    for (const process of processes) await process.end('SIGKILL')
    await api?.close()
    await room?.close()
    for (const engine of [voice, transcriber, detector]) await engine.close()
    await rm(scratch, { recursive: true, force: true })
  })

  const startMedia = async (): Promise<{ running: RunningProcess; port: number }> => {
    const port = await freePort()
    const running = await startProcess({
      DATABASE_URL: api.database.url,
      PARLEY_SECRET: 'a secret for tests only',
      PARLEY_DATA_DIR: api.dataDir,
      PARLEY_ROLES: 'media',
      PARLEY_MODELS_DIR: folder,
      PARLEY_SIP_PORT: String(port),
      PARLEY_SIP_ALLOW: `${room.address}/32`,
      PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
    })
    processes.push(running)
    return { running, port }
  }

  const spoken = async (name: string, says: Parameters<typeof writeSpokenWav>[2]): Promise<string> => {
    const file = join(scratch, `${name}.wav`)
    await writeSpokenWav(file, voice, says, 8_000)
    return file
  }

  it('goes on in another one, where it was, with one record and one recording', async () => {
    const agentId = await newAgent(api, agent)
    const silence = await spoken('silence', [{ silentMs: 400_000 }])
    const hours = await spoken('hours', [{ silentMs: 500 }, 'When are you open?', { silentMs: 400_000 }])
    const address = await spoken('address', [
      { silentMs: 500 },
      'What is your address?',
      { silentMs: 400_000 },
    ])
    const [first] = await Promise.all([startMedia(), startMedia()])
    const phone = await openBaresip(room, {
      port: 5_060,
      codecs: 'PCMU/8000/1',
      says: silence,
      rateHz: 8_000,
    })
    phone.command('dial', `sip:${agentId}@${room.host}:${first.port}`)
    await phone.happens('CALL_ESTABLISHED')
    const { session_id } = (await api.ask('GET', '/calls?limit=1')).body.data.data[0]
    const said = async (): Promise<string> =>
      (
        await api.database.query<{ text: string }>(
          `SELECT string_agg(data->>'role' || ': ' || (data->>'content'), ' / ' ORDER BY seq) AS text
           FROM call_events WHERE session_id = $1 AND type = 'transcript'`,
          [session_id],
        )
      )[0]?.text ?? ''
    await expect.poll(said).toMatch(/agent: [^/]*city library/i)
    /** Again, if it was misheard: the softphone stutters on a machine that is busy. */
    const ask = async (question: string, answer: RegExp) => {
      for (let turns = turnsIn(await said()); !answer.test(await said()); turns = turnsIn(await said())) {
        phone.command('ausrc', `aufile,${question}`)
        await expect.poll(async () => turnsIn(await said())).toBeGreaterThan(turns)
      }
    }
    await ask(hours, /agent: [^/]*nine to five/i)
    await first.running.end('SIGKILL')
    await expect.poll(said).toMatch(/agent: Sorry, I lost you for a moment/)
    await ask(address, /agent: [^/]*Maple Street/i)
    phone.command('hangup')
    await reaches(api, session_id, 'completed')
    const detail = await detailOf(api, session_id)
    expect(detail).toMatchObject({ call_status: 'completed', hangup_reason: 'user_hangup' })
    // That the greeting is there, not each of its words: where a machine stands still for a moment, a word has a hole
    // in it.
    const whole = /(city|library).*(nine to five|9 to 5).*lost you.*(maple|street)/is
    const atPhone = await soundOf(await phone.heard())
    expect(finalText(await listen({ transcriber, detector }, atPhone.samples, atPhone.rateHz))).toMatch(whole)
    const { channels, rateHz } = parseWav(
      await readFile(recordingPath(join(api.dataDir, 'recordings'), session_id)),
    )
    expect(
      finalText(await listen({ transcriber, detector }, channels[1] ?? new Int16Array(), 16_000)),
    ).toMatch(whole)
    expect((channels[0]?.length ?? 0) / rateHz).toBeCloseTo(detail.duration, -1)
    await phone.close()
  })
})
