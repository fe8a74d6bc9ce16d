// A language model server on loopback with the protocol of Gemini's streamGenerateContent.
import type { Content, GenerateContentConfig, GenerateContentResponse, Part } from '@google/genai'
import {
  type Answer,
  openScriptedServer,
  type ScriptedReply,
  type ScriptedServer,
  type StreamOf,
} from './scripted-server.ts'

/** As it is on the wire: the package's own type is what its users write. */
export interface ContentRequest {
  readonly contents: Content[]
  readonly systemInstruction?: Content
  readonly tools?: GenerateContentConfig['tools']
  readonly generationConfig?: Readonly<Record<string, unknown>>
}

export const openGeminiServer = (...answers: Answer[]): Promise<ScriptedServer<ContentRequest>> =>
  openScriptedServer<ContentRequest>(streamOf, answers)

type Chunk = Partial<GenerateContentResponse>

const streamOf: StreamOf<ContentRequest> = (answer, _asked, path) => {
  const { words = [], calls = [], after } = answer
  const model = /models\/([^:]+):/.exec(path)?.[1] ?? ''
  const parts: Part[] = [...words.map((text) => ({ text })), ...calls.map(callOf)]
  const chunks = parts.map((part, place) => chunkOf(model, [part], place))
  if (after !== 'stall') chunks.push(endOf(model, answer))
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('')
}

const callOf = ({ name, pieces }: NonNullable<ScriptedReply['calls']>[number], place: number): Part => ({
  functionCall: { name, args: JSON.parse(pieces.join('') || '{}') },
  ...(place === 0 && { thoughtSignature: 'c2lnbmVk' }),
})

const chunkOf = (model: string, parts: Part[], place: number): Chunk => ({
  candidates: [{ content: { role: 'model', parts }, index: 0 }],
  usageMetadata: { promptTokenCount: 20, candidatesTokenCount: place + 1, totalTokenCount: 21 + place },
  modelVersion: `${model}-001`,
  responseId: 'r1',
})

const reasons = { stop: 'STOP', tool_calls: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' } as const

const endOf = (model: string, { words = [], finishReason = 'stop' }: ScriptedReply): Chunk => ({
  ...chunkOf(model, [], 0),
  candidates: [
    { content: { role: 'model', parts: [{ text: '' }] }, finishReason: reasons[finishReason], index: 0 },
  ] as unknown as NonNullable<Chunk['candidates']>,
  usageMetadata: {
    promptTokenCount: 20,
    cachedContentTokenCount: 10,
    candidatesTokenCount: words.length,
    thoughtsTokenCount: 2,
    totalTokenCount: 22 + words.length,
  },
})
