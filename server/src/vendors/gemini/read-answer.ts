// Parses the events of Gemini's streamGenerateContent: each is a whole response with the next parts of the answer.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ModelPart } from '../../ports/language-model.ts'
import {
  type AnswerEvent,
  type AnswerReader,
  type FinishReason,
  parsedJson,
  type TokenCounts,
} from '../over/thinks/protocol.ts'
import { hasAnyField, readVendorMessage } from '../over/wire/passed-over.ts'

const count = () => z.number().nullish()

const Part = z.object({
  text: z.string().optional(),
  /** A summary of what the model thought; nothing to say. */
  thought: z.boolean().optional(),
  thoughtSignature: z.string().optional(),
  functionCall: z
    .object({
      id: z.string().optional(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()).nullish(),
    })
    .optional(),
})

const Chunk = z
  .object({
    candidates: z
      .array(
        z.object({
          content: z.object({ parts: z.array(Part).nullish() }).nullish(),
          finishReason: z.string().nullish(),
        }),
      )
      .nullish(),
    /** A prompt that is refused has no candidates. */
    promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
    usageMetadata: z
      .object({
        promptTokenCount: count(),
        toolUsePromptTokenCount: count(),
        candidatesTokenCount: count(),
        thoughtsTokenCount: count(),
        cachedContentTokenCount: count(),
      })
      .nullish(),
    modelVersion: z.string().nullish(),
    error: z.unknown().optional(),
  })
  .refine(hasAnyField)
type Chunk = z.infer<typeof Chunk>

export class GeminiReader implements AnswerReader {
  finishReason: FinishReason | undefined
  model: string | undefined
  tokens: TokenCounts | undefined

  take(data: string): AnswerEvent {
    const chunk = readVendorMessage(Chunk, parsedJson(data))
    if (chunk.error) return { type: 'complaint', error: chunk.error }
    return { type: 'parts', parts: this.#partsOf(chunk) }
  }

  #partsOf({ candidates, usageMetadata, modelVersion, promptFeedback }: Chunk): ModelPart[] {
    if (modelVersion) this.model = modelVersion
    if (usageMetadata) this.tokens = tokensOf(usageMetadata)
    if (promptFeedback?.blockReason) this.finishReason = 'content_filter'
    // There is one candidate unless more are asked for.
    const [candidate] = candidates ?? []
    if (candidate?.finishReason) this.finishReason = finishReasonOf(candidate.finishReason)
    return (candidate?.content?.parts ?? []).flatMap(partOf)
  }
}

function partOf({ text, thought, functionCall, thoughtSignature }: z.infer<typeof Part>): ModelPart[] {
  if (!functionCall) return text && !thought ? [{ type: 'text', text }] : []
  const call = {
    // The vendor tells calls apart by their names; ours need an id.
    id: functionCall.id ?? `call_${randomUUID()}`,
    name: functionCall.name,
    arguments: JSON.stringify(functionCall.args ?? {}),
    ...(thoughtSignature && { signature: thoughtSignature }),
  }
  return [{ type: 'tool-call', call }]
}

const reasons: Readonly<Record<string, FinishReason>> = { STOP: 'stop', MAX_TOKENS: 'length' }
/** The other reasons are kinds of content that is held back, or calls that could not be written. */
const finishReasonOf = (written: string): FinishReason => reasons[written] ?? 'content_filter'

const tokensOf = (usage: NonNullable<Chunk['usageMetadata']>): TokenCounts => ({
  inputTokens: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
  outputTokens: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
  cachedTokens: usage.cachedContentTokenCount ?? 0,
  cacheWriteTokens: 0,
})
