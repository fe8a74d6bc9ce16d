// The calls of this process in the main thread, and what is stored of them: their state, and at the end their messages.
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

/** An address that a call is placed to, and where its messages go. */
export interface DialledTarget {
  readonly addresses: OutgoingAddresses
  readonly peer: Destination
}

/** How a call that we place reaches its target. */
export interface CallRoute {
  readonly trunk: Trunk
  /** The trunk, or every telephone that one user has logged in with: they ask for no password, and are reached only there. */
  readonly to: 'trunk' | 'telephones'
  readonly targets: readonly [DialledTarget, ...DialledTarget[]]
  /** Whose call it is, or whose second call: the destinations of its workspace hold for redirections. */
  readonly sessionId: string | null
  /** Whether encryption was refused, and is not offered again. */
  readonly inPlain: boolean
}

export interface CallEntry {
  /** The key of the call in the media thread. */
  readonly key: string
  readonly callId: string
  readonly trunkId: string | null
  sessionId: string | null
  /** Whether it is a second call, to the target of a transfer: its messages belong to the record of the first. */
  readonly isLeg: boolean
  /** The Call-IDs of its second calls, and of calls that have taken its place. */
  readonly legs: string[]
  /** An INVITE that waits for its answer. */
  incoming: IncomingCall | null
  route: CallRoute | null
  call: Call | null
  /** The call that is to take its place by a REFER of the far end. */
  referral: Referral | null
  /** Offers of the far end that its line has not decided about. */
  readonly offers: Map<number, FarOffer>
  lastOffer: number
}

export interface Referral {
  /** null: the call is not placed yet. */
  call: Call | null
  /** Set when the far end has hung up without waiting for the new call. */
  leftWith: SipCause | null
}

export interface CallTableParts {
  readonly trace: Pick<Trace, 'take'>
  readonly keepSignalling: KeepSignalling
  readonly keepState: KeepCallState
  readonly after: After
}

/** How long answers to our BYE and CANCEL are waited for, which belong to the record. */
const lastWordsMs = 2_000

export class CallTable {
  readonly #parts: CallTableParts
  readonly #live = new Map<string, CallEntry>()
  /** Calls that have ended, and wait for the last messages. */
  readonly #ended = new Set<CallEntry>()

  constructor(parts: CallTableParts) {
    this.#parts = parts
  }

  add(key: string, callId: string, trunkId: string | null, sessionId: string | null = null): CallEntry {
    return this.#add({ key, callId, trunkId, sessionId, isLeg: false })
  }

  /** Adds a second call of the one with this session. */
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

  /** Stores what another process would need to continue the call. */
  keepState(entry: CallEntry, state: SavedCall['state']): void {
    const { sessionId, trunkId } = entry
    if (sessionId !== null && this.isLive(entry))
      this.#parts.keepState(sessionId, printSavedCall({ trunkId, state }))
  }

  /** Forgets a call that another process continues. */
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

  /** Stores what is waiting without the last messages. */
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

/** Joins the messages of all legs in the order of time. */
const together = (legs: readonly Signalling[]): Signalling => ({
  messages: legs
    .flatMap(({ messages }) => messages)
    .sort((one, other) => one.at.getTime() - other.at.getTime()),
  leftOut: legs.reduce((sum, { leftOut }) => sum + leftOut, 0),
})
