// After a call: its analysis, as often as it takes and is worth. Nothing waits for it, least of all the call's event.
import type { Claimant } from '../../platform/db/claim.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Log } from '../../platform/log.ts'
import { type Loop, startLoop } from '../../platform/loop.ts'
import type { Analyse, Findings } from '../../ports/analysis.ts'
import type { OpenSecrets } from './agent-of-call.ts'
import {
  type CallToAnalyse,
  claimToAnalyse,
  keepFindings,
  postponeAnalysis,
  untilNextAnalysis,
} from './analysis-store.ts'
import { planAnalysis } from './plan/plan-analysis.ts'

export interface AnalysisOptions {
  readonly db: Db
  readonly log: Log
  readonly claimant: Claimant
  readonly openSecrets: OpenSecrets
  readonly analyse: Analyse
  readonly retryMs?: number
}

// A model answers several as quickly as one, and a burst of ended calls does not flood it.
const atOnce = 4
const mostTries = 3
// Doubles: a model that is away for a minute is asked again when it is back.
const usualRetryMs = 20_000
const longestMs = 120_000
const idleMs = 1_000
const brokenMs = 1_000

export function startAnalysis(options: AnalysisOptions): Loop {
  const { db, log, claimant } = options
  const inHand = new Map<string, Promise<void>>()
  const closing = new AbortController()

  const step = async () => {
    const room = atOnce - inHand.size
    if (room === 0 || !claimant.alive) return idleMs
    for (const call of await claimToAnalyse(db, claimant.id, room, [...inHand.keys()])) {
      const id = call.session_id
      const work = analyseOne(options, call, claimant.id, closing.signal)
        .catch((err) => log.warn({ err, session_id: id }, 'analysis waits for the database'))
        .finally(() => {
          inHand.delete(id)
          loop.wake()
        })
      inHand.set(id, work)
    }
    return Math.min(idleMs, Math.max(1, (await untilNextAnalysis(db)) ?? idleMs))
  }
  const loop = startLoop(step, (err) => {
    log.warn({ err }, 'analyses wait for the database')
    return brokenMs
  })

  return {
    wake: loop.wake,
    async stop() {
      closing.abort()
      await loop.stop()
      await Promise.all(inHand.values())
    },
  }
}

async function analyseOne(
  options: AnalysisOptions,
  call: CallToAnalyse,
  claimantId: number,
  closing: AbortSignal,
): Promise<void> {
  const { db, log, retryMs = usualRetryMs } = options
  try {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(longestMs)])
    await keepFindings(db, call.session_id, claimantId, await findOut(options, call, signal))
  } catch (error) {
    // Whoever comes after us begins where we began.
    if (closing.aborted) {
      await postponeAnalysis(db, { ...call, tries: call.tries - 1 }, claimantId, 0)
      return
    }
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason, session_id: call.session_id, tries: call.tries }, 'analysis failed')
    if (call.tries < mostTries) await postponeAnalysis(db, call, claimantId, retryMs * 2 ** (call.tries - 1))
    else await keepFindings(db, call.session_id, claimantId, nothingFound(reason))
  }
}

async function findOut(
  { analyse, openSecrets }: AnalysisOptions,
  call: CallToAnalyse,
  signal: AbortSignal,
): Promise<Findings> {
  if (call.tries > mostTries) return nothingFound('Its analysis broke off every time.')
  const ended = planAnalysis(call, openSecrets)
  if (!ended) return nothingFound('The agent of this call no longer exists.')
  return analyse(ended, signal, call.tries >= mostTries)
}

const nothingFound = (why: string): Findings => ({
  analytics: { summary: null, sentiment: null, disposition: null, dataExtraction: null },
  engine: { part: 'analysis', asked: null, used: 'none', why },
})
