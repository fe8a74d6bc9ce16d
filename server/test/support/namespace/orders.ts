// What a test and the process inside the network namespace say to each other, and the addresses they share.
import type { GuardOptions } from '../../../src/platform/guard/guard.ts'
import type { OutboundError } from '../../../src/platform/outbound.ts'

// Public by their numbers; here they are on the loopback interface of a namespace and lead nowhere else.
export const publicAddresses = ['93.184.216.34', '2606:4700:4700::1111'] as const

// What must never be reached: this machine, its neighbours, and where clouds keep their credentials.
export const canaryAddresses = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00:ec2::254'] as const

/**
 * What a name answers: one turn after the other, each question for A or AAAA moving its own count. Two turns
 * end at the second; more begin again.
 */
export type Turns = (readonly string[] | 'unknown' | 'silence')[]

export type Order =
  | { do: 'name'; name: string; turns: Turns }
  | { do: 'inspect'; url: string; options: GuardOptions }
  | { do: 'send'; url: string; options: GuardOptions; times: number; timeoutMs: number }
  | { do: 'race'; urls: string[]; options: GuardOptions; timeoutMs: number }
  | { do: 'fetch'; url: string; options: GuardOptions }
  | { do: 'look' }

export type RequestResult = { status: number } | { kind: OutboundError['kind']; message: string }

export interface World {
  /** host and path of each request that the public receiver got */
  readonly delivered: string[]
  /** address and port of each connection to a canary */
  readonly canary: string[]
  /** questions to the name server, by name and type */
  readonly asked: Record<string, number>
}

export type OrderResult = null | string | string[] | RequestResult[] | World
