// The messages between a test and the process inside the network namespace, and the addresses they share.
import type { GuardOptions } from '../../../src/platform/guard/guard.ts'
import type { OutboundError } from '../../../src/platform/outbound.ts'

// Publicly routable, but here on the loopback interface of a namespace.
export const publicAddresses = ['93.184.216.34', '2606:4700:4700::1111'] as const

// Must never be reached: this machine, its private network, and cloud metadata services.
export const canaryAddresses = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00:ec2::254'] as const

/**
 * The answers for a name, one per lookup; A and AAAA are counted separately. With two turns the second repeats;
 * with more they cycle.
 */
export type Turns = (readonly string[] | 'unknown' | 'silence')[]

export type Command =
  | { do: 'name'; name: string; turns: Turns }
  | { do: 'inspect'; url: string; options: GuardOptions }
  | { do: 'send'; url: string; options: GuardOptions; times: number; timeoutMs: number }
  | { do: 'race'; urls: string[]; options: GuardOptions; timeoutMs: number }
  | { do: 'fetch'; url: string; options: GuardOptions }
  | { do: 'observe' }

export type RequestResult = { status: number } | { kind: OutboundError['kind']; message: string }

export interface World {
  /** host and path of each request that the public receiver got */
  readonly delivered: string[]
  /** address and port of each connection to a canary */
  readonly canary: string[]
  /** lookups at the name server, by name and type */
  readonly asked: Record<string, number>
}

export type CommandResult = null | string | string[] | RequestResult[] | World
