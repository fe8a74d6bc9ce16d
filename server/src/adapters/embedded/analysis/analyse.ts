// Call analysis without a language model: extractive summary, word-list sentiment, typed values.
import type { Analytics, CallAnalysis } from '@parley/contract'
import { localDay } from '../../../platform/clock/local-time.ts'
import type { EndedCall } from '../../../ports/analysis.ts'
import type { Embedder } from '../../../ports/embedder.ts'
import { descriptionOf, dispositionOf, dispositionSentences } from './disposition.ts'
import { confirmedIn, type Exchange, exchangesOf } from './exchanges.ts'
import { exchangeWords, extract, fieldWords } from './extraction.ts'
import { likenessOf } from './likeness.ts'
import { sentimentOf } from './sentiment.ts'
import { summaryOf, summarySentences } from './summary.ts'

export const analysisName = 'built-in analysis, not a language model'

// Enough for an hour; embedding each takes a few milliseconds.
const mostTexts = 600

export async function analyseEmbedded(
  { agent, transcript, at }: EndedCall,
  wishes: CallAnalysis,
  embedder: Embedder | undefined,
  signal: AbortSignal,
): Promise<Analytics> {
  const said = exchangesOf(transcript)
  const exchanges = said.flatMap((one) => [one, ...confirmedIn(one)])
  const fields = wishes.data_extraction ? (wishes.data_extraction_fields ?? []) : []
  const dispositions = wishes.disposition_fields ?? []
  const sentences = dispositions.length > 0 ? dispositionSentences(transcript) : []
  const texts = [
    ...fields.flatMap((field) => [fieldWords(field), field.field_name.replaceAll('_', ' ')]),
    ...dispositions.map(descriptionOf),
    ...(fields.length > 0 ? exchanges.flatMap(exchangeWords) : []),
    ...(wishes.summary ? summarySentences(transcript) : []),
    ...sentences,
  ]
  const { likeness } = await likenessOf([...new Set(texts)].slice(0, mostTexts), embedder, signal)
  const today = localDay(at, agent.timezone)
  return {
    summary: wishes.summary ? summaryOf(transcript, likeness) : null,
    sentiment: wishes.sentiment ? moodOf(said) : null,
    disposition:
      dispositions.length > 0
        ? byName(dispositions, (field) => ({ ...dispositionOf(field, sentences, likeness) }))
        : null,
    data_extraction: wishes.data_extraction
      ? byName(fields, (field) => extract(field, exchanges, today, likeness))
      : null,
  }
}

/** In wire format; null if the caller said nothing. */
const moodOf = (exchanges: readonly Exchange[]): Analytics['sentiment'] => {
  const mood = sentimentOf(exchanges)
  return mood && { ...mood }
}

const byName = <Field extends { field_name: string }>(
  fields: readonly Field[],
  find: (field: Field) => unknown,
): Record<string, unknown> => Object.fromEntries(fields.map((field) => [field.field_name, find(field)]))
