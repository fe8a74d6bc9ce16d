// The analysis for those who have no language model: sentences of the call, words of mood, values of a known type.
import { localDay } from '../../../platform/clock/local-time.ts'
import type { Analytics, EndedCall } from '../../../ports/analysis.ts'
import type { Embedder } from '../../../ports/embedder.ts'
import { descriptionOf, dispositionOf, dispositionSentences } from './disposition.ts'
import { confirmedIn, exchangesOf } from './exchanges.ts'
import { exchangeWords, extract, fieldWords } from './extraction.ts'
import { likenessOf } from './likeness.ts'
import { sentimentOf } from './sentiment.ts'
import { summaryOf, summarySentences } from './summary.ts'

export const analysisName = 'built-in analysis, not a language model'

// Enough for an hour; embedding each takes a few milliseconds.
const mostTexts = 600

export async function analyseEmbedded(
  { plan, transcript, at }: EndedCall,
  embedder: Embedder | undefined,
  signal: AbortSignal,
): Promise<Analytics> {
  const said = exchangesOf(transcript)
  const exchanges = said.flatMap((one) => [one, ...confirmedIn(one)])
  const { summary, sentiment, dispositions, extraction, timezone } = plan
  const fields = extraction?.fields ?? []
  const sentences = dispositions.length > 0 ? dispositionSentences(transcript) : []
  const texts = [
    ...fields.flatMap((field) => [fieldWords(field), field.name.replaceAll('_', ' ')]),
    ...dispositions.map(descriptionOf),
    ...(fields.length > 0 ? exchanges.flatMap(exchangeWords) : []),
    ...(summary ? summarySentences(transcript) : []),
    ...sentences,
  ]
  const { likeness } = await likenessOf([...new Set(texts)].slice(0, mostTexts), embedder, signal)
  const today = localDay(at, timezone)
  return {
    summary: summary ? summaryOf(transcript, likeness) : null,
    sentiment: sentiment ? sentimentOf(said) : null,
    disposition:
      dispositions.length > 0
        ? byName(dispositions, (field) => ({ ...dispositionOf(field, sentences, likeness) }))
        : null,
    dataExtraction: extraction ? byName(fields, (field) => extract(field, exchanges, today, likeness)) : null,
  }
}

const byName = <Field extends { name: string }>(
  fields: readonly Field[],
  find: (field: Field) => unknown,
): Record<string, unknown> => Object.fromEntries(fields.map((field) => [field.name, find(field)]))
