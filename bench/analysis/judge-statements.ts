// The statements of an analysis about the sample conversations, and the share of them that is false.
import type { EndedCall } from '../../server/src/ports/analysis.ts'
import { readModel } from '../../server/src/resources/calls/plan/read-model.ts'
import { reportedOn, type SampleConversation, type Truth, tunedBy } from './conversations.ts'

export type Half = 'tuned' | 'reported'

export interface Statement {
  readonly talk: string
  readonly about: string
  readonly stated: unknown
  readonly truth: Truth
  readonly reason: string
}

export const samplesOf = (half: Half): readonly SampleConversation[] =>
  half === 'tuned' ? tunedBy : reportedOn

// A Sunday.
const calledAt = new Date('2026-11-15T10:00:00Z')

/** The request for everything that is known of a conversation. */
export function endedCall({ talk, truths }: SampleConversation): EndedCall {
  const wanted = Object.keys(truths)
  const fields = wanted.filter((key) => key.includes(':')).map((key) => key.split(':'))
  return {
    at: calledAt,
    transcript: talk.split(' | ').map((line) => ({
      role: line.startsWith('a: ') ? 'agent' : 'user',
      content: line.slice(3),
    })),
    plan: {
      summary: null,
      sentiment: wanted.includes('mood') ? { prompt: '' } : null,
      dispositions: wanted
        .filter((key) => key.startsWith('!'))
        .map((key) => ({ name: key, description: key.slice(1), action: null })),
      extraction: {
        fields: fields.map(([name = '', type = '', description = '']) => ({ name, type, description })),
      },
      rubric: {
        passScore: 70,
        questions: wanted
          .filter((key) => key.startsWith('?'))
          .map((key) => ({ name: key, question: key.slice(1), answer: 'yes-no', weight: 1, pass: true })),
      },
      timezone: undefined,
      model: readModel({}),
    },
  }
}

type AnalysedCall = Awaited<ReturnType<Analyse>>
type Analyse = typeof import('../../server/src/engines/analysis/analyse.ts').analyseEmbedded

/** One statement for every truth; `stated` is null where nothing is stated. */
export function statementsIn({ talk, truths }: SampleConversation, found: AnalysedCall): Statement[] {
  return Object.entries(truths).map(([about, truth]) => {
    const { stated, reason } = statedOn(about, found)
    return { talk, about, truth, stated, reason }
  })
}

function statedOn(about: string, found: AnalysedCall): { stated: unknown; reason: string } {
  if (about === 'mood')
    return {
      stated: found.sentiment?.label ?? null,
      reason: found.sentiment?.reason ?? found.reasons.sentiment ?? '',
    }
  if (about.startsWith('!')) {
    const verdict = found.disposition?.[about] as { matched: boolean | null; reason: string }
    return { stated: verdict.matched, reason: verdict.reason }
  }
  if (about.startsWith('?')) {
    const judgement = found.judgements[about]
    return { stated: judgement?.value ?? null, reason: judgement?.reason ?? '' }
  }
  const [name = ''] = about.split(':')
  return {
    stated: found.dataExtraction?.[name] ?? null,
    reason: found.reasons[`data_extraction.${name}`] ?? '',
  }
}

export const isFalse = ({ stated, truth }: Statement): boolean =>
  stated !== null && !(Array.isArray(truth) ? truth : [truth]).some((right) => alike(right, stated))

const alike = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' ? plain(one) === plain(other) : one === other

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
