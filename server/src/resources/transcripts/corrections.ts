// The rules of corrections: they name parts of the transcript that are there, and nobody overwrites what they have not seen.
import { isDeepStrictEqual } from 'node:util'
import type { Corrections, Fault, NewCorrections } from '@parley/contract'
import type { Author } from '../../http/author.ts'
import { fail } from '../../http/failure.ts'
import type { Db } from '../../platform/db/db.ts'
import {
  type CorrectedParts,
  type CorrectionsRow,
  findCorrections,
  findHeard,
  type HeardRow,
  saveCorrections,
} from './correction-store.ts'

export const correctionRules = (db: Db) => {
  const put = async (
    workspaceId: string,
    transcriptId: string,
    request: NewCorrections,
    author: Author,
  ): Promise<Corrections> => {
    const heard = (await findHeard(db, workspaceId, transcriptId)) ?? fail('TRANSCRIPT_NOT_FOUND')
    mustBeCompleted(heard)
    mustBeThere(request, heard)
    const stored = wireOf(heard)
    const corrected = inOrder(request)
    // Also when it is sent again because the answer was lost.
    if (isDeepStrictEqual(corrected, { speakers: stored.speakers, segments: stored.segments })) return stored
    const { base_version: baseVersion } = request
    if (baseVersion !== stored.version)
      fail('CORRECTIONS_CONFLICT', {
        message: `The corrections are at version ${stored.version} by now, not ${baseVersion}; nothing was written.`,
      })
    const row = await saveCorrections(db, { workspaceId, transcriptId, baseVersion, corrected, author })
    // Somebody was faster: the second look says what they did.
    return row ? wireOf(row) : put(workspaceId, transcriptId, request, author)
  }

  return {
    put,

    async get(workspaceId: string, transcriptId: string): Promise<Corrections> {
      const row = (await findCorrections(db, workspaceId, transcriptId)) ?? fail('TRANSCRIPT_NOT_FOUND')
      return wireOf(row)
    },
  }
}

export type CorrectionRules = ReturnType<typeof correctionRules>

function mustBeCompleted({ status, error }: HeardRow): void {
  if (status === 'completed') return
  const message =
    status === 'failed'
      ? `It failed: ${error}`
      : 'This transcript is not completed; it can be corrected when it is.'
  fail('TRANSCRIPT_NOT_READY', { message })
}

function mustBeThere({ speakers, segments }: NewCorrections, heard: HeardRow): void {
  const known = new Set(heard.speakers)
  const details: Fault[] = [
    ...speakers.flatMap(({ speaker }, at) =>
      known.has(speaker)
        ? []
        : [{ path: `speakers.${at}.speaker`, message: 'The transcript has no such speaker.' }],
    ),
    ...segments.flatMap(({ id }, at) =>
      id < (heard.segments ?? 0)
        ? []
        : [{ path: `segments.${at}.id`, message: 'The transcript has no segment with this id.' }],
    ),
  ]
  if (details.length > 0) fail('VALIDATION_ERROR', { details })
}

/** Whatever the order in which they were sent, so that the same corrections are known for the same. */
const inOrder = ({ speakers, segments }: NewCorrections): CorrectedParts => ({
  speakers: speakers.toSorted((one, other) => (one.speaker < other.speaker ? -1 : 1)),
  segments: segments.toSorted((one, other) => one.id - other.id),
})

const wireOf = (row: CorrectionsRow): Corrections => ({
  transcript_id: row.transcript_id,
  version: row.version ?? 0,
  speakers: row.corrected?.speakers ?? [],
  segments: row.corrected?.segments ?? [],
  author: row.author_type && { type: row.author_type, id: row.author_id, name: row.author_name },
  saved_at: row.saved_at?.toISOString() ?? null,
})
