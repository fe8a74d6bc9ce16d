// Where telephones and trunks reach us, in the main thread: sockets, the user agent, registrations, and who is let in.
import { randomBytes } from 'node:crypto'
import { lookup, Resolver } from 'node:dns/promises'
import type { Config } from '../../../platform/config.ts'
import type { Door, DoorParts } from '../description.ts'
import { AddressList } from './address-list.ts'
import { ArrivalLimits } from './arrival-limits.ts'
import { checkTrunk } from './check-trunk.ts'
import { callIdOf } from './headers.ts'
import { calledOf, callerOf, variablesOf } from './identity.ts'
import type { ToSignalling } from './link.ts'
import { localAddressTowards } from './local-address.ts'
import type { SipRequest } from './message.ts'
import { openTransports, type SipTransports } from './open-transports.ts'
import { resolveTarget } from './resolve.ts'
import { type Caller, Signalling } from './signalling.ts'
import type { SocketListener } from './sockets.ts'
import type { After } from './timers.ts'
import { Trace } from './trace.ts'
import type { Destination, TransportName } from './transport.ts'
import { TrunkBook } from './trunk-book.ts'
import { parseUri, printHost, userOf } from './uri.ts'
import { type Arriving, UserAgent } from './user-agent.ts'

type Settings = NonNullable<Config['sip']>
export type SipDoorParts = Pick<
  DoorParts,
  'log' | 'admit' | 'link' | 'trunks' | 'keepSignalling' | 'keepState' | 'countRefused' | 'transferTargets'
> & { readonly sip: Settings }

export async function openSipDoor(parts: SipDoorParts): Promise<Door> {
  const { sip, link, log } = parts
  const listener: SocketListener = { onMessage: (bytes, flow) => agent.receive(bytes, flow) }
  const transports = await openTransports(sip, listener)
  const allow = new AddressList(sip.allow)
  const limits = new ArrivalLimits({ log, count: parts.countRefused, nowMs })
  const callParts = (transport: TransportName) => agent.callParts(transport)
  const book = new TrunkBook({ trunks: parts.trunks, callParts, resolve, random, after, log })
  const trace = new Trace((name) => book.isTrunkHeader(name))
  const isKnown = (request: SipRequest, address: string) =>
    allow.has(address) || book.at(address).length > 0 || book.ofContact(calledUser(request) ?? '').length > 0

  const agent: UserAgent = new UserAgent({
    ...{ transports, after, random, resolve },
    isWelcome(request, { peer }) {
      if (!isKnown(request, peer.address)) {
        limits.turnAway('stranger')
        return false
      }
      return request.method !== 'INVITE' || limits.mayCall(peer.address)
    },
    hasRoom: () => signalling.hasRoom,
    onInvite: (arriving) => {
      const caller = whoCalls(arriving, book, allow)
      if (caller) void signalling.arrive(arriving, callIdOf(arriving.request), caller)
      else arriving.reject(404)
    },
    onFault: (err) => log.error({ err }, 'a SIP message could not be worked on'),
    onTrace: (direction, message, peer) => trace.add(direction, message, peer, new Date()),
  })
  const signalling = new Signalling({
    ...{ agent, book, trace, resolve, after, random, log },
    ...{
      admit: parts.admit,
      transferTargets: parts.transferTargets,
      keepSignalling: parts.keepSignalling,
      keepState: parts.keepState,
    },
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
      return checkTrunk(trunk, { callParts, resolve, registrationOf, nowMs, after })
    },
    drain: () => signalling.drain(),
    resume: (sessionId, state) => signalling.resume(sessionId, state),
    abandon: (sessionId) => signalling.abandon(sessionId),
    async close() {
      signalling.close()
      await book.close()
      await agent.close()
    },
  }
}

/** null: one of several trunks of this address, and none of them has the number. Whoever needs no trunk calls an agent. */
function whoCalls({ request, peer }: Arriving, book: TrunkBook, allow: AddressList): Caller | null {
  const user = calledUser(request)
  const registered = user === null ? [] : book.ofContact(user)
  const trunks = registered.length > 0 ? registered : book.at(peer.address)
  const { trunk, called } = calledOf(request, trunks, registered.length > 0 ? user : null)
  if (trunks.length > 1 && !trunk && !allow.has(peer.address)) return null
  const { number, name } = callerOf(request, trunk !== null)
  const variables = variablesOf(request, name)
  return { trunk, trunkId: trunk?.id ?? null, called, caller: number, variables }
}

const calledUser = (request: SipRequest): string | null => {
  const uri = parseUri(request.uri)
  return uri && userOf(uri)
}

/** For the terminal: what a telephone on the same network dials. */
function addressOf({ address }: Settings, { port }: SipTransports): string {
  // Any address that is not of this machine: the one that faces the network.
  const host = address ?? localAddressTowards('192.0.2.1')
  return `sip:<agent_id>@${printHost(host)}:${port}`
}

const random = (bytes: number): string => randomBytes(bytes).toString('hex')
const nowMs = (): number => performance.now()

const after: After = (ms, act) => {
  const timer = setTimeout(act, ms).unref()
  return () => clearTimeout(timer)
}

// Two tries of two seconds: a caller waits for the answer.
const resolver = new Resolver({ timeout: 2_000, tries: 2 })
const names = {
  resolveSrv: (name: string) => resolver.resolveSrv(name),
  resolveNaptr: (name: string) => resolver.resolveNaptr(name),
  resolve4: (name: string) => resolver.resolve4(name),
  resolve6: (name: string) => resolver.resolve6(name),
  lookup: async (name: string) => (await lookup(name, { all: true })).map(({ address }) => address),
}

const resolve = (address: string, transport: TransportName | null): Promise<Destination[]> =>
  resolveTarget(address, transport, { names, random: Math.random })
