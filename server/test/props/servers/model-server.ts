// A language model server on loopback with OpenAI's streaming protocol.
import type { OpenAI } from 'openai'
import {
  type Answer,
  openScriptedServer,
  type ScriptedReply,
  type ScriptedServer,
  type StreamOf,
} from './scripted-server.ts'

export type { Answer, ScriptedReply } from './scripted-server.ts'

export type CompletionRequest = OpenAI.ChatCompletionCreateParamsStreaming

export interface ModelServer extends ScriptedServer<CompletionRequest> {
  readonly baseUrl: string
}

export async function openModelServer(...answers: Answer[]): Promise<ModelServer> {
  const server = await openScriptedServer<CompletionRequest>(streamOf, answers)
  return { ...server, baseUrl: `${server.origin}/v1` }
}

/** A server that answers by what it is asked. */
export async function openAnsweringModel(
  answerOf: (asked: CompletionRequest) => ScriptedReply,
): Promise<ModelServer> {
  const server = await openScriptedServer<CompletionRequest>(
    (_, asked) => streamOf(answerOf(asked), asked, ''),
    [{}],
  )
  return { ...server, baseUrl: `${server.origin}/v1` }
}

const streamOf: StreamOf<CompletionRequest> = ({ words = [], calls = [], after, finishReason }, asked) => {
  const choices = [
    choice({ role: 'assistant', content: '', refusal: null }),
    ...words.map((content) => choice({ content })),
    ...calls.flatMap(({ id, name, pieces }, index) => [
      choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces.map((piece) => choice({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ]
  const isOpen = after === 'stall'
  if (!isOpen) choices.push(choice({}, finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop')))
  const chunks = choices.map((one) => chunk(asked.model, [one]))
  if (!isOpen && asked.stream_options?.include_usage) {
    const usage = {
      prompt_tokens: 20,
      completion_tokens: words.length,
      total_tokens: 20 + words.length,
      prompt_tokens_details: { cached_tokens: 10 },
    }
    chunks.push({ ...chunk(asked.model, []), usage })
  }
  const events = chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`)
  return events.join('') + (after ? '' : 'data: [DONE]\n\n')
}

const choice = (
  delta: OpenAI.ChatCompletionChunk.Choice.Delta,
  finish_reason: OpenAI.ChatCompletionChunk.Choice['finish_reason'] = null,
): OpenAI.ChatCompletionChunk.Choice => ({ index: 0, delta, logprobs: null, finish_reason })

const chunk = (model: string, choices: OpenAI.ChatCompletionChunk.Choice[]): OpenAI.ChatCompletionChunk => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model,
  system_fingerprint: 'fp_1',
  choices,
  usage: null,
})
