// What a model answered, held against what was asked: valid and of the wanted types, or a sentence that says what is not.
import type { Analytics, CallAnalysis } from '@parley/contract'
import { z } from 'zod'

const longestSummaryChars = 8_000
const longestReasonChars = 1_000
const longestValueChars = 4_000

const Reason = z
  .string()
  .catch('')
  .transform((text) => text.slice(0, longestReasonChars))

const Sentiment = z.object({
  label: z
    .string()
    .transform((word) => word.trim().toLowerCase())
    .pipe(z.enum(['positive', 'neutral', 'negative'])),
  score: z.coerce.number().min(-1).max(1),
  reason: Reason,
})

const Verdict = z.object({ matched: z.boolean().nullable(), reason: Reason })

const Answer = z.object({
  summary: z.string().trim().min(1).nullish(),
  sentiment: Sentiment.nullish(),
  disposition: z.record(z.string(), z.unknown()).nullish(),
  data_extraction: z.record(z.string(), z.unknown()).nullish(),
})

/** A text: what is wrong with the answer, for the model to read. */
export function readFindings(answer: string, wishes: CallAnalysis): Analytics | string {
  const object = objectIn(answer)
  if (object === undefined) return 'Your answer is not one JSON object.'
  const read = Answer.safeParse(object)
  if (!read.success) {
    const [issue] = read.error.issues
    return `In your answer "${issue?.path.join('.')}" is wrong: ${issue?.message}.`
  }
  const { summary, sentiment, disposition, data_extraction: extracted } = read.data
  const fields = wishes.data_extraction ? (wishes.data_extraction_fields ?? []) : []
  const verdicts = wishes.disposition_fields ?? []
  const missing = [
    ...(wishes.summary && summary === undefined ? ['summary'] : []),
    ...(wishes.sentiment && sentiment === undefined ? ['sentiment'] : []),
    ...(verdicts.length > 0 && disposition === undefined ? ['disposition'] : []),
    ...(fields.length > 0 && extracted === undefined ? ['data_extraction'] : []),
  ]
  if (missing.length > 0) return `Your answer lacks "${missing.join('", "')}".`
  return {
    summary: (wishes.summary && summary?.slice(0, longestSummaryChars)) || null,
    sentiment: (wishes.sentiment && sentiment) || null,
    disposition: disposition
      ? Object.fromEntries(
          verdicts.map(({ field_name, action }) => [
            field_name,
            { ...verdictIn(disposition[field_name]), action: action ?? null },
          ]),
        )
      : null,
    data_extraction: wishes.data_extraction
      ? Object.fromEntries(
          fields.map(({ field_name, data_type }) => [field_name, typed(data_type, extracted?.[field_name])]),
        )
      : null,
  }
}

const verdictIn = (value: unknown) =>
  Verdict.safeParse(value).data ?? { matched: null, reason: 'The model did not say.' }

/** Whatever is not of its type is no value. */
function typed(type: string | undefined, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null
  const wanted = (type ?? '').toLowerCase()
  if (/^(?:num|int|float|double|decimal|amount|currency|count)/.test(wanted)) {
    const number = Number(typeof value === 'string' ? value.replace(/[$€£₹,\s]/g, '') : value)
    return Number.isFinite(number) && typeof value !== 'boolean' ? number : null
  }
  if (/^(?:bool|yes)/.test(wanted)) return truth(value)
  if (/^date$/.test(wanted)) return /^\d{4}-\d\d-\d\d/.test(String(value)) ? String(value) : null
  if (typeof value === 'object') return JSON.stringify(value).length <= longestValueChars ? value : null
  return typeof value === 'string' ? value.slice(0, longestValueChars) : value
}

function truth(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const word = String(value).trim().toLowerCase()
  if (/^(?:yes|true)$/.test(word)) return true
  return /^(?:no|false)$/.test(word) ? false : null
}

/** Models put a fence or a sentence around what they were told to send bare. */
function objectIn(answer: string): unknown {
  const from = answer.indexOf('{')
  const to = answer.lastIndexOf('}')
  if (from < 0 || to < from) return undefined
  try {
    return JSON.parse(answer.slice(from, to + 1))
  } catch {
    return undefined
  }
}
