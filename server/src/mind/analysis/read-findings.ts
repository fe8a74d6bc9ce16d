// Checks a model's answer against the request. A value of the wrong type is a fault, which the model is told once; a
// value that is still wrong then is null, with the reason.
import { measured } from '@parley/contract/measured'
import { z } from 'zod'
import type { AnalysisPlan, Analytics, Judgement, RubricQuestion } from '../../ports/analysis.ts'
import { truthOf, typed } from './typed-answer.ts'

const longestSummaryChars = 8_000
const longestReasonChars = 1_000

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
const Named = z.record(z.string(), z.unknown())

export interface ReadFindings {
  readonly analytics: Analytics
  /** Sentences that tell the model what was wrong. */
  readonly faults: readonly string[]
}

/** Reads an answer. Analytics are undefined if nothing of it can be used. */
export function readFindings(
  answer: string,
  plan: AnalysisPlan,
): ReadFindings | { readonly faults: readonly string[] } {
  const object = objectIn(answer)
  if (object === undefined) return { faults: ['Your answer is not one JSON object.'] }
  const reader = new AnswerReading(object)
  return { analytics: reader.analytics(plan), faults: reader.faults }
}

class AnswerReading {
  readonly faults: string[] = []
  readonly #answer: Readonly<Record<string, unknown>>
  readonly #reasons: Record<string, string> = {}

  constructor(answer: Readonly<Record<string, unknown>>) {
    this.#answer = answer
  }

  analytics(plan: AnalysisPlan): Analytics {
    const { dispositions, extraction } = plan
    return {
      summary: plan.summary && this.#summary(),
      sentiment: plan.sentiment && this.#read('sentiment', Sentiment),
      disposition: dispositions.length > 0 ? this.#dispositions(plan) : null,
      dataExtraction: extraction && this.#extraction(extraction.fields),
      judgements: plan.rubric ? this.#judgements(plan.rubric.questions) : {},
      reasons: this.#reasons,
    }
  }

  #fault(path: string, fault: string): void {
    this.faults.push(`In your answer "${path}" ${fault}.`)
    this.#reasons[path] = `The model's answer could not be used: it ${fault}.`
  }

  /** Reads one value; null if the model says so, or wrote something else. */
  #read<Value>(key: string, schema: z.ZodType<Value>): Value | null {
    const value = this.#answer[key]
    if (value === undefined) {
      this.#fault(key, 'is missing')
      return null
    }
    if (value === null) {
      this.#reasons[key] = 'The model could not tell.'
      return null
    }
    const { data, error } = schema.safeParse(value)
    if (data !== undefined) return data
    const [issue] = error?.issues ?? []
    this.#fault([key, ...(issue?.path ?? [])].join('.'), `is wrong: ${issue?.message ?? 'it cannot be read'}`)
    return null
  }

  #summary(): string | null {
    return this.#read('summary', measured(z.string().trim().min(1)))?.slice(0, longestSummaryChars) ?? null
  }

  #dispositions({ dispositions }: AnalysisPlan): Analytics['disposition'] {
    const named = this.#read('disposition', Named)
    if (!named) return null
    return Object.fromEntries(
      dispositions.map(({ name, action }) => {
        const { data } = Verdict.safeParse(named[name])
        if (!data)
          this.#fault(`disposition.${name}`, 'must be {"matched": true, false or null, "reason": a text}')
        return [name, { ...(data ?? { matched: null, reason: 'The model did not say.' }), action }]
      }),
    )
  }

  #extraction(
    fields: readonly { readonly name: string; readonly type: string }[],
  ): Analytics['dataExtraction'] {
    if (fields.length === 0) return {}
    const named = this.#read('data_extraction', Named)
    if (!named) return null
    const unknown = Named.safeParse(this.#answer.unknown).data ?? {}
    return Object.fromEntries(
      fields.map(({ name, type }) => {
        const path = `data_extraction.${name}`
        const read = typed(type, named[name])
        if ('fault' in read) this.#fault(path, read.fault)
        const value = 'fault' in read ? null : read.value
        if (value === null) this.#reasons[path] ??= reasonIn(unknown[name])
        return [name, value]
      }),
    )
  }

  #judgements(questions: readonly RubricQuestion[]): Analytics['judgements'] {
    const named = this.#read('qa', Named) ?? {}
    const judged = questions.map((question): [string, Judgement] => {
      const given = Named.safeParse(named[question.name]).data
      const reason = Reason.parse(given?.reason) || 'The model gave no reason.'
      const read = answerTo(question, given?.answer)
      if ('value' in read) return [question.name, { value: read.value, reason }]
      this.faults.push(`In your answer "qa.${question.name}.answer" ${read.fault}.`)
      return [
        question.name,
        { value: null, reason: `The model's answer could not be used: it ${read.fault}.` },
      ]
    })
    return Object.fromEntries(judged)
  }
}

const reasonIn = (written: unknown): string =>
  typeof written === 'string' && written.trim() !== ''
    ? written.trim().slice(0, longestReasonChars)
    : 'It was not said.'

function answerTo(
  { answer }: RubricQuestion,
  given: unknown,
): { readonly value: boolean | number | null } | { readonly fault: string } {
  if (given === null) return { value: null }
  if (given === undefined) return { fault: 'is missing' }
  if (answer === 'yes-no') {
    const truth = truthOf(given)
    return truth === undefined ? { fault: 'must be true, false or null' } : { value: truth }
  }
  const [least, most] = answer === 'scale-1-5' ? [1, 5] : [0, 10]
  const number = typeof given === 'boolean' ? Number.NaN : Number(given)
  return number >= least && number <= most
    ? { value: number }
    : { fault: `must be a number from ${least} to ${most}, or null` }
}

/** Models wrap the JSON in a code fence or a sentence although told not to. */
function objectIn(answer: string): Record<string, unknown> | undefined {
  const from = answer.indexOf('{')
  const to = answer.lastIndexOf('}')
  if (from < 0 || to < from) return undefined
  try {
    return Named.safeParse(JSON.parse(answer.slice(from, to + 1))).data
  } catch {
    return undefined
  }
}
