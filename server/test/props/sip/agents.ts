// User agents of a test on a network in memory, on a clock of the test's own; and peers that misbehave.
import { randomBytes } from 'node:crypto'
import type { Call } from '../../../src/carriers/sip/call/call.ts'
import type {
  CallListener,
  CallOrder,
  FarOffer,
  FarRefer,
} from '../../../src/carriers/sip/call/call-parts.ts'
import { causeOfStatus, type SipCause } from '../../../src/carriers/sip/call/causes.ts'
import type { IncomingCall } from '../../../src/carriers/sip/call/incoming-call.ts'
import { UserAgent, type UserAgentParts } from '../../../src/carriers/sip/call/user-agent.ts'
import type { SipRequest } from '../../../src/carriers/sip/message/message.ts'
import type { Destination } from '../../../src/carriers/sip/transport/transport.ts'
import { ManualClock, MemoryNetwork } from './network.ts'
import { RawPeer } from './raw-peer.ts'

export const alice = '192.0.2.1'
export const bob = '192.0.2.2'
export const sdp =
  'v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n'
export const sdpAt = (port: number): string => sdp.replace('4000', String(port))
export const done = causeOfStatus(200, 'The agent hung up')
export const atAlice: Destination = { transport: 'udp', address: alice, port: 5060 }

/** Notes everything that a call says. */
export class Ears implements CallListener {
  readonly events: string[] = []
  readonly offers: FarOffer[] = []
  readonly refers: FarRefer[] = []
  answer: string | null = null
  ended: SipCause | null = null
  onOffer = (offer: FarOffer): void => {
    this.offers.push(offer)
  }
  onLateAnswer = (text: string | null): void => void this.events.push(`late answer ${text?.length ?? 0}`)
  onInfo = (type: string, body: string): void => void this.events.push(`info ${type} ${body}`)
  onTransferProgress = (status: number): void => void this.events.push(`transfer ${status}`)
  onEnded = (cause: SipCause): void => {
    this.ended = cause
  }
  onProvisional = (status: number, early: string | null): void =>
    void this.events.push(`${status}${early ? ' early' : ''}`)
  onAnswered = (answer: string): void => {
    this.answer = answer
    this.events.push('answered')
  }
}

/** Says yes to every wish to be transferred. */
export class WillingEars extends Ears {
  readonly progress: ((status: number, text: string) => void)[] = []
  onRefer = (refer: FarRefer): void => {
    this.refers.push(refer)
    this.progress.push(refer.accept())
  }
}

export class Telephony {
  readonly clock = new ManualClock()
  readonly network = new MemoryNetwork(this.clock)
  readonly hosts: Record<string, readonly (string | Destination)[]> = {
    'bob.example': [bob],
    'far.example': [bob],
  }

  agent(
    address: string,
    onInvite: (call: IncomingCall) => void = () => {},
    more: Partial<UserAgentParts> = {},
  ): UserAgent {
    const made: UserAgent = new UserAgent({
      transports: this.network.join(address, (bytes, flow) => made.receive(bytes, flow)),
      after: this.clock.after,
      random: (bytes) => randomBytes(bytes).toString('hex'),
      resolve: async (target, transport) => this.#resolve(target, transport ?? 'udp'),
      isWelcome: () => true,
      room: () => ({ free: 1, capacity: 1 }),
      onInvite,
      onTrace: () => {},
      ...more,
    })
    return made
  }

  peer(address = bob): RawPeer {
    return new RawPeer(this.network, address)
  }

  /** Places a call from Alice; nobody answers it but the test. */
  place(ears = new Ears(), more: Partial<CallOrder> = {}, agent = this.agent(alice)): Call {
    return agent.place(order(ears, more))
  }

  /** Alice calls, Bob answers at once; both sides' ears and calls. */
  async connect(ears = new Ears(), farEars = new Ears(), afterMs = 40_000) {
    let farCall: Call | null = null
    const them = this.agent(bob, (arriving) => {
      arriving.ring()
      farCall = arriving.accept(sdp, farEars)
    })
    const us = this.agent(alice)
    const call = us.place(order(ears))
    await this.clock.advance(afterMs)
    if (!farCall) throw new Error('not answered')
    return { us, them, call, ears, farCall: farCall as Call, farEars }
  }

  /** Bob is a raw peer that has answered Alice's call. */
  async connectRaw(headers: { name: string; value: string }[] = [], ears = new Ears()) {
    const peer = this.peer()
    const us = this.agent(alice)
    const call = us.place(order(ears))
    await this.clock.advance(50)
    peer.received[0]?.answer(200, {
      body: sdp,
      headers: [{ name: 'Allow', value: 'INVITE, UPDATE' }, ...headers],
    })
    await this.clock.advance(50)
    return { peer, us, call, ears, invite: peer.requests('INVITE')[0] as SipRequest }
  }

  sent(from: string, start: RegExp): string[] {
    return this.network.log.filter((line) => line.startsWith(from) && start.test(line))
  }

  #resolve(target: string, transport: Destination['transport']): Destination[] {
    const found = /(?:@|sips?:|<)((?:[a-z0-9-]+\.)+example|\d+\.\d+\.\d+\.\d+)(?::(\d+))?/.exec(target)
    const host = found?.[1] ?? ''
    const named = /;transport=(tcp|tls|udp)/.exec(target)?.[1] as Destination['transport'] | undefined
    const port = Number(found?.[2] ?? 5060)
    const addresses = this.hosts[host] ?? (/^\d/.test(host) ? [host] : [])
    return addresses.map((one) =>
      typeof one === 'string' ? { transport: named ?? transport, address: one, port } : one,
    )
  }
}

export const order = (ears: CallOrder['listener'], more: Partial<CallOrder> = {}): CallOrder => ({
  to: 'sip:bob@bob.example',
  from: '<sip:alice@alice.example>',
  sdp,
  credentials: null,
  headers: [],
  routes: [],
  transport: null,
  listener: ears,
  ...more,
})

/** A request of a stranger, outside of any dialog unless its To has a tag. */
export const requestOf = (
  method: string,
  headers: Record<string, string> = {},
  { branch = 'z9hG4bKx', body = '' } = {},
): SipRequest => ({
  kind: 'request',
  method,
  uri: `sip:parley@${alice}`,
  headers: Object.entries({
    Via: `SIP/2.0/UDP ${bob};branch=${branch};rport`,
    'Max-Forwards': '70',
    From: '<sip:bob@bob.example>;tag=b',
    To: '<sip:parley@alice.example>',
    'Call-ID': 'c1',
    CSeq: `1 ${method}`,
    Contact: `<sip:bob@${bob}>`,
    ...headers,
  }).map(([name, value]) => ({ name, value })),
  body: new TextEncoder().encode(body),
})
