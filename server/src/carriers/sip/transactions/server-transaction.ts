// Server transactions (RFC 3261 §17.2, RFC 6026): a repeated request gets the last answer again, and is reported once.
import type { SipRequest, SipResponse } from '../message/message.ts'
import { type After, doubledToT2, giveUpAfter, repeat, t4 } from '../transport/timers.ts'

export interface ServerParts {
  readonly request: SipRequest
  readonly reliable: boolean
  readonly send: (response: SipResponse) => void
  readonly after: After
  /** Called if our refusal of an INVITE is never acknowledged. */
  readonly onTimeout: () => void
  readonly onTerminated: () => void
}

export interface ServerTransaction {
  readonly request: SipRequest
  /** Whether a final answer has been given. */
  readonly isAnswered: boolean
  respond(response: SipResponse): void
  /** The request came again. */
  repeat(): void
  /** An ACK with the branch of the INVITE came. False: it acknowledges a 2xx, and is for the dialog (RFC 6026 §7.1). */
  acknowledge(): boolean
  abandon(): void
}

type State = 'proceeding' | 'accepted' | 'completed' | 'confirmed' | 'terminated'

export function openServer(parts: ServerParts): ServerTransaction {
  const isInvite = parts.request.method === 'INVITE'
  let state: State = 'proceeding'
  let last: SipResponse | null = null
  let cancels: (() => void)[] = []

  const enter = (next: State) => {
    for (const cancel of cancels) cancel()
    cancels = []
    state = next
    if (next === 'terminated') parts.onTerminated()
  }
  const lingerAs = (next: State, ms: number) => {
    enter(next)
    if (ms === 0) enter('terminated')
    else cancels.push(parts.after(ms, () => enter('terminated')))
  }
  /** A refusal is repeated until its ACK comes, over transports that may lose it (§17.2.1). */
  const refuse = (response: SipResponse) => {
    enter('completed')
    if (!parts.reliable) cancels.push(repeat(parts.after, () => parts.send(response), doubledToT2))
    cancels.push(
      parts.after(giveUpAfter, () => {
        enter('terminated')
        parts.onTimeout()
      }),
    )
  }

  return {
    request: parts.request,
    get isAnswered() {
      return state !== 'proceeding'
    },
    respond(response) {
      if (state !== 'proceeding') return
      last = response
      parts.send(response)
      if (response.status < 200) return
      if (!isInvite) lingerAs('completed', parts.reliable ? 0 : giveUpAfter)
      // The dialog repeats a 2xx, because only it sees the ACK (§13.3.1.4).
      else if (response.status < 300) lingerAs('accepted', giveUpAfter)
      else refuse(response)
    },
    repeat() {
      if (last && (state === 'proceeding' || state === 'completed')) parts.send(last)
    },
    acknowledge() {
      if (state === 'completed' && isInvite) lingerAs('confirmed', parts.reliable ? 0 : t4)
      return state !== 'accepted'
    },
    abandon() {
      if (state !== 'terminated') enter('terminated')
    },
  }
}
