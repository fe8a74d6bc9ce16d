// The telephone edge of deploy/edge/, Kamailio and rtpengine, in front of two workers. The workers are doors whose media threads
// are the test's; everything between them and the callers is real.
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Door } from '../../src/carriers/description.ts'
import { openSipDoor } from '../../src/carriers/sip/door/door.ts'
import type { SipArrival, ToLine, ToSignalling } from '../../src/carriers/sip/line/link.ts'
import type { Arrival, CalledNumber } from '../../src/ports/arrival.ts'
import { alone, idleGuard, memoryTelephones, sipSettings } from '../props/sip/door-stores.ts'
import { type PlacedCall, startCallers } from '../props/sip/edge/edge-callers.ts'
import { type EdgeProcess, noEdge, startEdge } from '../props/sip/edge/edge-process.ts'
import { noSipp } from '../props/sip/sipp.ts'
import { trunkOf } from '../props/sip/trunk.ts'
import { answerText, openUdpPeer, type UdpPeer } from '../props/sip/udp-peer.ts'
import { describeUnless, itUnless } from '../props/unless.ts'
import { canOpenNamespace } from '../support/namespace/namespace.ts'
import { ownPort } from '../support/own-ports.ts'

const run = promisify(execFile)
const trunkAddress = '127.0.0.3'
/** As long as a busy machine needs. */
const until = <Found>(check: () => Found): Promise<Found> => vi.waitFor(check, { timeout: 150_000 })
const sdpOf = (address: string) =>
  [
    'v=0',
    `o=- 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    'm=audio 40000 RTP/AVP 0',
    '',
  ].join('\r\n')

interface Worker {
  readonly door: Door
  readonly calls: (CalledNumber & { offer: string | null })[]
  readonly strangers: string[]
  readonly toMedia: ToLine[]
  /** What another worker would need to go on with a call, by session. */
  readonly states: Map<string, string>
  fromMedia(message: ToSignalling): void
}

describeUnless(noEdge ?? noSipp, 'the telephone edge', () => {
  let edge: EdgeProcess
  let trunkPeer: UdpPeer
  const workers: Worker[] = []

  beforeAll(async () => {
    const ports = [await ownPort(), await ownPort()]
    trunkPeer = await openUdpPeer(trunkAddress)
    trunkPeer.onRequest = (text) => answerText(text, '200 OK')
    edge = await startEdge({ workers: ports, requestsPer2s: 400 })
    for (const port of ports) workers.push(await openWorker(port))
    await until(() => expect(edge.workers().match(/FLAGS: AP/g)).toHaveLength(2))
  })
  afterAll(async () => {
    for (const { door } of workers) await door.close()
    await edge?.stop()
    trunkPeer?.close()
  })

  /** Answers every call at once. */
  async function openWorker(port: number): Promise<Worker> {
    const credentials = { username: 'ada', password: 'secret' }
    const trunk = trunkOf({ id: 't1', host: trunkAddress, port: trunkPeer.port, register: true, credentials })
    let fromMedia: (message: ToSignalling) => void = () => {}
    const worker: Omit<Worker, 'door'> = {
      calls: [],
      strangers: [],
      toMedia: [],
      states: new Map(),
      fromMedia: (message) => fromMedia(message),
    }
    const door = await openSipDoor({
      sip: sipSettings({ port, edge: edge.inside }),
      log: { info() {}, warn() {}, error() {} } as never,
      room: () => ({ free: 10, capacity: 10 }),
      admit: async (key, { handover }) => {
        const { call, offer } = handover.payload as SipArrival
        worker.calls.push({ ...(key as CalledNumber), offer })
        setImmediate(() => fromMedia({ type: 'accept', call, sdp: sdpOf('127.0.0.1') }))
        return { is: 'in', sessionId: call }
      },
      link: {
        post: (message) => void worker.toMedia.push(message as ToLine),
        onMessage: (listener) => {
          fromMedia = listener
        },
        onLost() {},
      },
      trunks: { all: async () => [trunk], onChange: () => () => {} },
      leases: alone(),
      telephones: memoryTelephones(),
      isTrustedHost: (host) => host === trunkAddress,
      guard: idleGuard(),
      sign: (text) => createHmac('sha256', 'a key for tests').update(text).digest(),
      transferTargets: () => [],
      mayDial: () => false,
      keepSignalling: () => {},
      keepState: (sessionId, state) =>
        void (state === null ? worker.states.delete(sessionId) : worker.states.set(sessionId, state)),
      countRefused: (reason) => void worker.strangers.push(reason),
    })
    return { ...worker, door }
  }

  const received = () => workers.reduce((sum, { calls }) => sum + calls.length, 0)

  /** How many of the calls came to an end as they should. */
  const callers = async (calls: number): Promise<readonly PlacedCall[]> =>
    (await startCallers({ to: edge, user: '+4930901820', calls, perSecond: 20, holdMs: 300 })).done
  const ended = (calls: readonly PlacedCall[]) => calls.filter(({ endedMs }) => endedMs !== undefined).length
  const place = async (calls: number) => ended(await callers(calls))

  const request = (
    method: string,
    from: string,
    more: readonly string[] = [],
    to = '<sip:agent@127.0.0.2>',
  ) =>
    [
      `${method} sip:agent@127.0.0.2:${edge.port} SIP/2.0`,
      `Via: SIP/2.0/UDP ${from};branch=z9hG4bK${Math.random()};rport`,
      ...[
        `From: <sip:someone@${from}>;tag=far`,
        `To: ${to}`,
        `Call-ID: ${Math.random()}`,
        `CSeq: 1 ${method}`,
      ],
      ...[`Contact: <sip:someone@${from}>`, 'Max-Forwards: 70', ...more, 'Content-Length: 0', '', ''],
    ].join('\r\n')

  it('brings calls to the workers, which know the trunk by its own address; the sound goes by the edge', async () => {
    expect(await place(8)).toBe(8)
    expect(received()).toBe(8)
    for (const { calls } of workers)
      for (const { trunkId, offer } of calls) {
        expect(trunkId).toBe('t1')
        expect(offer).toMatch(/^c=IN IP4 127\.0\.0\.1\r$/m)
        expect(offer).not.toMatch(/^m=audio 40000/m)
      }
  })

  itUnless(
    canOpenNamespace() ? undefined : 'only root can open network namespaces',
    'marks its SIP as CS3',
    async () => {
      // It asks its workers every second whether they are there.
      const pings = ['udp', 'and', 'src', 'port', String(edge.inside.port)]
      const { stdout } = await run('tcpdump', ['-Z', 'root', '-nv', '-c', '1', '-i', 'lo', ...pings])
      expect(stdout).toContain('(tos 0x60, ')
    },
  )

  it('carries calls and registrations of the workers to the trunk, under its own address', async () => {
    let offered = ''
    trunkPeer.onRequest = (text) => {
      if (text.startsWith('ACK')) return null
      if (!text.startsWith('INVITE')) return answerText(text, '200 OK')
      offered = text
      const routes = text.split('\r\n').filter((line) => /^record-route:/i.test(line))
      const answer = answerText(text, '200 OK', [
        ...routes,
        `Contact: <sip:peer@${trunkAddress}:${trunkPeer.port}>`,
        'Content-Type: application/sdp',
      ])
      const sdp = sdpOf(trunkAddress)
      return answer.replace('Content-Length: 0\r\n\r\n', `Content-Length: ${sdp.length}\r\n\r\n${sdp}`)
    }
    const [worker] = workers as [Worker]
    const order = { sessionId: 's1', legOf: null, to: '+15551234567', from: null, trunkId: 't1' }
    worker.fromMedia({ type: 'place', call: 'c1', ...order })
    await until(() => expect(worker.toMedia).toContainEqual(expect.objectContaining({ type: 'describe' })))
    worker.fromMedia({ type: 'described', call: 'c1', sdp: sdpOf('127.0.0.1') })
    const answered = await until(() => {
      const found = worker.toMedia.find((message) => message.type === 'answered')
      expect(found).toBeDefined()
      return found as Extract<ToLine, { type: 'answered' }>
    })
    expect(offered).toMatch(/^c=IN IP4 127\.0\.0\.2\r$/m)
    expect(answered.sdp).toMatch(/^c=IN IP4 127\.0\.0\.1\r$/m)
    worker.fromMedia({ type: 'hang-up', call: 'c1', cause: { status: 200, text: 'OK', q850: null } })
    await until(() => expect(trunkPeer.received.some((text) => text.startsWith('BYE'))).toBe(true))
    const register = trunkPeer.received.find((text) => text.startsWith('REGISTER'))
    expect(register).toMatch(new RegExp(`^Contact: <sip:[0-9a-f]{24}@127\\.0\\.0\\.2:${edge.port}>`, 'm'))
  })

  it('moves a call to another worker that goes on with it, and its sound with it', async () => {
    const { done } = await startCallers({
      to: edge,
      user: '+4930901820',
      calls: 1,
      perSecond: 1,
      holdMs: 3_000,
    })
    const first = await until(() => {
      const holder = workers.find(({ states }) => states.size > 0)
      expect(holder).toBeDefined()
      return holder as Worker
    })
    const second = workers.find((one) => one !== first) as Worker
    const [[sessionId, state]] = [...first.states] as [[string, string]]
    expect(first.door.abandon?.(sessionId, () => {})).toBe(true)
    const arrival = second.door.resume?.(sessionId, state) as Arrival
    const { call } = arrival.handover.payload as SipArrival
    second.fromMedia({ type: 'offer', call, request: 1, sdp: sdpOf('127.0.0.1') })
    const result = await until(() => {
      const found = second.toMedia.find((message) => message.type === 'result')
      expect(found).toBeDefined()
      return found as Extract<ToLine, { type: 'result' }>
    })
    expect(result.result).toMatchObject({
      is: 'accepted',
      sdp: expect.stringContaining('c=IN IP4 127.0.0.1'),
    })
    expect(await done).toMatchObject([{ resumedMs: expect.any(Number), endedMs: expect.any(Number) }])
    expect(second.toMedia).toContainEqual(expect.objectContaining({ type: 'ended', call }))
    expect(first.toMedia).not.toContainEqual(
      expect.objectContaining({ type: 'ended', cause: { status: 200 } }),
    )
  })

  it('believes nobody who says where it comes from, and is no relay', async () => {
    const stranger = await openUdpPeer('127.0.0.8')
    const from = `127.0.0.8:${stranger.port}`
    const before = received()
    stranger.send(
      request('INVITE', from, [`X-Parley-Source: sip:${trunkAddress}:5060`]),
      edge.port,
      edge.address,
    )
    await until(() => expect(workers.flatMap(({ strangers }) => strangers)).toContain('stranger'))
    const route = `Route: <sip:127.0.0.2:${edge.port};lr>`
    const inside = request('BYE', from, [route], '<sip:agent@127.0.0.2>;tag=x').replace(
      /^BYE \S+/,
      `BYE sip:peer@${trunkAddress}:${trunkPeer.port}`,
    )
    const known = trunkPeer.received.length
    stranger.send(inside, edge.port, edge.address)
    await until(() => expect(stranger.received.at(-1)).toMatch(/^SIP\/2\.0 481/))
    expect(trunkPeer.received.slice(known).filter((text) => text.startsWith('BYE'))).toEqual([])
    expect(received()).toBe(before)
    stranger.close()
  })

  it('speaks TLS', async () => {
    const socket = connect({ host: edge.address, port: edge.tlsPort, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    expect(socket.getProtocol()).toMatch(/^TLSv1\.[23]$/)
    socket.write(
      request('OPTIONS', '127.0.0.8:5061', [], '<sip:agent@127.0.0.2>;tag=x').replace('/UDP', '/TLS'),
    )
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^SIP\/2\.0 481/)
    socket.destroy()
  })

  it('does not hear a flood from one address, and the others not less for it', async () => {
    const flood = await openUdpPeer('127.0.0.7')
    const ping = () =>
      flood.send(
        request('OPTIONS', `127.0.0.7:${flood.port}`, [], '<sip:a@b>;tag=x'),
        edge.port,
        edge.address,
      )
    ping()
    await until(() => expect(flood.received).toHaveLength(1))
    await until(() => {
      for (let sent = 0; sent < 500; sent++) ping()
      expect(edge.log()).toMatch(/PIKE - BLOCKing ip 127\.0\.0\.7/)
    })
    expect(await place(2)).toBe(2)
    flood.close()
  })

  it('passes over a worker that stops, and one that is gone, and no call is lost', async () => {
    const [first, second] = workers as [Worker, Worker]
    // A trunk places again what was refused: on a crowded machine a worker may take a second to answer, and is passed over.
    const placeAll = async (calls: number) => {
      for (let left = calls; left > 0; ) {
        const placed = await callers(left)
        const refused = placed.filter(({ refusedMs }) => refusedMs !== undefined)
        expect(placed.length - refused.length).toBe(ended(placed))
        left -= ended(placed)
      }
    }
    await until(() => expect(edge.workers().match(/FLAGS: AP/g)).toHaveLength(2))
    first.door.drain?.()
    const [ofFirst, ofSecond] = [first.calls.length, second.calls.length]
    await placeAll(6)
    expect(first.calls.length).toBe(ofFirst)
    // More if it was too late with one that was placed again.
    expect(second.calls.length).toBeGreaterThanOrEqual(ofSecond + 6)
    await first.door.close()
    workers.shift()
    await placeAll(6)
    expect(second.calls.length).toBeGreaterThanOrEqual(ofSecond + 12)
    await until(() => expect(edge.workers()).toMatch(/FLAGS: IP/))
    await second.door.close()
    workers.shift()
    const caller = await openUdpPeer(trunkAddress)
    caller.send(request('INVITE', `${trunkAddress}:${caller.port}`), edge.port, edge.address)
    await until(() => expect(caller.received.join('\n')).toMatch(/^SIP\/2\.0 503[\s\S]*^Retry-After: 5/m))
    caller.close()
  })
})
