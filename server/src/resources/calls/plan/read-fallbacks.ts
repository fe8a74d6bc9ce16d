// `api_tools.fallbacks`: the vendors of speech that an agent goes on with when the one that it names fails.
//
//   {"transcriber": [{"provider": "assembly"}], "synthesizer": [{"provider": "cartesia", "voice_id": "…"}]}
//
// What cannot be read is reported and left out.
import { synthesizerNames, transcriberNames } from '@parley/contract/companies'
import { z } from 'zod'
import type { SynthesizerFallback, TranscriberFallback } from '../../../ports/call-plan.ts'

// More would be tried for longer than a caller waits.
const mostFallbacks = 5

const Transcriber = z
  .strictObject({ provider: z.enum(transcriberNames), model: z.string().optional() })
  .transform(({ provider, model = '' }) => ({ vendor: provider, model }))

const Synthesizer = z
  .strictObject({
    provider: z.enum(synthesizerNames),
    voice: z.string().optional(),
    voice_id: z.string().optional(),
    model: z.string().optional(),
  })
  .transform(({ provider, voice, voice_id: voiceId, model }) => ({ vendor: provider, voice, voiceId, model }))

export interface Fallbacks {
  readonly transcriber: readonly TranscriberFallback[]
  readonly synthesizer: readonly SynthesizerFallback[]
  readonly problems: readonly string[]
}

export function readFallbacks(apiTools: unknown): Fallbacks {
  const written = field(apiTools, 'fallbacks')
  const transcriber = readList(Transcriber, written, 'transcriber')
  const synthesizer = readList(Synthesizer, written, 'synthesizer')
  return {
    transcriber: transcriber.read,
    synthesizer: synthesizer.read,
    problems: [...transcriber.problems, ...synthesizer.problems],
  }
}

function readList<Schema extends z.ZodType>(schema: Schema, written: unknown, name: string) {
  const list = field(written, name)
  if (list === undefined || list === null) return { read: [], problems: [] }
  const place = `api_tools.fallbacks.${name}`
  if (!Array.isArray(list)) return { read: [], problems: [`${place} is not a list and was left out`] }
  const read: z.output<Schema>[] = []
  const problems: string[] = []
  for (const [index, entry] of list.slice(0, mostFallbacks).entries()) {
    const one = schema.safeParse(entry)
    if (one.success) read.push(one.data)
    else
      problems.push(`${place}[${index}] cannot be used and was left out: it needs a provider that is known`)
  }
  if (list.length > mostFallbacks)
    problems.push(`${place} has more than ${mostFallbacks} entries; the others were left out`)
  return { read, problems }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
