// A language model server on loopback with the protocol of Anthropic's messages API, streamed.
import type Anthropic from '@anthropic-ai/sdk'
import {
  type Answer,
  openScriptedServer,
  type ScriptedReply,
  type ScriptedServer,
  type StreamOf,
} from './scripted-server.ts'

type MessageRequest = Anthropic.MessageCreateParamsStreaming
type Event = Anthropic.RawMessageStreamEvent

export const openAnthropicServer = (...answers: Answer[]): Promise<ScriptedServer<MessageRequest>> =>
  openScriptedServer<MessageRequest>(streamOf, answers)

const streamOf: StreamOf<MessageRequest> = (answer, { model }) => {
  const { words = [], calls = [], after } = answer
  const events: Event[] = [begin(model), ...spoken(words), ...called(calls, words.length > 0 ? 1 : 0)]
  if (after !== 'stall') events.push(end(answer))
  if (!after) events.push({ type: 'message_stop' })
  const [first, ...rest] = events
  const ping = 'event: ping\ndata: {"type": "ping"}\n\n'
  return [first, ...rest].map((event) => written(event as Event)).join(ping)
}

const written = (event: Event): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** The counts before the cache and after it are apart: 20 in all. */
const usage = {
  input_tokens: 4,
  cache_creation_input_tokens: 6,
  cache_read_input_tokens: 10,
  output_tokens: 1,
  cache_creation: null,
  server_tool_use: null,
  service_tier: 'standard' as const,
}

const begin = (model: MessageRequest['model']): Event =>
  ({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [],
      model: `${model}-20251001`,
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  }) as unknown as Event

function spoken(words: readonly string[]): Event[] {
  if (words.length === 0) return []
  return [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '', citations: null } },
    ...words.map(
      (text): Event => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    ),
    { type: 'content_block_stop', index: 0 },
  ]
}

const called = (calls: NonNullable<ScriptedReply['calls']>, first: number): Event[] =>
  calls.flatMap(({ id, name, pieces }, place) => {
    const index = first + place
    return [
      {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id, name, input: {} },
      } as Event,
      ...['', ...pieces].map(
        (partial_json): Event => ({
          type: 'content_block_delta',
          index,
          delta: { type: 'input_json_delta', partial_json },
        }),
      ),
      { type: 'content_block_stop', index },
    ]
  })

const reasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const

const end = ({
  words = [],
  calls = [],
  finishReason = calls.length > 0 ? 'tool_calls' : 'stop',
}: ScriptedReply): Event =>
  ({
    type: 'message_delta',
    delta: { stop_reason: reasons[finishReason], stop_sequence: null },
    usage: { output_tokens: words.length },
  }) as Event
