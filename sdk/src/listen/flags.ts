// Parses the flags of `parley listen`.
import type { ListenOptions } from './listen.ts'

export interface ListenFlags {
  readonly secret: readonly string[]
  readonly port: string
  readonly host: string
  readonly fail?: string
  readonly delay?: string
  readonly full?: boolean
  readonly json?: boolean
}

export class ListenFlagError extends Error {
  override readonly name = 'ListenFlagError'
}

export function readListenFlags(flags: ListenFlags): ListenOptions {
  if (!flags.secret.every((secret) => /^whsec_./.test(secret))) {
    throw new ListenFlagError('--secret: give the whole secret, which begins with whsec_.')
  }
  return {
    secret: flags.secret,
    host: flags.host,
    port: wholeNumber('--port', flags.port, 0, 65_535),
    // A status below 300 would not be a failure.
    ...(flags.fail !== undefined && { failStatus: wholeNumber('--fail', flags.fail, 300, 599) }),
    delayMs: flags.delay === undefined ? 0 : durationMs(flags.delay),
    show: flags.json ? 'json' : 'text',
    full: flags.full ?? false,
  }
}

function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new ListenFlagError(`${flag}: give a whole number from ${min} to ${max}, not ${text}.`)
}

const unitMs = { ms: 1, s: 1000 } as const

// Senders time out after seconds; a minute is enough to see that.
const longestDelayMs = 60_000

function durationMs(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? []
  const ms = Number(amount) * unitMs[unit as keyof typeof unitMs]
  if (ms <= longestDelayMs) return ms
  throw new ListenFlagError(`--delay: give a time such as 3s or 250ms, at most a minute, not ${text}.`)
}
