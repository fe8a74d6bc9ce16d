// What the two interfaces have of their own in their documents: the address, the key, the headers, the refusals.
import { limits, mountPaths, type Operation } from '@parley/contract'

export type Json = Record<string, unknown>

/** In the specification's order. */
const statuses = [400, 401, 403, 404, 411, 429, 500] as const
export type RefusalStatus = (typeof statuses)[number]

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
  /** Whether a repeated POST returns the first response again. */
  readonly replays: boolean
}

export const voiceFace: Face = {
  prefix: mountPaths.voice,
  info: {
    title: 'Parley Voice AI',
    summary: 'Voice agents on your own machines.',
    description:
      'Every request carries an API key. A key bound to a workspace brings its scope along; an unbound key names a workspace in X-Workspace-Id. Every POST carries an Idempotency-Key; a repeated one within 24 hours gets the first answer again.',
  },
  key: {
    name: 'X-Api-Key',
    description: 'Also accepted: svc-api-key, x-svc-api-key, and a raw Authorization header. Never Bearer.',
  },
  parameters: {
    WorkspaceId: {
      name: 'X-Workspace-Id',
      in: 'header',
      required: false,
      description: 'The workspace; required for a key that is not bound to one.',
      schema: { type: 'string', format: 'uuid', maxLength: 36 },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: true,
      description: 'Unique per logical operation; reuse it only to retry.',
      schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharacters, pattern: '\\S' },
    },
    LastEventId: {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'The id of the last event that was seen: only those after it are told.',
      schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 },
    },
  },
  parametersOf: ({ method, answers }) => [
    'WorkspaceId',
    ...(method === 'POST' ? ['IdempotencyKey'] : []),
    ...(answers === 'event-stream' ? ['LastEventId'] : []),
  ],
  refusals: statuses,
  replays: true,
}

export const transcriptionFace: Face = {
  prefix: mountPaths.transcripts,
  info: {
    title: 'Parley speech-to-text',
    summary: 'Recordings in, transcripts out, on your own machines.',
    description:
      'Every request carries an API key as the value of the Authorization header, without a scheme. The key says which workspace it is about: the one it is bound to, or the oldest that it may enter. Workspace and idempotency headers are not read.',
  },
  key: { name: 'Authorization', description: 'The key itself. Never Bearer.' },
  parameters: {},
  parametersOf: () => [],
  refusals: [400, 401, 403, 404, 429, 500],
  replays: false,
}
