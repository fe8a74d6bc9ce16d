// Disaster: kill -9 of the process that holds a telephone call, with a real softphone at the other end. The conversation
// goes on in another process each time; no call is lost.
//   node faults/telephone-workers-killed.ts [--rounds 30]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import { wrenSynthesizer } from '../server/src/engines/wren/wren.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import { openTelephoneRoom } from '../server/test/support/namespace/telephone-room.ts'
import { openBaresip } from '../server/test/support/softphone/baresip.ts'
import { writeSpokenWav } from '../server/test/support/spoken-wav.ts'
import { waitUntil } from '../server/test/support/wait-until.ts'
import { roundsAsked, spread, summary } from './rounds.ts'
import { openTelephoneFixture, type TelephoneProcess } from './telephone-fixture.ts'

const defaultKills = 30
const rateHz = 8_000

export interface Resumption {
  /** From the kill to the re-INVITE at the softphone, and to the agent's next words. */
  readonly offeredMs: number
  readonly heardMs: number
}

export interface TelephoneReport {
  readonly resumed: readonly Resumption[]
  /** One sentence for each call that did not go on or whose record is wrong. */
  readonly lost: readonly string[]
}

export async function killTelephoneWorkers(
  kills: number,
  say: (line: string) => void,
): Promise<TelephoneReport> {
  const { folder } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)
  const scratch = await mkdtemp(join(tmpdir(), 'parley-telephones-'))
  const voice = wrenSynthesizer({ folder })
  const spoken = async (name: string, ...words: string[]) => {
    const file = join(scratch, `${name}.wav`)
    await writeSpokenWav(file, voice, [{ silentMs: 500 }, ...words, { silentMs: 300_000 }], rateHz)
    return file
  }
  const says = {
    nothing: await spoken('nothing'),
    hours: await spoken('hours', 'When are you open?'),
    address: await spoken('address', 'What is your address?'),
  }
  await voice.close()
  const room = await openTelephoneRoom()
  const fixture = await openTelephoneFixture({ models: folder, allow: room.address })
  const resumed: Resumption[] = []
  const lost: string[] = []
  try {
    let [holder, other] = [await fixture.startMedia(), await fixture.startMedia()]
    for (let kill = 1; kill <= kills; kill++) {
      try {
        resumed.push(await oneCall(holder))
      } catch (error) {
        lost.push(error instanceof Error ? error.message : String(error))
      }
      say(`${kill} kills, ${lost.length} calls lost`)
      ;[holder, other] = [other, await fixture.startMedia()]
    }
  } finally {
    await fixture.close()
    await room.close()
    await rm(scratch, { recursive: true, force: true })
  }
  return { resumed, lost }

  async function oneCall(holder: TelephoneProcess): Promise<Resumption> {
    const phone = await openBaresip(room, { port: 5_060, codecs: 'PCMU/8000/1', says: says.nothing, rateHz })
    try {
      phone.command('dial', `sip:${fixture.agentId}@${room.host}:${holder.port}`)
      await phone.happens('CALL_ESTABLISHED')
      const sessionId = await fixture.newestCall()
      await fixture.hasSaid(sessionId, /agent: [^/]*city library/i)
      phone.command('ausrc', `aufile,${says.hours}`)
      await fixture.hasSaid(sessionId, /agent: [^/]*nine to five/i)
      const killedMs = Date.now()
      await holder.child.kill()
      await waitUntil(
        () => phone.events.find(({ type, param }) => type === 'CALL_REMOTE_SDP' && param === 'offer'),
        () => `the re-INVITE\n${phone.log().slice(-500)}`,
      )
      const offeredMs = Date.now() - killedMs
      const heardMs = (await fixture.hasBegun(sessionId, 'Sorry')) - killedMs
      phone.command('ausrc', `aufile,${says.address}`)
      await fixture.hasSaid(sessionId, /agent: [^/]*Maple Street/i)
      phone.command('hangup')
      await fixture.isCompleted(sessionId)
      return { offeredMs, heardMs }
    } finally {
      await phone.close()
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rounds = roundsAsked(defaultKills)
  const { resumed, lost } = await killTelephoneWorkers(rounds, console.error)
  for (const sentence of lost) console.log(sentence)
  console.log(`${resumed.length} conversations went on in another process`)
  console.log(`kill to the re-INVITE at the telephone: ${spread(resumed.map(({ offeredMs }) => offeredMs))}`)
  // The caller says nothing until the agent goes on.
  const silentMs = resumed.map(({ heardMs }) => heardMs)
  console.log(summary(rounds, silentMs, lost.length))
  if (lost.length > 0) process.exitCode = 1
}
