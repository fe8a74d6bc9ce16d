// The analysis for agents without a language model: sentences of the call, words of mood, values of a known type. It
// leaves out rather than states something false: what the words leave open is null, with the reason.
import { localDay } from '../../platform/clock/local-time.ts'
import type { Analytics, EndedCall } from '../../ports/analysis.ts'
import type { Embedder } from '../../ports/embedder.ts'
import { descriptionOf, dispositionOf, dispositionSentences } from './disposition.ts'
import { confirmedIn, exchangesOf } from './exchanges.ts'
import { exchangeWords, extract, fieldWords } from './extraction.ts'
import { type Likeness, likenessOf } from './likeness.ts'
import { agentSentences, judge, questionWords } from './rubric.ts'
import { sentimentOf } from './sentiment.ts'
import { summaryOfTranscript, summarySentences } from './summary.ts'

export const analysisName = 'built-in analysis, not a language model'

// Enough for an hour; embedding each takes a few milliseconds.
const mostTexts = 600

export async function analyseEmbedded(
  call: EndedCall,
  embedder: Embedder | undefined,
  signal: AbortSignal,
): Promise<Analytics> {
  const { plan, transcript } = call
  const likeness = await likenessOf(textsOf(call), embedder, signal)
  const reasons: Record<string, string> = {}
  const summary = plan.summary && summaryOfTranscript(transcript, likeness)
  if (plan.summary && summary === null) reasons.summary = 'Nothing was said that could be summarised.'
  const mood = plan.sentiment && sentimentOf(transcript)
  if (mood && 'unknown' in mood) reasons.sentiment = mood.unknown
  return {
    summary,
    sentiment: mood && 'sentiment' in mood ? mood.sentiment : null,
    disposition:
      plan.dispositions.length > 0
        ? Object.fromEntries(
            plan.dispositions.map((field) => [field.name, dispositionOf(field, transcript, likeness)]),
          )
        : null,
    dataExtraction: plan.extraction && extracted(call, likeness, reasons),
    judgements: Object.fromEntries(
      (plan.rubric?.questions ?? []).map((question) => [
        question.name,
        judge(question, transcript, likeness),
      ]),
    ),
    reasons,
  }
}

/** All texts that are compared with each other. */
function textsOf({ plan, transcript }: EndedCall): string[] {
  const { summary, dispositions, extraction, rubric } = plan
  const fields = extraction?.fields ?? []
  const questions = rubric?.questions ?? []
  const texts = [
    ...fields.flatMap((field) => [fieldWords(field), field.name.replaceAll('_', ' ')]),
    ...dispositions.map(descriptionOf),
    ...questions.map(questionWords),
    ...(fields.length > 0 ? allExchanges(transcript).flatMap(exchangeWords) : []),
    ...(questions.length > 0 ? agentSentences(transcript) : []),
    ...(dispositions.length > 0 ? dispositionSentences(transcript) : []),
    ...(summary ? summarySentences(transcript) : []),
  ]
  return [...new Set(texts)].slice(0, mostTexts)
}

const allExchanges = (transcript: EndedCall['transcript']) =>
  exchangesOf(transcript).flatMap((one) => [one, ...confirmedIn(one)])

/** Extracts the values, and adds the reasons of those that are null. */
function extracted(
  { plan, transcript, at }: EndedCall,
  likeness: Likeness,
  reasons: Record<string, string>,
): Record<string, unknown> {
  const exchanges = allExchanges(transcript)
  const today = localDay(at, plan.timezone)
  const values = (plan.extraction?.fields ?? []).map((field) => {
    const found = extract(field, { exchanges, transcript, today, likeness })
    if ('unknown' in found) reasons[`data_extraction.${field.name}`] = found.unknown
    return [field.name, 'unknown' in found ? null : found.value]
  })
  return Object.fromEntries(values)
}
