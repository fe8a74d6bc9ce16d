// The share of false statements of the built-in analysis, which is to say less rather than something wrong.
//
// `node bench/analysis-truth.ts --why` prints the false statements of the half that was used for tuning.
import { analyseEmbedded } from '../server/src/engines/analysis/analyse.ts'
import { miniLmEmbedder } from '../server/src/engines/minilm/minilm.ts'
import { minilm } from '../server/src/engines/models/catalogue.ts'
import type { Embedder } from '../server/src/ports/embedder.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import {
  endedCall,
  type Half,
  isFalse,
  type Statement,
  samplesOf,
  statementsIn,
} from './analysis/judge-statements.ts'
import { printIfMain, type Row, verdict } from './row.ts'

const mostFalseShare = 0.05

async function statedOn(half: Half, embedder: Embedder | undefined): Promise<Statement[]> {
  const statements: Statement[] = []
  for (const sample of samplesOf(half)) {
    const found = await analyseEmbedded(endedCall(sample), embedder, new AbortController().signal)
    statements.push(...statementsIn(sample, found))
  }
  return statements
}

/** An analysis that answers every question: no, neutral, and the last thing that was said. */
const talkative = ({ about, talk, truth, stated: _, ...rest }: Statement): Statement => {
  const last =
    talk
      .split(' | ')
      .findLast((line) => line.startsWith('u: '))
      ?.slice(3) ?? ''
  const isYesOrNo = about.startsWith('!') || about.startsWith('?') || about.includes(':boolean:')
  return { ...rest, about, talk, truth, stated: about === 'mood' ? 'neutral' : isYesOrNo ? false : last }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

function shareOf(statements: readonly Statement[]) {
  const made = statements.filter(({ stated }) => stated !== null)
  const wrong = made.filter(isFalse)
  return { made: made.length, wrong, share: wrong.length / Math.max(1, made.length) }
}

async function measure(): Promise<Row[]> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, minilm)
  const embedder = absent ? undefined : miniLmEmbedder({ folder })
  const rows: Row[] = []
  for (const half of ['tuned', 'reported'] as const) {
    const statements = await statedOn(half, embedder)
    const { made, wrong, share } = shareOf(statements)
    const yardstick = shareOf(statements.map(talkative))
    rows.push({
      claim: `false statements of the built-in analysis, ${half === 'tuned' ? 'conversations that it was tuned by' : 'other conversations'}`,
      measured: `${wrong.length} of ${made} statements, ${percent(share)}; ${made} of ${statements.length} questions answered`,
      yardstick: `${percent(yardstick.share)} of whoever answers everything`,
      ratio: (share / yardstick.share).toFixed(2),
      target: half === 'reported' ? `at most ${percent(mostFalseShare)}` : '',
      verdict: half === 'reported' ? verdict(share <= mostFalseShare) : 'no target',
    })
    if (half === 'tuned' && process.argv.includes('--why'))
      for (const { talk, about, stated, truth, reason } of process.argv.includes('--all')
        ? statements
        : wrong)
        console.log(
          `${talk}\n  ${about}: ${JSON.stringify(stated)}, in truth ${JSON.stringify(truth)} (${reason})\n`,
        )
  }
  await embedder?.close()
  return rows
}

await printIfMain(import.meta.url, measure)
