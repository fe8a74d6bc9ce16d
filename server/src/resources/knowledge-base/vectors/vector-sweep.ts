// Looks every minute whether the vectors of passages can be searched in the database, and sees to it.
import type { Sweep } from '../../../platform/jobs/job.ts'
import type { Log } from '../../../platform/log.ts'
import { findExtension } from './extension.ts'
import { keepVectors, type VectorUpkeep } from './vector-upkeep.ts'

export interface VectorSweepOptions extends VectorUpkeep {
  readonly log: Log
  /** An index may take minutes to make; a process that stops does not wait for it. */
  readonly signal: AbortSignal
}

const everyMs = 60_000

export function vectorSweep({ log, signal, ...upkeep }: VectorSweepOptions): Sweep {
  let told: string | undefined
  const tell = (search: 'pgvector' | 'memory', reason: string) => {
    if (told !== reason) log.info({ search, reason }, 'how the knowledge base is searched')
    told = reason
  }
  const look = async () => {
    const extension = await findExtension(upkeep.db)
    if ('missing' in extension) return tell('memory', extension.missing)
    const isIndexed = await keepVectors(upkeep, signal)
    if (isIndexed) return tell('pgvector', `The database has pgvector ${extension.version}.`)
    if (isIndexed === undefined) return tell('memory', 'There are no vectors of this embedder yet.')
    return tell('memory', 'pgvector has no index of these vectors yet, or cannot have one.')
  }
  return {
    name: 'knowledge-vectors',
    everyMs,
    afterErrorMs: everyMs,
    async run() {
      await look().catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
      return everyMs
    },
  }
}
