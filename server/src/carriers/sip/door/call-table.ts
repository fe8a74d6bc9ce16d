// The calls of this process as the signalling holds them, and what is kept of them: their state while they last, their
// messages after their end.
import type { KeepCallState } from '../../../ports/call-state.ts'
import type { KeepSignalling, Signalling } from '../../../ports/signalling.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import type { Call } from '../call/call.ts'
import type { FarOffer } from '../call/call-parts.ts'
import type { SipCause } from '../call/causes.ts'
import type { IncomingCall } from '../call/incoming-call.ts'
import { printSavedCall, type SavedCall } from '../call/saved-call.ts'
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
  incoming: IncomingCall | null
  route: CallRoute | null
  call: Call | null
  /** A call that is to take its place, because the far end wants that. */
  referral: Referral | null
  /** Offers of the far end that its line has not decided about. */
  readonly offers: Map<number, FarOffer>
  lastOffer: number
}

export interface Referral {
  /** null: not placed yet. */
  call: Call | null
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

  add(key: string, callId: string, trunkId: string | null, sessionId: string | null = null): CallEntry {
    return this.#add({ key, callId, trunkId, sessionId, isLeg: false })
  }

  /** A second call of the one with this session. */
  addLeg(key: string, trunkId: string | null, firstSession: string): CallEntry {
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
  keepState(entry: CallEntry, state: SavedCall['state']): void {
    const { sessionId, trunkId } = entry
    if (sessionId !== null && this.isLive(entry))
      this.#parts.keepState(sessionId, printSavedCall({ trunkId, state }))
  }

  /** Another process goes on with it. */
  forget(entry: CallEntry): void {
    this.#live.delete(entry.key)
  }

  end(entry: CallEntry): void {
    entry.incoming = entry.route = entry.call = entry.referral = null
    if (!this.#live.delete(entry.key)) return
    if (entry.sessionId !== null) this.#parts.keepState(entry.sessionId, null)
    this.#ended.add(entry)
    this.#parts.after(lastWordsMs, () => this.#keep(entry))
  }

  /** Nothing more is waited for. */
  close(): void {
    for (const entry of [...this.#ended]) this.#keep(entry)
  }

  #add(entry: Pick<CallEntry, 'key' | 'callId' | 'trunkId' | 'sessionId' | 'isLeg'>): CallEntry {
    const whole: CallEntry = {
      ...entry,
      legs: [],
      incoming: null,
      route: null,
      call: null,
      referral: null,
      offers: new Map(),
      lastOffer: 0,
    }
    this.#live.set(entry.key, whole)
    return whole
  }

  #keep(entry: CallEntry): void {
    if (!this.#ended.delete(entry) || entry.isLeg) return
    const taken = [entry.callId, ...entry.legs].map((callId) => this.#parts.trace.take(callId))
    const signalling = together(taken)
    if (entry.sessionId !== null && signalling.messages.length > 0)
      this.#parts.keepSignalling(entry.sessionId, signalling)
  }
}

/** In the order of time, whichever leg they belong to. */
const together = (legs: readonly Signalling[]): Signalling => ({
  messages: legs
    .flatMap(({ messages }) => messages)
    .sort((one, other) => one.at.getTime() - other.at.getTime()),
  leftOut: legs.reduce((sum, { leftOut }) => sum + leftOut, 0),
})
