// The calls of this process as the signalling holds them, and what is kept of them: their state while they last, their
// messages after their end.
import type { KeepCallState } from '../../../ports/call-state.ts'
import type { KeepSignalling, Signalling } from '../../../ports/signalling.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import type { FarOffer, SipCause } from '../call/call-parts.ts'
import { type KeptCall, printKept } from '../call/saved-call.ts'
import type { Arriving, LiveCallInterface } from '../call/user-agent.ts'
import type { After } from '../transport/timers.ts'
import type { Trace } from '../transport/trace.ts'
import type { Destination } from '../transport/transport.ts'
import type { OutgoingAddresses } from '../trunk/outgoing-addresses.ts'

export interface CallRoute {
  readonly trunk: Trunk
  readonly addresses: OutgoingAddresses
  readonly peer: Destination
  /** It is a telephone that has logged in: it asks for no password, and there is no other way to it. */
  readonly isTelephone: boolean
  /** Encryption was offered, refused, and is not offered again. */
  readonly inPlain: boolean
}

export interface CallEntry {
  /** Names it to the media thread. */
  readonly key: string
  readonly callId: string
  readonly trunkId: string | null
  sessionId: string | null
  /** A second call, for the target of a transfer: its messages belong to the first one's. */
  readonly isLeg: boolean
  /** Call-IDs of its second calls, and of calls that have taken its place. */
  readonly legs: string[]
  /** An INVITE that waits for its answer. */
  arriving: Arriving | null
  placing: CallRoute | null
  call: LiveCallInterface | null
  /** A call that is to take its place, because the far end wants that. */
  referral: Referral | null
  /** Offers of the far end that its line has not decided about. */
  readonly offers: Map<number, FarOffer>
  lastOffer: number
}

export interface Referral {
  /** null: not placed yet. */
  call: LiveCallInterface | null
  /** The far end has hung up without waiting for it. */
  leftWith: SipCause | null
}

export interface CallTableParts {
  readonly trace: Pick<Trace, 'take'>
  readonly keepSignalling: KeepSignalling
  readonly keepState: KeepCallState
  readonly after: After
}

/** Answers to our BYE and CANCEL belong to the record; who has not answered by then does not answer. */
const lastWordsMs = 2_000

export class CallTable {
  readonly #parts: CallTableParts
  readonly #live = new Map<string, CallEntry>()
  /** Ended, and waiting for the last messages. */
  readonly #ended = new Set<CallEntry>()

  constructor(parts: CallTableParts) {
    this.#parts = parts
  }

  hold(key: string, callId: string, trunkId: string | null, sessionId: string | null = null): CallEntry {
    return this.#add({ key, callId, trunkId, sessionId, isLeg: false })
  }

  /** A second call of the one with this session. */
  holdLeg(key: string, trunkId: string | null, firstSession: string): CallEntry {
    const first = [...this.#live.values(), ...this.#ended].find((one) => one.sessionId === firstSession)
    first?.legs.push(key)
    return this.#add({ key, callId: key, trunkId, sessionId: null, isLeg: first !== undefined })
  }

  get(key: string): CallEntry | undefined {
    return this.#live.get(key)
  }

  ofSession(sessionId: string): CallEntry | undefined {
    return this.all.find((one) => one.sessionId === sessionId)
  }

  isLive({ key }: CallEntry): boolean {
    return this.#live.has(key)
  }

  get all(): CallEntry[] {
    return [...this.#live.values()]
  }

  /** Everything that another process would need to go on with it. */
  keepState(held: CallEntry, state: KeptCall['state']): void {
    const { sessionId, trunkId } = held
    if (sessionId !== null && this.isLive(held))
      this.#parts.keepState(sessionId, printKept({ trunkId, state }))
  }

  /** Another process goes on with it. */
  forget(held: CallEntry): void {
    this.#live.delete(held.key)
  }

  end(held: CallEntry): void {
    held.arriving = held.placing = held.call = held.referral = null
    if (!this.#live.delete(held.key)) return
    if (held.sessionId !== null) this.#parts.keepState(held.sessionId, null)
    this.#ended.add(held)
    this.#parts.after(lastWordsMs, () => this.#keep(held))
  }

  /** Nothing more is waited for. */
  close(): void {
    for (const held of [...this.#ended]) this.#keep(held)
  }

  #add(held: Pick<CallEntry, 'key' | 'callId' | 'trunkId' | 'sessionId' | 'isLeg'>): CallEntry {
    const whole: CallEntry = {
      ...held,
      legs: [],
      arriving: null,
      placing: null,
      call: null,
      referral: null,
      offers: new Map(),
      lastOffer: 0,
    }
    this.#live.set(held.key, whole)
    return whole
  }

  #keep(held: CallEntry): void {
    if (!this.#ended.delete(held) || held.isLeg) return
    const taken = [held.callId, ...held.legs].map((callId) => this.#parts.trace.take(callId))
    const signalling = together(taken)
    if (held.sessionId !== null && signalling.messages.length > 0)
      this.#parts.keepSignalling(held.sessionId, signalling)
  }
}

/** In the order of time, whichever leg they belong to. */
const together = (legs: readonly Signalling[]): Signalling => ({
  messages: legs
    .flatMap(({ messages }) => messages)
    .sort((one, other) => one.at.getTime() - other.at.getTime()),
  leftOut: legs.reduce((sum, { leftOut }) => sum + leftOut, 0),
})
