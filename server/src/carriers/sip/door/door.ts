// Where telephones and trunks reach us, in the main thread: sockets, the user agent, registrations, and who is let in.
import { randomBytes } from 'node:crypto'
import { lookup, Resolver } from 'node:dns/promises'
import type { Config } from '../../../platform/config.ts'
import type { Guard } from '../../../platform/guard/guard.ts'
import type { CallRoom } from '../../../ports/arrival.ts'
import type { KeepSignalling } from '../../../ports/signalling.ts'
import type { Telephones } from '../../../ports/telephones.ts'
import type { TrunkLeases, Trunks } from '../../../ports/trunk.ts'
import type { Door, DoorParts } from '../../description.ts'
import { openVerifier } from '../auth/verify-caller.ts'
import { UserAgent } from '../call/user-agent.ts'
import type { ToSignalling } from '../line/link.ts'
import { callIdOf } from '../message/headers.ts'
import { printHost } from '../message/uri.ts'
import { SipEdge } from '../transport/edge.ts'
import { localAddressTowards } from '../transport/local-address.ts'
import { openTransports } from '../transport/open-transports.ts'
import { guardedResolve, type NameServer } from '../transport/resolve.ts'
import type { SocketListener } from '../transport/sockets.ts'
import type { After } from '../transport/timers.ts'
import { Trace } from '../transport/trace.ts'
import type { Destination, TransportName } from '../transport/transport.ts'
import { AddressList } from '../trunk/address-list.ts'
import { checkTrunk } from '../trunk/check-trunk.ts'
import { TrunkBook } from '../trunk/trunk-book.ts'
import { whoCalls } from '../trunk/who-calls.ts'
import { ArrivalLimits } from './arrival-limits.ts'
import { DoorKeeper } from './door-keeper.ts'
import { Registrar } from './registrar.ts'
import { CallSignalling } from './signalling.ts'

type Settings = NonNullable<Config['sip']>

/** What the door of SIP needs besides what every door is given. */
export interface SipDoorParts {
  /** Undefined: there is no SIP line. */
  readonly sip: Config['sip']
  readonly trunks: Trunks
  /** Which process keeps which registration. */
  readonly leases: TrunkLeases
  /** The telephones that have logged in at a door of ours. */
  readonly telephones: Telephones
  /** How many more calls this process takes now, and how many at most. */
  readonly room: () => CallRoom
  /** Whether the operator trusts a host in a private network. */
  readonly isTrustedHost: (host: string, port: number) => boolean
  /** The guard for addresses that callers name. */
  readonly guard: Guard
  /** An HMAC that every process of the installation computes alike. */
  readonly sign: (text: string) => Buffer
  /** Keeps the messages that set a call up and ended it. */
  readonly keepSignalling: KeepSignalling
  /** Counts what was turned away at the door, by reason. */
  readonly countRefused: (reason: string) => void
  /** Where the agent of a running call may transfer to: numbers in E.164 form and SIP addresses. */
  readonly transferTargets: (sessionId: string) => readonly string[]
  /** Whether the workspace of a running call may call this number in E.164 form, or this SIP address. */
  readonly mayDial: (sessionId: string, to: string) => boolean
}

type Parts = Omit<DoorParts, 'upgrades'> &
  SipDoorParts & {
    readonly sip: Settings
    /** Used instead of the name servers of this machine. */
    readonly names?: NameServer
  }

export async function openSipDoor(parts: Parts): Promise<Door> {
  const { sip, link, log, telephones, guard, countRefused } = parts
  const verify = await openVerifier({ anchorsFile: sip.stirAnchors, guard, log, countRefused })
  const listener: SocketListener = { onMessage: (bytes, flow) => agent.receive(bytes, flow) }
  const transports = await openTransports(sip, listener)
  const allow = new AddressList(sip.allow)
  const edge = new SipEdge(sip.edge)
  const limits = new ArrivalLimits({ log, count: countRefused, nowMs })
  const resolve = guardedResolve({
    names: parts.names ?? systemNames,
    random: Math.random,
    isTrusted: parts.isTrustedHost,
    isAllowed: (address) => allow.has(address) || edge.isAt(address),
  })
  const callParts = (transport: TransportName) => agent.callParts(transport)
  const { trunks, leases } = parts
  const book = new TrunkBook({ trunks, leases, edge, callParts, resolve, random, after, log })
  const trace = new Trace((name) => book.isTrunkHeader(name))
  const onFault = (err: unknown) => log.error({ err }, 'a SIP message could not be worked on')
  const keepAlive = (to: Destination) => agent.callParts(to.transport).keepAlive(to)
  const registrar = new Registrar({ telephones, now: () => new Date(), after, keepAlive, onFault })
  const { digest } = sip
  const keeper = new DoorKeeper({ allow, book, limits, registrar, digest, sign: parts.sign, random })

  const agent: UserAgent = new UserAgent({
    transports,
    after,
    random,
    resolve,
    onFault,
    isWelcome: (request, { peer }) =>
      edge.isPing(request, peer) || keeper.isWelcome(request, edge.originOf(request, peer)),
    challenge: (request, { peer }) => keeper.challenge(request, edge.originOf(request, peer)),
    room: () => signalling.room,
    onRegister: (incoming) => keeper.register(incoming),
    onInvite: (incoming) => {
      const { request } = incoming
      const peer = edge.originOf(request, incoming.peer)
      const caller = whoCalls({ request, peer }, book, allow, keeper.loginOf(request))
      if (caller) void signalling.arrive(incoming, callIdOf(request), caller)
      else incoming.reject(404)
    },
    onTrace: (direction, message, peer) => trace.add(direction, message, peer, new Date()),
  })
  const signalling = new CallSignalling({
    ...parts,
    agent,
    book,
    edge,
    trace,
    resolve,
    after,
    random,
    verify,
    post: (message) => link.post(message),
    addressTowards: (peer) => transports.localAddress(peer).host,
  })
  link.onMessage((message) => signalling.receive(message as ToSignalling))
  link.onLost(() => signalling.lose())
  void book.read()

  return {
    address: addressOf(sip, transports),
    checkTrunk: async (trunk) => {
      await book.read()
      const registrationOf = book.registrationOf.bind(book)
      return checkTrunk(trunk, { edge, callParts, resolve, registrationOf, telephones, nowMs, after })
    },
    drain() {
      signalling.drain()
      // Registrations end, so that another process registers and gets new calls.
      void book.close()
    },
    resume: (sessionId, state) => signalling.resume(sessionId, state),
    abandon: (sessionId, onHungUp) => signalling.abandon(sessionId, onHungUp),
    async close() {
      signalling.close()
      registrar.close()
      await book.close()
      await agent.close()
    },
  }
}

/** The address that a telephone on the same network dials, for the terminal. */
function addressOf({ address }: Settings, { port }: { readonly port: number }): string {
  // A documentation address is on no network of ours, so the address that faces the Internet is found.
  const host = address ?? localAddressTowards('192.0.2.1')
  return `sip:<agent_id>@${printHost(host)}:${port}`
}

const random = (bytes: number): string => randomBytes(bytes).toString('hex')
const nowMs = (): number => performance.now()

const after: After = (ms, act) => {
  const timer = setTimeout(act, ms).unref()
  return () => clearTimeout(timer)
}

// Two tries of two seconds, because a caller waits for the answer.
const resolver = new Resolver({ timeout: 2_000, tries: 2 })
const systemNames: NameServer = {
  resolveSrv: (name) => resolver.resolveSrv(name),
  resolveNaptr: (name) => resolver.resolveNaptr(name),
  resolve4: (name) => resolver.resolve4(name),
  resolve6: (name) => resolver.resolve6(name),
  lookup: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
}
