// How a call was judged by the rubric of its agent: the score, and every question with its answer and the reason.
import type { Quality } from '@parley/contract'
import { Badge, type Tone } from '../ui/words/badge.tsx'

const toneOf = (passed: boolean | null): Tone => (passed === null ? 'off' : passed ? 'good' : 'bad')

export function QualityTable({ quality: { score, passed, answers } }: { quality: Quality }) {
  return (
    <section
      aria-label="Score"
      className="space-y-4 rounded-xl border border-line bg-surface p-5 shadow-card"
    >
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">Score</h2>
        <Badge tone={toneOf(passed)}>{score === null ? 'Not known' : `${Math.round(score)} of 100`}</Badge>
      </div>
      <dl className="divide-y divide-line">
        {answers.map(({ name, question, value, passed: isPass, reason }) => (
          <div key={name} className="py-2.5 first:pt-0 last:pb-0">
            <div className="flex items-start justify-between gap-3">
              <dt className="min-w-0 text-[0.8125rem] font-medium wrap-anywhere">{question}</dt>
              <dd className="shrink-0">
                <Badge tone={toneOf(isPass)}>{valueWords(value)}</Badge>
              </dd>
            </div>
            <dd className="mt-0.5 text-[0.8125rem] text-pretty wrap-anywhere text-muted">{reason}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const valueWords = (value: boolean | number | null): string => {
  if (value === null) return 'Not known'
  return typeof value === 'number' ? String(value) : value ? 'Yes' : 'No'
}
