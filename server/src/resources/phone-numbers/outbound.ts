// Which number of the workspace a call goes out from, which carrier dials it, and whether it may be called at all.
//
// The number is the one that the call names, else the agent's (its phone_number_id, else a number whose
// outbound_agent_id it is), else the oldest active one with a trunk that no other agent has for itself. A call that the
// sandbox simulates needs none.
import type { ErrorCode, Fault } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import type { Queries } from '../../platform/db/db.ts'
import type { Vault } from '../../platform/secrets.ts'
import type { ChooseCarrier, DialDecision } from '../../ports/choose-carrier.ts'
import { type DestinationPolicy, mayDial, policyOf, type RefusedKind } from '../destinations/destinations.ts'
import { notices } from '../usage/usage.ts'
import { openTrunkCredentials } from './credentials.ts'
import { type NumberRow, numbersOf, type PolicyRow, policyOfWorkspace } from './store.ts'

export interface NumberWish {
  /** What the call names; at most one of the two. */
  readonly phoneNumberId: string | null
  readonly from: string | null
  readonly agentId: string
  /** What its agent names. */
  readonly agentNumberId: string | null
}

export interface OutboundLine {
  /** The carrier. */
  readonly provider: string
  readonly phoneNumberId: string | null
  /** The caller id. */
  readonly from: string | null
}

/** For one recipient, whose batch has not said yet which number it calls from. */
export type RecipientDecision =
  | { readonly is: 'dialled'; readonly by: string; readonly needsNumber: boolean }
  | { readonly is: 'refused'; readonly code: ErrorCode; readonly message: string }

/** A recipient that needs a number, and how to find it in the request. */
export interface FirstRecipient {
  readonly to: string
  readonly path: string
}

export interface OutboundOptions {
  readonly db: Queries
  readonly vault: Vault
  readonly chooseCarrier: ChooseCarrier
  /** Counts what was refused. */
  readonly onRefused: (kind: RefusedKind | 'calls_per_day') => void
}

/** Reads what the workspace has now. */
export const outbound =
  (parts: OutboundOptions) =>
  async (workspaceId: string): Promise<OutboundLines> => {
    const [rows, policy] = await Promise.all([
      numbersOf(parts.db, workspaceId),
      policyOfWorkspace(parts.db, workspaceId),
    ])
    const { calls_per_day: most, calls_today: today } = policy ?? noPolicy
    if (most !== null && today >= most) await notices(parts.db).add(workspaceId, 'calls_per_day', most, today)
    return new OutboundLines(parts, rows, policy ?? noPolicy)
  }

export type Outbound = ReturnType<typeof outbound>

const noPolicy: PolicyRow = { allowed_destinations: null, calls_per_day: null, calls_today: 0 }

export class OutboundLines {
  readonly #parts: OutboundOptions
  /** Oldest first. */
  readonly #numbers: readonly NumberRow[]
  readonly #stored: PolicyRow
  readonly #policy: DestinationPolicy

  constructor(parts: OutboundOptions, numbers: readonly NumberRow[], stored: PolicyRow) {
    this.#parts = parts
    this.#numbers = numbers
    this.#stored = stored
    const trunks = numbers.filter(isActiveTrunk)
    this.#policy = policyOf({
      allowed: stored.allowed_destinations,
      ownCountries: trunks.map(({ country }) => country),
      ownHosts: trunks.map(({ host }) => host),
      ownUsers: trunks.flatMap((row) => row.inbound_users),
    })
  }

  /** Fails if there is none, or if it may not be called. */
  lineFor(to: string, wish: NumberWish): OutboundLine {
    const { number, decision } = this.#numberFor(to, wish)
    if (decision.is === 'refused') return noLine(decision.reason, 'to_phone_number')
    const verdict = this.#mayDial(to, decision.by, number)
    if (verdict) fail(verdict.code, { details: [{ path: 'to_phone_number', message: verdict.message }] })
    if (number && !isSimulated(decision.by)) this.#mustHaveCallsLeft()
    return lineOf(decision.by, number, wish)
  }

  /** Whether a recipient can be called from some number of the workspace. */
  decide(to: string): RecipientDecision {
    const alone = this.#choose(to, null)
    const trunk = this.#numbers.find((row) => isActiveTrunk(row) && carries(row, to))
    const [decision, number] =
      alone.is === 'refused' && trunk ? [this.#choose(to, trunk), trunk] : [alone, null]
    if (decision.is === 'refused')
      return { is: 'refused', code: 'NO_LINE_TO_NUMBER', message: decision.reason }
    const verdict = this.#mayDial(to, decision.by, number)
    return verdict
      ? { is: 'refused', ...verdict }
      : { is: 'dialled', by: decision.by, needsNumber: number !== null }
  }

  /** For a batch, whose first recipient that needs a number is known; undefined: all of them are simulated. */
  numberFor(wish: NumberWish, first: FirstRecipient | undefined): Omit<OutboundLine, 'provider'> {
    if (!first) return lineOf('', this.#chosen(wish), wish)
    const { number, decision } = this.#numberFor(first.to, wish)
    if (decision.is === 'refused') return noLine(decision.reason, first.path)
    return lineOf(decision.by, number, wish)
  }

  #numberFor(to: string, wish: NumberWish): { number: NumberRow | null; decision: DialDecision } {
    const chosen = this.#chosen(wish)
    const decision = this.#choose(to, chosen)
    if (chosen || decision.is === 'dialled') return { number: chosen, decision }
    if (wish.from !== null) return notOurs(wish.from)
    if (wish.agentNumberId !== null) return agentsNumberIsGone()
    const number = this.#usual(to)
    return number ? { number, decision: this.#choose(to, number) } : { number: null, decision }
  }

  /** The number that the call or its agent names; null: none is named, or not one of ours. */
  #chosen({ phoneNumberId, from, agentId, agentNumberId }: NumberWish): NumberRow | null {
    if (phoneNumberId !== null)
      return mustBeActive(this.#byId(phoneNumberId) ?? notFound('phone_number_id'), 'phone_number_id')
    if (from !== null) {
      const own = this.#numbers.find(({ phone_number }) => phone_number === from)
      return own ? mustBeActive(own, 'from_phone_number') : null
    }
    if (agentNumberId !== null) {
      const own = this.#byId(agentNumberId)
      return own?.status === 'active' ? own : null
    }
    return this.#numbers.find((row) => row.status === 'active' && row.outbound_agent_id === agentId) ?? null
  }

  #byId(id: string): NumberRow | undefined {
    const wanted = id.toLowerCase()
    return this.#numbers.find(({ phone_number_id }) => phone_number_id === wanted)
  }

  /** The workspace's own choice: a number that is preferred for the destination comes before one for all. */
  #usual(to: string): NumberRow | undefined {
    const able = this.#numbers.filter((row) => isActiveTrunk(row) && carries(row, to))
    const free = able.filter((row) => row.outbound_agent_id === null)
    const prefixes = new Map(free.map((row) => [row, this.#prefixesOf(row)]))
    const preferred = free.find((row) => prefixes.get(row)?.some((prefix) => to.startsWith(prefix)))
    return preferred ?? free.find((row) => prefixes.get(row)?.length === 0)
  }

  #prefixesOf({ phone_number_id, credentials }: NumberRow): readonly string[] {
    return credentials ? openTrunkCredentials(this.#parts.vault, phone_number_id, credentials).prefixes : []
  }

  #choose(to: string, number: NumberRow | null): DialDecision {
    if (number && isActiveTrunk(number) && !carries(number, to))
      return { is: 'refused', reason: noTrunk(number) }
    return this.#parts.chooseCarrier({
      to,
      from: number?.phone_number ?? null,
      number: number && { id: number.phone_number_id, provider: number.provider },
      provider: null,
    })
  }

  /** Returns undefined if the number may be called. A call that goes out from no number of ours costs nothing. */
  #mayDial(
    to: string,
    by: string,
    number: NumberRow | null,
  ): { code: ErrorCode; message: string } | undefined {
    const simulated = isSimulated(by) || number === null
    const verdict = mayDial(to, { ...this.#policy, simulated })
    if (verdict.is === 'allowed') return undefined
    this.#parts.onRefused(verdict.kind)
    const code = verdict.kind === 'emergency' ? 'EMERGENCY_NUMBER' : 'DESTINATION_NOT_ALLOWED'
    return { code, message: verdict.message }
  }

  #mustHaveCallsLeft(): void {
    const { calls_per_day: most, calls_today: today } = this.#stored
    if (most === null || today < most) return
    this.#parts.onRefused('calls_per_day')
    fail('CALLS_PER_DAY_REACHED', {
      message: `This workspace may place ${most} calls a day, and has placed them today.`,
    })
  }
}

const isSimulated = (provider: string): boolean => provider === 'sandbox'

const isActiveTrunk = ({ status, provider }: NumberRow): boolean =>
  status === 'active' && provider !== 'sandbox'

/** A number without a trunk calls telephones that log in by it. */
const carries = ({ host, inbound_users: users }: NumberRow, to: string): boolean => {
  if (host !== null) return true
  const user = /^sips?:([^@]+)@/i.exec(to)?.[1]?.toLowerCase()
  return users.some((one) => one.toLowerCase() === user)
}

const noTrunk = ({ phone_number, inbound_users: [user = 'user'] }: NumberRow): string =>
  `${phone_number} has no trunk: it calls the telephones that log in by it, as in sip:${user}@parley. Call from a number with a trunk, or give this one a host.`

const lineOf = (provider: string, number: NumberRow | null, { from }: NumberWish): OutboundLine => ({
  provider,
  phoneNumberId: number?.phone_number_id ?? null,
  from: number?.phone_number ?? from,
})

const noLine = (message: string, path: string): never =>
  fail('NO_LINE_TO_NUMBER', { message, details: [{ path, message }] })

const notFound = (path: string, message = 'There is no phone number with this id.'): never =>
  fail('PHONE_NUMBER_NOT_FOUND', { details: [{ path, message }] satisfies Fault[] })

const notOurs = (from: string): never =>
  notFound(
    'from_phone_number',
    `${from} is not a number of this workspace. Calls go out from your own numbers only, whose caller id you may use; POST /phone-numbers stores one.`,
  )

const agentsNumberIsGone = (): never =>
  notFound('agent_id', "The agent's phone_number_id names no active number of this workspace.")

function mustBeActive(row: NumberRow, path: string): NumberRow {
  if (row.status === 'active') return row
  return fail('PHONE_NUMBER_INACTIVE', { details: [{ path, message: `${row.phone_number} is inactive.` }] })
}
