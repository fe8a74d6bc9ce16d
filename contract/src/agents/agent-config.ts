// An agent as it is created. How it is changed and read is in agent.ts.
import { z } from 'zod'
import { synthesizerNames, transcriberNames } from '../companies.ts'
import { Id, listOf, Open, Text } from '../words.ts'
import { CallAnalysis } from './agent-analysis.ts'
import { TaskConfig } from './agent-task-config.ts'
import { GuardRailsConfig } from './guard-rails.ts'
import { QualityConfig } from './quality.ts'

// The default silence that ends a turn, long enough for a breath inside a sentence.
export const usualEndpointingMs = 500

export const AgentType = z.enum([
  'other',
  'knowledgebase_agent',
  'knowledge_base_agent',
  'graph_agent',
  'simple_llm_agent',
])
export const AgentStatus = z.enum(['active', 'inactive', 'seeding'])
export type AgentStatus = z.infer<typeof AgentStatus>

const Timezone = z.enum([
  'IST',
  'UTC',
  'EST',
  'CST',
  'PST',
  'GMT',
  'CET',
  'GST',
  'SGT',
  'JST',
  'AEST',
  'IST_IRAN',
  'PKT',
  'BDT',
])
export const AudioFormat = z.enum(['wav', 'mp3', 'pcm', 'flac', 'ogg'])
const CallType = z.enum(['inbound', 'outbound'])

export const SynthesizerName = z.enum(synthesizerNames)
export const TranscriberName = z.enum(transcriberNames)

const positive = () => z.int().min(1)

const Synthesizer = z
  .strictObject({
    provider: SynthesizerName.describe(
      'The vendor that speaks. Without its credentials here, the offline voice speaks instead and `engines` of the call says why.',
    ),
    provider_config: Open.optional().describe(
      "`voice`, `voice_id`, `model`, `temperature`, `similarity_boost`, `language`, `speed` and `engine`, and every option of the vendor's own by the name that it has there, such as `enable_logging` of ElevenLabs or `emotion` of Cartesia. What a vendor does not have is kept, not sent, and a warning when the agent is saved. Left out: the vendor's usual voice.",
    ),
    stream: z.boolean().default(false).describe('Kept, without effect: sound is always played as it comes.'),
    buffer_size: positive()
      .default(40)
      .describe(
        'Characters of text that are gathered for a vendor before it speaks, which sounds better and comes later. Up to the default, text is given to it clause by clause.',
      ),
    audio_format: AudioFormat.nullable()
      .optional()
      .describe(
        'Kept. Vendors are asked for PCM, which lines carry without loss; `mp3`, `flac` and `ogg` are named in the notes of each call. Left out or null: the same.',
      ),
    caching: z
      .boolean()
      .default(true)
      .describe(
        'Whether the greeting and the fixed sentences of the agent are kept as its vendor has spoken them, and made when it is saved, so that a call does not wait for them.',
      ),
    language: Text.optional().describe(
      "What is spoken, as a language code such as `en` or `pt-BR`. Left out: the transcriber's language, then the agent's.",
    ),
  })
  .describe('The voice of the agent. Left out: the offline voice.')

const Transcriber = z
  .strictObject({
    model: Text.default('nova-2').describe("The vendor's model."),
    language: Text.optional().describe(
      "What the caller speaks, as a language code such as `en` or `pt-BR`. Left out: the agent's `language`.",
    ),
    stream: z
      .boolean()
      .default(false)
      .describe('Kept, without effect: a vendor that can send words while they are spoken always does.'),
    sampling_rate: positive()
      .default(16_000)
      .describe(
        'Hertz at which a vendor that takes several rates gets the sound. The offline recogniser has its own.',
      ),
    encoding: z
      .enum(['linear16', 'mulaw', 'alaw', 'ogg_opus', 'speex_with_header_byte'])
      .default('linear16')
      .describe(
        'How a vendor that takes several encodings gets the sound. The offline recogniser has its own.',
      ),
    endpointing: positive()
      .default(usualEndpointingMs)
      .describe(
        "Milliseconds of silence after which the caller's turn is over, if the words sound complete. A vendor that detects turns itself is more patient the longer this is, and less the shorter.",
      ),
    keywords: Text.nullable()
      .optional()
      .describe('Names and terms to expect, separated by commas. Left out or null: none.'),
    task: Text.default('transcribe').describe(
      '`transcribe`, or `translate` to English where the vendor can.',
    ),
    provider: TranscriberName.default('deepgram').describe(
      'The vendor that listens. Without its credentials here, the offline recogniser listens instead and `engines` of the call says why.',
    ),
  })
  .describe('How the agent hears. Left out: the offline recogniser.')

/** Who decides that the caller has finished: the transcriber's own turn detection, or Parley by the silence and the words. */
export const TurnDetectionName = z.enum(['vendor', 'parley'], 'must be vendor or parley')

/** Checks the parts of an open object that Parley itself reads: a faulty guard rail or question would not be noticed later. */
function checkOwnTools(written: unknown, context: z.core.$RefinementCtx): void {
  const tools = typeof written === 'object' && written !== null ? (written as Record<string, unknown>) : {}
  for (const [key, schema] of Object.entries(ownTools)) {
    const issues = tools[key] == null ? [] : (schema.safeParse(tools[key]).error?.issues ?? [])
    for (const { path, message } of issues)
      context.addIssue({ code: 'custom', path: [key, ...path], message: sentenceOf(message), input: written })
  }
}

const ownTools = {
  guard_rails: GuardRailsConfig,
  quality: QualityConfig,
  turn_detection: TurnDetectionName,
} as const

const sentenceOf = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`

/** Fields that the two written shapes share to the letter. */
export const common = {
  call_analysis_config: CallAnalysis.optional(),
  api_tools: z
    .unknown()
    .superRefine(checkOwnTools)
    .optional()
    .describe(
      'Tools that the model may call: `{tools: [{name, description, parameters, pre_call_message, key}], tools_params: {<name>: {url, method, headers, param}}}` with the keys custom_task, end_call, send_dtmf and transfer_call. `telephone` beside them says how the agent behaves on a telephone: `{ring_timeout_seconds: 60, voicemail: {action: hang_up|leave_message|go_on, message}, screening: {answer}, digits: {pause_seconds: 2, end_key: "#", count}}`. `turn_detection` says who decides that the caller has finished: `vendor` or `parley`. `transcriber: {provider_config: {…}}` has options of the company that listens. `guard_rails` says what it must not talk about, say, keep or record, and `quality` how its calls are judged; see the [guides](/docs/guide/guard-rails). Left out: no tools, and these defaults.',
    ),
  call_transfer_config: z
    .unknown()
    .optional()
    .describe(
      'Where the agent may transfer a call to: `{destinations: [{name, to_phone_number, mode: cold|warm, message}]}`; the model gets a tool `transfer_call` for these and no others. Left out: nowhere.',
    ),
  status: AgentStatus.optional().describe(
    'Only an `active` agent takes calls; others are refused with AGENT_NOT_ACTIVE. Left out: active.',
  ),
  repository_ids: listOf(Id)
    .optional()
    .describe('The repositories of the knowledge base that the agent looks things up in. Left out: none.'),
  tool_definition_ids: listOf(Id)
    .optional()
    .describe('Tools that the agent may use, by their ids, see `createTool`. Left out: none.'),
  language: Text.optional().describe(
    "What the agent and the caller speak, as a language code such as `en` or `pt-BR`, or `auto` for the caller's. One that no engine here speaks is refused with OPTION_NOT_SERVED. Left out: the usual language of its engines, English offline.",
  ),
  timezone: Timezone.optional().describe(
    'For `{current_date}` and `{current_time}` in the texts, and for dates in the analysis. Left out: UTC.',
  ),
  call_type: CallType.optional().describe(
    'Yours; kept, and without effect: any agent takes calls in both directions. Left out: none.',
  ),
  phone_number: Text.optional().describe(
    'Yours; kept, and without effect: a call names its own numbers. Left out: none.',
  ),
  phone_number_id: Id.optional().describe(
    'The stored number that this agent calls from when a call names none. Left out: the number whose `outbound_agent_id` is this agent, else the oldest of the workspace.',
  ),
  provider: Text.optional().describe(
    'Yours; kept, and without effect: the number that is called decides about the carrier. Left out: none.',
  ),
}

const Endpoint = z.strictObject({
  provider: Text.describe('Kept, not used.'),
  format: Text.describe('Kept, not used: the line of the call decides about the format.'),
})

export const AgentConfig = z
  .strictObject({
    agent_name: Text.min(1).describe('For people; it need not be unique.'),
    llm_agent: Open.describe(
      'How the agent thinks: `llm_config` (`provider`, `model`, `api_key`, `temperature`, …; empty: the model of this installation), `routes` with answers that need no model, and `nodes` of a graph_agent. Without a model here or in the environment, the built-in policy answers by the prompt.',
    ),
    agent_welcome_message: Text.optional().describe(
      'What the agent says first. `{variables}` are filled. Left out: it waits for the caller to speak.',
    ),
    webhook_url: z
      .url()
      .max(2048)
      .nullable()
      .optional()
      .describe(
        'The older way to get call.completed: one unsigned POST in one attempt. Register a webhook for signed deliveries with retries. Left out or null: none.',
      ),
    agent_type: AgentType.default('other').describe(
      '`graph_agent` follows the nodes of `llm_agent`; every other type goes by its prompt.',
    ),
    agent_prompt: Text.default('').describe(
      "The model's instructions. `{variables}` are filled with those of the call and with agent_id, session_id, from_phone_number, to_phone_number, current_date, current_time and timezone.",
    ),
    synthesizer: Synthesizer.optional(),
    transcriber: Transcriber.optional(),
    task_config: TaskConfig.prefault({}),
    input: Endpoint.nullable()
      .optional()
      .describe('Kept, not used: where the sound of the caller comes from. Left out or null: its line.'),
    output: Endpoint.nullable()
      .optional()
      .describe('Kept, not used: where the sound of the agent goes. Left out or null: its line.'),
    ...common,
  })
  .meta({
    id: 'AgentConfig',
    description: 'An agent as it is created: what it says, thinks with, hears and speaks with.',
  })

export type AgentConfig = z.infer<typeof AgentConfig>

/** The value that an update writes in place of a vendor for the engines of this installation, whatever credentials it has. */
export const offlineName = 'offline'

/**
 * An agent as a call reads it: updates may write what a creation does not take, such as a voice without a vendor.
 */
export const CalledAgent = AgentConfig.extend({
  synthesizer: Synthesizer.extend({
    provider: z.enum([...synthesizerNames, offlineName]).optional(),
  }).optional(),
  transcriber: Transcriber.extend({
    provider: z.enum([...transcriberNames, offlineName]).default('deepgram'),
  }).optional(),
}).meta({ id: 'CalledAgent' })
export type CalledAgent = z.infer<typeof CalledAgent>
