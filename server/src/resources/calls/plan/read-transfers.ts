// An agent's `call_transfer_config`: the only places that its calls may be transferred to. Read leniently; what
// cannot be used is reported.

import { CallTarget } from '@parley/contract'
import { measured } from '@parley/contract/measured'
import { z } from 'zod'
import type { TransferDestination } from '../../../ports/call-plan.ts'
import type { Fill } from './fill-variables.ts'
import { jsonIn } from './read-api-tools.ts'

export interface TransfersReading {
  readonly destinations: readonly TransferDestination[]
  /** A sentence for each destination that was left out. */
  readonly problems: readonly string[]
}

/** Why a workspace may not call this number, in one sentence; null: it may. */
export type RefuseDestination = (to: string) => string | null

const Destination = z.object({
  name: z
    .string('needs a name')
    .trim()
    .min(1, 'needs a name')
    .max(64, 'needs a name of at most 64 characters'),
  to_phone_number: z.string('needs a to_phone_number').trim(),
  mode: z.enum(['cold', 'warm'], 'must have the mode cold or warm').nullish(),
  message: z.string('must have a text as its message').nullish(),
})

const Written = measured(
  z.preprocess(
    (value) => (typeof value === 'string' ? jsonIn(value) : value),
    z.object({ destinations: z.array(z.unknown()).max(100) }),
  ),
)

export function readTransfers(written: unknown, fill: Fill, refuse: RefuseDestination): TransfersReading {
  if (written === undefined || written === null) return { destinations: [], problems: [] }
  const read = Written.safeParse(written)
  if (!read.success) {
    const why = 'call_transfer_config must be an object with a list `destinations`; it was left aside'
    return { destinations: [], problems: [why] }
  }
  const problems: string[] = []
  const destinations = new Map<string, TransferDestination>()
  for (const [place, one] of read.data.destinations.entries()) {
    const destination = readOne(one, fill, refuse)
    const path = `call_transfer_config.destinations[${place}]`
    if (typeof destination === 'string') problems.push(`${path} ${destination} and was left out`)
    else if (destinations.has(destination.name.toLowerCase()))
      problems.push(`${path} has the name of another one and was left out`)
    else destinations.set(destination.name.toLowerCase(), destination)
  }
  return { destinations: [...destinations.values()], problems }
}

/** The destination, or what is wrong with it. */
function readOne(written: unknown, fill: Fill, refuse: RefuseDestination): TransferDestination | string {
  const { data, error } = Destination.safeParse(written)
  if (error) return error.issues[0]?.message ?? 'cannot be read'
  const to = fill(data.to_phone_number)
  if (!CallTarget.safeParse(to).success)
    return 'needs a to_phone_number in E.164 form, such as +15550100, or a sip: address'
  const refusal = refuse(to)
  if (refusal) return `cannot be called (${refusal.replace(/\.$/, '')})`
  return { name: data.name, to, mode: data.mode ?? 'cold', message: fill(data.message ?? '').trim() }
}
