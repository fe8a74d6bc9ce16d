// A program for tests: the real user agent on real sockets. It answers every call with a fixed description, and does what it
// is told on its standard input, one JSON document a line; what happens it tells on its standard output.
//   node server/test/props/sip/user-agent-process.ts [JSON of settings]
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { createInterface } from 'node:readline'
import type { Call } from '../../../src/carriers/sip/call/call.ts'
import type { CallListener } from '../../../src/carriers/sip/call/call-parts.ts'
import { causeOfStatus } from '../../../src/carriers/sip/call/causes.ts'
import { UserAgent } from '../../../src/carriers/sip/call/user-agent.ts'
import { callIdOf, cseqOf } from '../../../src/carriers/sip/message/headers.ts'
import { headerOf } from '../../../src/carriers/sip/message/message.ts'
import { parseUri, userOf } from '../../../src/carriers/sip/message/uri.ts'
import { resolveTarget } from '../../../src/carriers/sip/transport/resolve.ts'
import { openSockets } from '../../../src/carriers/sip/transport/sockets.ts'
import type { After } from '../../../src/carriers/sip/transport/timers.ts'
import type { TransportName } from '../../../src/carriers/sip/transport/transport.ts'
import { Registration } from '../../../src/carriers/sip/trunk/registration.ts'
import type { Order, Report, Settings } from './user-agent-orders.ts'

const settings: Settings = JSON.parse(process.argv[2] ?? '{}')
const { isQuiet = false, allow = null, hangUpAfterMs = null } = settings

const say = (report: Report): void => void process.stdout.write(`${JSON.stringify(report)}\n`)
const tell: typeof say = isQuiet ? () => {} : say
const random = (bytes: number) => randomBytes(bytes).toString('hex')
const after: After = (ms, act) => {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}
const sdp = (port = 40_000, version = 1) =>
  [
    'v=0',
    `o=parley 1 ${version} IN IP4 127.0.0.1`,
    's=parley',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} RTP/AVP 0`,
    'a=rtpmap:0 PCMU/8000',
    '',
  ].join('\r\n')

const none = () => Promise.reject(new Error('no name server'))
const names = {
  resolveSrv: none,
  resolveNaptr: none,
  resolve4: none,
  resolve6: none,
  lookup: async (name: string) => [(await lookup(name)).address],
}
const resolve = (address: string, transport: TransportName | null) =>
  resolveTarget(address, transport, { names, random: Math.random })

const calls = new Map<string, Call>()
const registrations: Registration[] = []
/** How often the 200 of each call was sent. */
const answers = new Map<string, number>()
const counts = { arrived: 0, ended: 0, faults: 0 }

const listenerOf = (id: string): CallListener => ({
  onOffer: (offer) => {
    tell({ event: 'offer', id, sdp: offer.sdp })
    offer.accept(sdp(40_002, 2))
  },
  onLateAnswer: (answer) => tell({ event: 'late-answer', id, sdp: answer }),
  onInfo: (contentType, body) => tell({ event: 'info', id, contentType, body }),
  onTransferProgress: (status) => tell({ event: 'transfer', id, status }),
  onEnded: (cause) => {
    counts.ended += 1
    calls.delete(id)
    tell({ event: 'ended', id, ...cause, answers: answers.get(id) ?? 0 })
    answers.delete(id)
  },
})

const sockets = await openSockets(
  {
    host: settings.host ?? '127.0.0.1',
    port: settings.port ?? 0,
    tls: settings.tls ? { ...settings.tls, port: settings.tls.port ?? 0 } : null,
    advertisedHost: null,
    ...(settings.authority && { trustedAuthorities: [settings.authority] }),
  },
  { onMessage: (bytes, flow) => agent.receive(bytes, flow) },
)

const agent: UserAgent = new UserAgent({
  transports: sockets,
  after,
  random,
  resolve,
  room: () => ({ free: 1, capacity: 1 }),
  onTrace: (direction, message) => {
    if (isQuiet || direction === 'in') return
    if (message.kind === 'request') {
      if (message.method === 'BYE') tell({ event: 'bye', to: headerOf(message, 'To') ?? '' })
      return
    }
    const isAnswer = message.status === 200 && cseqOf(message)?.method === 'INVITE'
    if (isAnswer) answers.set(callIdOf(message), (answers.get(callIdOf(message)) ?? 0) + 1)
  },
  // The address and, for tests on one machine, the port of a peer.
  isWelcome: (_, { peer }) =>
    allow === null || allow.includes(`${peer.address}:${peer.port}`) || allow.includes(peer.address),
  onFault: (error) => {
    counts.faults += 1
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  },
  onInvite: (arriving) => {
    counts.arrived += 1
    const id = headerOf(arriving.request, 'Call-ID') ?? random(8)
    const uri = parseUri(arriving.request.uri)
    const user = uri && userOf(uri)
    arriving.onCancelled = (cause) => tell({ event: 'cancelled', id, ...cause, answers: 0 })
    tell({ event: 'invite', id, user, offer: arriving.offer })
    if (user === 'busy') return arriving.reject(486)
    arriving.ring()
    if (user === 'ringing') return
    if (user === 'early') arriving.early(sdp())
    const call = arriving.accept(sdp(), listenerOf(id))
    if (!call) return
    calls.set(id, call)
    if (hangUpAfterMs !== null) after(hangUpAfterMs, () => call.hangUp(causeOfStatus(200)))
  },
})

function obey(order: Order): void {
  const call = 'id' in order ? calls.get(order.id) : undefined
  switch (order.do) {
    case 'call': {
      const {
        to,
        from = 'sip:parley@127.0.0.1',
        credentials = null,
        transport = null,
        redirectTo = null,
      } = order
      const id = order.as
      const listener = {
        ...listenerOf(id),
        onProvisional: (status: number) => tell({ event: 'provisional', id, status }),
        onAnswered: (answer: string) => tell({ event: 'answered', id, sdp: answer }),
      }
      const redirectedTo = (address: string) =>
        redirectTo !== null && address.includes(redirectTo) ? address : null
      const common = { to, from: `<${from}>`, sdp: sdp(), headers: [], routes: order.routes ?? [] }
      calls.set(id, agent.place({ ...common, credentials, transport, listener, redirectedTo }))
      return
    }
    case 'hang-up':
      return void call?.hangUp(causeOfStatus(200))
    case 'offer':
      return void call
        ?.offer(sdp(40_010, 3))
        .then((result) => tell({ event: 'offered', id: order.id, result }))
    case 'refer':
      return void call
        ?.refer(order.to)
        .then((result) =>
          tell({ event: 'referred', id: order.id, status: result === 'no-answer' ? 0 : result.status }),
        )
    case 'register': {
      const { registrar, addressOfRecord, credentials, transport } = order
      const registration = new Registration({
        ...agent.callParts(transport),
        registrar,
        addressOfRecord,
        credentials,
        routes: [],
        contactUser: order.contactUser,
        onState: (state) => tell({ event: 'registration', state }),
      })
      registrations.push(registration)
      return void registration.start()
    }
    case 'count':
      global.gc?.()
      return void say({
        event: 'counts',
        ...counts,
        ...agent.counts,
        calls: agent.calls,
        transactions: agent.transactions,
        memoryBytes: process.memoryUsage.rss(),
        heapBytes: process.memoryUsage().heapUsed,
      })
    case 'stop':
      return void Promise.all(registrations.map((one) => one.stop()))
        .then(() => agent.close())
        .then(() => process.exit(0))
  }
}

createInterface({ input: process.stdin }).on('line', (line) => obey(JSON.parse(line)))
process.stdin.on('end', () => process.exit(0))
say({ event: 'ready', port: sockets.port, tlsPort: sockets.tlsPort })
