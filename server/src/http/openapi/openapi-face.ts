// The type of an interface in its document: what is its own beside its operations.
import type { Operation } from '@parley/contract'

export type Json = Record<string, unknown>

/** The refusals, in the order of the specification. */
export const statuses = [400, 401, 403, 404, 411, 429, 500] as const
export type RefusalStatus = (typeof statuses)[number]

/** A chapter of the reference, with the page of the guide that goes with it. */
export interface Tag {
  readonly description: string
  readonly guide: string
}

export interface Face {
  readonly prefix: string
  readonly info: { readonly title: string; readonly summary: string; readonly description: string }
  /** The header that carries the key. */
  readonly key: { readonly name: string; readonly description: string }
  readonly parameters: Readonly<Record<string, Json>>
  /** Which of the shared parameters an operation takes. */
  parametersOf(operation: Operation): readonly string[]
  /** Statuses that every operation may return. */
  readonly refusals: readonly RefusalStatus[]
  readonly tags: Readonly<Record<string, Tag>>
  readonly client: Client
  /** Whether a repeated POST returns the first response again. */
  readonly replays: boolean
}

/** How the client library is opened, and the statement that makes the request of each operation. */
export interface Client {
  readonly statements: Readonly<Record<string, string>>
  readonly opening: string
}
