// The JSON Schema of the answer to an analysis, for servers that enforce a schema.
import type { AnalysisPlan, RubricQuestion } from '../../ports/analysis.ts'
import { typeOf } from './typed-answer.ts'

type Schema = Readonly<Record<string, unknown>>

/** Every key is required and no other allowed, as the strict mode of servers demands. */
const closed = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const text: Schema = { type: 'string' }
const textOrNull: Schema = { type: ['string', 'null'] }

const sentiment: Schema = {
  anyOf: [
    closed({
      label: { type: 'string', enum: ['positive', 'neutral', 'negative'] },
      score: { type: 'number' },
      reason: text,
    }),
    { type: 'null' },
  ],
}

const valueTypes = { number: 'number', boolean: 'boolean', date: 'string', text: 'string' } as const
const answerTypes: Readonly<Record<RubricQuestion['answer'], string>> = {
  'yes-no': 'boolean',
  'scale-1-5': 'integer',
  'scale-0-10': 'integer',
}

const byName = <Field extends { readonly name: string }>(
  fields: readonly Field[],
  schema: (field: Field) => Schema,
): Schema => closed(Object.fromEntries(fields.map((field) => [field.name, schema(field)])))

export function answerSchema({
  summary,
  sentiment: mood,
  dispositions,
  extraction,
  rubric,
}: AnalysisPlan): Schema {
  const fields = extraction?.fields ?? []
  return closed({
    ...(summary && { summary: textOrNull }),
    ...(mood && { sentiment }),
    ...(dispositions.length > 0 && {
      disposition: byName(dispositions, () =>
        closed({ matched: { type: ['boolean', 'null'] }, reason: text }),
      ),
    }),
    ...(fields.length > 0 && {
      data_extraction: byName(fields, ({ type }) => ({ type: [valueTypes[typeOf(type)], 'null'] })),
      unknown: byName(fields, () => textOrNull),
    }),
    ...(rubric && {
      qa: byName(rubric.questions, ({ answer }) =>
        closed({ answer: { type: [answerTypes[answer], 'null'] }, reason: text }),
      ),
    }),
  })
}

/** In OpenAI's form; other vendors translate it. */
export const responseFormat = (plan: AnalysisPlan): Schema => ({
  type: 'json_schema',
  json_schema: { name: 'analysis', strict: true, schema: answerSchema(plan) },
})
