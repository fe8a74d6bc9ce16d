// Disaster: the trunk (Kamailio) is killed in the middle of a call and of a registration, and comes back, again and again.
// While it is away, new calls fail at once and say why, what is asked of the running call ends it with a reason, and the
// number says that it is not registered; afterwards both sides register again, and call each other.
//   node faults/trunk-away.ts [--rounds 20]
import { pathToFileURL } from 'node:url'
import type { ToLine } from '../server/src/carriers/sip/line/link.ts'
import { AgentProcess } from '../server/test/props/sip/agent-process.ts'
import { type Kamailio, startKamailio } from '../server/test/props/sip/kamailio/kamailio.ts'
import { openTestDoor } from '../server/test/props/sip/test-door.ts'
import { trunkOf } from '../server/test/props/sip/trunk.ts'
import { waitUntil } from '../server/test/support/wait-until.ts'
import { roundsAsked, spread, summary } from './rounds.ts'

const defaultTimes = 20

export interface TrunkAwayReport {
  readonly times: number
  /** Calls that were running, and ended with a reason when something was asked of them. */
  readonly endedWithReason: number
  /** New calls that failed while the trunk was away: how long each took, in milliseconds. */
  readonly failedMs: readonly number[]
  /** From the restart until we were registered again, in milliseconds. */
  readonly restoredMs: readonly number[]
  /** From the kill until both sides had called each other again, in milliseconds. */
  readonly silentMs: readonly number[]
  /** Calls out and in after the restart. */
  readonly calledAgain: number
  readonly faults: readonly string[]
}

const sdp =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n'

/** Parley behind the trunk: its door, with a test in the place of the media thread. */
async function openParley(port: number) {
  const trunk = trunkOf({
    host: '127.0.0.1',
    port,
    transport: 'tcp',
    register: true,
    credentials: { username: 'parley', password: 'secret' },
  })
  const { door, asked, toMedia, leases, tell } = await openTestDoor(trunk, { isTrusted: true })
  const state = () => leases.kept.get(trunk.id)
  const of = (call: string, type: ToLine['type']) =>
    toMedia.find((message) => message.call === call && message.type === type)
  const happens = (call: string, type: ToLine['type']) =>
    waitUntil(
      () => of(call, type),
      () => `${type} of ${call}: ${JSON.stringify(toMedia.slice(-5))}`,
    )
  return {
    door,
    asked,
    state,
    happens,
    tell,
    /** The offer goes out as soon as the trunk is known. */
    async place(call: string, to: string): Promise<void> {
      const order = { sessionId: call, legOf: null, to, from: null, trunkId: trunk.id }
      tell({ type: 'place', call, ...order })
      await happens(call, 'describe')
      tell({ type: 'described', call, sdp })
    },
    isIn: (wanted: string) =>
      waitUntil(
        () => (state()?.state === wanted ? true : undefined),
        () => `${wanted} after ${JSON.stringify(state())}`,
      ),
  }
}

type Parley = Awaited<ReturnType<typeof openParley>>

async function openFarEnd({ port }: Kamailio): Promise<AgentProcess> {
  const agent = await AgentProcess.start()
  agent.tell({
    do: 'register',
    registrar: `sip:127.0.0.1:${port};transport=tcp`,
    addressOfRecord: 'sip:bob@parley.test',
    contactUser: 'bob-at-home',
    credentials: { username: 'bob', password: 'secret' },
    transport: 'tcp',
  })
  return agent
}

const isRegistered = (bob: AgentProcess, from: number) =>
  bob.next('registration', ({ state }) => state.is === 'registered', from)

/** Places a call to the trunk, and takes one from it. */
async function callBothWays(
  parley: Parley,
  bob: AgentProcess,
  kamailio: Kamailio,
  round: string,
): Promise<void> {
  await parley.place(`out-${round}`, `sip:bob@127.0.0.1`)
  await parley.happens(`out-${round}`, 'answered')
  const known = parley.asked.length
  bob.tell({
    do: 'call',
    as: `in-${round}`,
    transport: 'tcp',
    to: 'sip:parley@parley.test',
    from: 'sip:bob@parley.test',
    credentials: { username: 'bob', password: 'secret' },
    routes: [`<sip:127.0.0.1:${kamailio.port};transport=tcp;lr>`],
  })
  await waitUntil(
    () => (parley.asked.length > known ? true : undefined),
    () => 'a call of the far end',
  )
  bob.tell({ do: 'hang-up', id: `in-${round}` })
}

export async function trunkAway(times: number, say: (line: string) => void): Promise<TrunkAwayReport> {
  const kamailio = await startKamailio()
  const [parley, bob] = [await openParley(kamailio.port), await openFarEnd(kamailio)]
  const report = { endedWithReason: 0, calledAgain: 0 }
  const [failedMs, restoredMs, silentMs]: [number[], number[], number[]] = [[], [], []]
  const faults: string[] = []
  try {
    await Promise.all([parley.isIn('registered'), isRegistered(bob, 0)])
    await callBothWays(parley, bob, kamailio, 'first')
    for (let round = 1; round <= times; round++)
      try {
        await oneRound(round)
      } catch (error) {
        faults.push(`round ${round}: ${error instanceof Error ? error.message : String(error)}`)
      }
  } finally {
    await parley.door.close()
    await bob.stop()
    await kamailio.stop()
  }
  return { times, ...report, failedMs, restoredMs, silentMs, faults }

  async function oneRound(round: number): Promise<void> {
    const running = round === 1 ? 'out-first' : `out-${round - 1}`
    const known = bob.reports.length
    await kamailio.kill()
    const killedMs = performance.now()
    await parley.isIn('failed')
    if (!parley.state()?.reason) faults.push(`round ${round}: the number does not say why`)
    const placedMs = performance.now()
    await parley.place(`away-${round}`, 'sip:bob@127.0.0.1')
    const { cause } = (await parley.happens(`away-${round}`, 'ended')) as Extract<ToLine, { type: 'ended' }>
    if (cause.status !== 503 && cause.status !== 408)
      faults.push(`round ${round}: ended with ${cause.status}`)
    failedMs.push(performance.now() - placedMs)
    // The running call is asked for something, a hold, so that it notices.
    parley.tell({ type: 'offer', call: running, request: 1, sdp })
    const ended = (await parley.happens(running, 'ended')) as Extract<ToLine, { type: 'ended' }>
    if (ended.cause.status >= 400 && ended.cause.text !== '') report.endedWithReason += 1
    await kamailio.start()
    const startedMs = performance.now()
    await parley.isIn('registered')
    restoredMs.push(performance.now() - startedMs)
    await isRegistered(bob, known)
    await callBothWays(parley, bob, kamailio, String(round))
    silentMs.push(performance.now() - killedMs)
    report.calledAgain += 1
    say(`${round} times away, ${faults.length} faults`)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rounds = roundsAsked(defaultTimes)
  const { endedWithReason, failedMs, restoredMs, silentMs, calledAgain, faults } = await trunkAway(
    rounds,
    console.error,
  )
  for (const fault of faults) console.log(fault)
  console.log(`${endedWithReason} running calls ended with a reason when something was asked of them`)
  console.log(`${failedMs.length} new calls failed while it was away: ${spread(failedMs)}`)
  console.log(
    `restart to the registration: ${spread(restoredMs)}; ${calledAgain} times called both ways again`,
  )
  // Faults: a call without a reason in its record, or no call after the restart.
  const lost = 2 * rounds - endedWithReason - calledAgain
  console.log(summary(rounds, silentMs, lost))
  if (faults.length > 0 || lost > 0) process.exitCode = 1
}
