// Disaster: 100,000 SIP messages, most of them broken, over UDP and TCP, from peers that are welcome and from strangers, while
// sipp makes calls as a good client does. No crash, no exception, no growth in the second half, no byte to a stranger, and
// every call of the good client is answered.
//   node faults/hostile-sip.ts [messages] [seed] [first]
// The same seed sends the same messages. `first` goes on where a run was broken off; a failure names its own.
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { median } from '../bench/rounds.ts'
import { AgentProcess } from '../server/test/props/sip/agent-process.ts'
import { dialogCorpus, type LastCall } from '../server/test/props/sip/dialog-corpus.ts'
import { mutate, seeded } from '../server/test/props/sip/mutate.ts'
import { freeUdpPort, sipp } from '../server/test/props/sip/sipp.ts'
import { allTorture } from '../server/test/props/sip/torture.ts'
import type { Counts } from '../server/test/props/sip/user-agent-orders.ts'

const defaultMessages = 100_000
// Messages in a round: after each the user agent is asked something that it must answer, and its state is checked.
const perRound = 500
// Transactions live for 32 s: more than this a second and they, not the messages, fill the memory.
const perSecond = 1_500
const driftBytes = 24 * 1024 ** 2

export interface HostileSipReport {
  readonly sent: number
  /** Our answers to the peers that are welcome, by status. */
  readonly byStatus: Readonly<Record<string, number>>
  readonly faults: readonly string[]
  /** The heap in bytes after a collection: in the third quarter of the run and in the last. */
  readonly memory: { readonly early: number; readonly late: number }
  readonly counts: Counts
}

class Peer {
  readonly #socket: UdpSocket
  readonly byStatus: Record<string, number> = {}
  receivedBytes = 0
  /** The last call that was answered: messages in its dialog reach further. */
  last: LastCall = { callId: 'none', tag: 'none' }
  #onOptions: (() => void) | null = null

  static async open(port: number): Promise<Peer> {
    const socket = createSocket('udp4').bind(port, '127.0.0.1')
    await once(socket, 'listening')
    return new Peer(socket)
  }

  private constructor(socket: UdpSocket) {
    this.#socket = socket
    socket.on('message', (bytes) => {
      this.receivedBytes += bytes.length
      const text = bytes.toString('latin1')
      const status = /^SIP\/2\.0 (\d{3})/.exec(text)?.[1]
      if (status) this.byStatus[status] = (this.byStatus[status] ?? 0) + 1
      const tag = /^To:.*;tag=([0-9a-f]{16})/m.exec(text)?.[1]
      const callId = /^Call-ID: (\S+)/m.exec(text)?.[1]
      if (status === '200' && /^CSeq: \d+ INVITE/m.test(text) && tag && callId) this.last = { callId, tag }
      if (text.includes('still-there')) this.#onOptions?.()
    })
    socket.on('error', () => {})
  }

  send(text: string, port: number): void {
    // A datagram cannot be larger.
    this.#socket.send(Buffer.from(text, 'latin1').subarray(0, 65_000), port, '127.0.0.1', () => {})
  }

  /** Whether the answer came within the time that a peer waits; false if it did not. */
  async isAnswered(port: number, round: number): Promise<boolean> {
    const answered = new Promise<true>((resolve) => {
      this.#onOptions = () => resolve(true)
    })
    for (let tries = 0; tries < 8; tries++) {
      this.send(optionsOf(round, this.#socket.address().port), port)
      if (await Promise.race([answered, sleep(4_000, false)])) return true
    }
    return false
  }

  close(): void {
    this.#socket.close()
  }
}

const optionsOf = (round: number, port: number): string =>
  [
    'OPTIONS sip:agent@127.0.0.1 SIP/2.0',
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bKstill-there-${round};rport`,
    'From: <sip:good@127.0.0.1>;tag=g',
    'To: <sip:agent@127.0.0.1>',
    `Call-ID: still-there-${round}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0\r\n\r\n',
  ].join('\r\n')

/** Sends a text over TCP; resolves to the number of bytes that came back. */
async function byTcp(text: string, port: number): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' })
  let received = 0
  socket.on('data', (chunk) => {
    received += chunk.length
  })
  socket.on('error', () => {})
  socket.write(Buffer.from(text, 'latin1'))
  await Promise.race([once(socket, 'close').catch(() => {}), sleep(50)])
  socket.destroy()
  return received
}

export async function hostileSip(
  messages: number,
  seed: number,
  first: number,
  say: (line: string) => void,
): Promise<HostileSipReport> {
  const [welcomePort, strangerPort, goodPort] = await Promise.all([
    freeUdpPort(),
    freeUdpPort(),
    freeUdpPort(),
  ])
  const allow = [`127.0.0.1:${welcomePort}`, `127.0.0.1:${goodPort}`]
  const agent = await AgentProcess.start({ isQuiet: true, allow, hangUpAfterMs: 3_000 }, ['--expose-gc'])
  const [welcome, stranger] = await Promise.all([Peer.open(welcomePort), Peer.open(strangerPort)])
  const rounds = Math.ceil(messages / perRound)
  const seconds = Math.ceil((rounds * perRound) / perSecond)
  const good = sipp({
    scenario: 'uac',
    to: agent.port,
    port: goodPort,
    calls: seconds * 2,
    more: ['-r', '2', '-timeout', '3600s'],
  })
  const faults: string[] = []
  const memory: number[] = []
  let counts = await agent.counts()
  try {
    const from = Math.floor(first / perRound)
    for (let round = from; round < from + rounds; round++) {
      const again = `node faults/hostile-sip.ts ${perRound} ${seed} ${round * perRound}`
      const pace = sleep((perRound / perSecond) * 1_000)
      const torture = allTorture.map(({ text }) => text.replaceAll('\n', '\r\n'))
      const random = seeded(seed + round)
      for (let i = 0; i < perRound; i++) {
        const kind = random()
        const isWelcome = kind < 0.8
        // A new call now and then, and messages of the last one in between. A stranger knows no call of ours: to know its
        // Call-ID and its tags is to belong to it.
        const fresh = `${isWelcome ? 'fuzz' : 'stranger'}-${round}-${Math.floor(i / 10)}`
        const last = isWelcome ? welcome.last : { callId: fresh, tag: 'guessed' }
        const corpus = random() < 0.4 ? torture : dialogCorpus(welcomePort, last, fresh)
        const text = mutate(corpus, random)
        if (isWelcome) welcome.send(text, agent.port)
        else if (kind < 0.97) stranger.send(text, agent.port)
        else if ((await byTcp(text, agent.port)) > 0)
          faults.push(`a stranger got an answer by TCP (${again})`)
      }
      await pace
      if (!agent.isAlive) throw new Error(`The agent died (${again}): ${agent.errors}`)
      if (!(await welcome.isAnswered(agent.port, round))) faults.push(`OPTIONS was not answered (${again})`)
      counts = await agent.counts()
      memory.push(counts.heapBytes)
      if (counts.faults > 0)
        faults.push(`${counts.faults} exceptions (${again}): ${agent.errors.slice(0, 800)}`)
      if (faults.length > 20) break
      if ((round + 1) % 20 === 0)
        say(
          `${(round + 1 - from) * perRound} messages, ${megabytes(counts.heapBytes)} MB, ${counts.transactions} transactions, ${faults.length} faults`,
        )
    }
    if (stranger.receivedBytes > 0) faults.push(`strangers got ${stranger.receivedBytes} bytes`)
    if (counts.strangers === 0) faults.push('no stranger was counted')
    const failed = await good
    if (failed) faults.push(`the good client: ${failed}`)
    const quarter = Math.ceil(memory.length / 4)
    const early = median(memory.slice(2 * quarter, 3 * quarter))
    return {
      sent: memory.length * perRound,
      byStatus: welcome.byStatus,
      faults,
      counts,
      memory: { early, late: median(memory.slice(-quarter)) },
    }
  } finally {
    welcome.close()
    stranger.close()
    await agent.stop()
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 ** 2)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = Date.now()
  const [messages = defaultMessages, seed = startedAt % 1_000_000_000, first = 0] = process.argv
    .slice(2)
    .map(Number)
  console.log(`seed ${seed}`)
  const { sent, byStatus, faults, memory, counts } = await hostileSip(messages, seed, first, console.error)
  for (const fault of faults) console.log(fault)
  console.log(`${sent} messages in ${Math.round((Date.now() - startedAt) / 1000)} s:`, byStatus)
  console.log(
    `${counts.strangers} of strangers, ${counts.malformed} malformed, ${counts.arrived} calls, ${counts.overflown} over the limit`,
  )
  console.log(
    `memory ${megabytes(memory.early)} MB in the third quarter, ${megabytes(memory.late)} MB in the last`,
  )
  console.log(`faults ${faults.length}`)
  if (faults.length > 0 || memory.late - memory.early > driftBytes) process.exitCode = 1
}
