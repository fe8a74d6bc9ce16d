// Validates a model's answer against the request: valid and of the requested types, or a sentence that says what is wrong.
import { z } from 'zod'
import type { AnalysisPlan, Analytics } from '../../../ports/analysis.ts'

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

/** A string says what is wrong with the answer, for the model to read. */
export function readFindings(answer: string, plan: AnalysisPlan): Analytics | string {
  const object = objectIn(answer)
  if (object === undefined) return 'Your answer is not one JSON object.'
  const read = Answer.safeParse(object)
  if (!read.success) {
    const [issue] = read.error.issues
    return `In your answer "${issue?.path.join('.')}" is wrong: ${issue?.message}.`
  }
  const { summary, sentiment, disposition, data_extraction: extracted } = read.data
  const fields = plan.extraction?.fields ?? []
  const { dispositions } = plan
  const missing = [
    ...(plan.summary && summary === undefined ? ['summary'] : []),
    ...(plan.sentiment && sentiment === undefined ? ['sentiment'] : []),
    ...(dispositions.length > 0 && disposition === undefined ? ['disposition'] : []),
    ...(fields.length > 0 && extracted === undefined ? ['data_extraction'] : []),
  ]
  if (missing.length > 0) return `Your answer lacks "${missing.join('", "')}".`
  return {
    summary: (plan.summary && summary?.slice(0, longestSummaryChars)) || null,
    sentiment: (plan.sentiment && sentiment) || null,
    disposition: disposition
      ? Object.fromEntries(
          dispositions.map(({ name, action }) => [name, { ...verdictIn(disposition[name]), action }]),
        )
      : null,
    dataExtraction: plan.extraction
      ? Object.fromEntries(fields.map(({ name, type }) => [name, typed(type, extracted?.[name])]))
      : null,
  }
}

const verdictIn = (value: unknown) =>
  Verdict.safeParse(value).data ?? { matched: null, reason: 'The model did not say.' }

/** A value of the wrong type becomes null. */
function typed(type: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return null
  const wanted = type.toLowerCase()
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

/** Models wrap the JSON in a code fence or a sentence although told not to. */
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
