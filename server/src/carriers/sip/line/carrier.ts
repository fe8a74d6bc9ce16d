// The SIP carrier in the media thread: opens lines for calls that are placed or have arrived, and gives them their messages.
import { randomBytes } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { RecentMap } from '../../../platform/bounded-map.ts'
import type { Config } from '../../../platform/config.ts'
import type { Carrier, Dialler, LineAnswerer, LineListener } from '../../../ports/line.ts'
import type { CarrierParts } from '../../description.ts'
import { causeOfStatus } from '../call/causes.ts'
import { RtpPorts } from '../sound/rtp-ports.ts'
import { SipLine } from './line.ts'
import type { Order, SipArrival, ToLine, ToSignalling } from './link.ts'

export interface SipParts {
  /** Undefined: there is no SIP line. */
  readonly sip: Config['sip']
}

type Parts = Pick<CarrierParts, 'link' | 'ticker'> & { readonly sip: NonNullable<Config['sip']> }

/** More calls than can wait to be started at one time. */
const mostEndedEarly = 1_000

export function openSipCarrier({ link, ticker, sip }: Parts): Carrier & Dialler & LineAnswerer {
  const lines = new Map<string, SipLine>()
  /** The ends of arrivals whose line is not opened yet, and of calls that both sides ended at once. */
  const endedEarly = new RecentMap<string, ToLine>(mostEndedEarly)
  const ports = new RtpPorts(everywhere(), sip.rtpPorts)
  const post = (message: ToSignalling) => link.post(message)

  link.onMessage((received) => {
    const message = received as ToLine
    const line = lines.get(message.call)
    if (line) line.receive(message)
    else if (message.type === 'ended') endedEarly.set(message.call, message)
  })

  type Opening = Pick<SipArrival, 'call' | 'callId' | 'trunkId' | 'resumed'> & {
    readonly sessionId: string | null
  }
  const open = ({ call, callId, trunkId, resumed, sessionId }: Opening, listener: LineListener): SipLine => {
    const line = new SipLine({
      call,
      callSid: callId,
      resumed,
      post,
      ticker,
      listener,
      placeSecond:
        trunkId === null
          ? null
          : (to, heard) => place({ sessionId: null, legOf: sessionId, to, from: null, trunkId }, heard),
      openPort: () => ports.open(),
      onClosed: () => lines.delete(call),
    })
    lines.set(call, line)
    return line
  }

  const place = (order: Order, listener: LineListener): SipLine => {
    // The key is the Call-ID too, as it stands in the trunk's records.
    const call = randomBytes(16).toString('hex')
    const { trunkId, sessionId } = order
    const line = open({ call, callId: call, trunkId, resumed: null, sessionId }, listener)
    post({ type: 'place', call, ...order })
    return line
  }

  return {
    dial: ({ sessionId, to, from, trunkId }, listener) =>
      place({ sessionId, legOf: null, to, from, trunkId }, listener),
    answer({ sessionId, payload }, listener) {
      const arrival = payload as SipArrival
      const line = open({ ...arrival, sessionId }, listener)
      const ended = endedEarly.get(arrival.call)
      // Events must come after `answer` has returned.
      if (ended) queueMicrotask(() => line.receive(ended))
      else if (arrival.resumed) void line.resume(arrival.terms)
      else void line.answer(arrival.terms, arrival.offer)
      return line
    },
    refuse(payload, reason) {
      const { call } = payload as SipArrival
      // A call that has already ended cannot be hung up.
      if (!endedEarly.delete(call)) post({ type: 'hang-up', call, cause: causeOfStatus(480, reason) })
    },
    close() {
      for (const line of lines.values()) line.hangUp('The service is stopping.')
    },
  }
}

/** The address to bind: for both families, where the machine has both. */
const everywhere = (): string =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ family }) => family === 'IPv6'))
    ? '::'
    : '0.0.0.0'
