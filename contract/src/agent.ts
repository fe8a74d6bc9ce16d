// An agent: the two shapes in which it is written (create and update differ, as specified) and the one in which it is read.
import { z } from 'zod'
import { synthesizerNames, transcriberNames } from './vendor-names.ts'
import { Id, listOf, Open, Text, Timestamp } from './words.ts'

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
const AudioFormat = z.enum(['wav', 'mp3', 'pcm', 'flac', 'ogg'])
const CallType = z.enum(['inbound', 'outbound'])

export const SynthesizerName = z.enum(synthesizerNames)
export const TranscriberName = z.enum(transcriberNames)

const positive = () => z.int().min(1)

const Synthesizer = z.strictObject({
  provider: SynthesizerName,
  provider_config: Open.optional(),
  stream: z.boolean().default(false),
  buffer_size: positive().default(40),
  audio_format: AudioFormat.nullable().optional(),
  caching: z.boolean().default(true),
  language: Text.optional(),
})

const Transcriber = z.strictObject({
  model: Text.default('nova-2'),
  language: Text.optional(),
  stream: z.boolean().default(false),
  sampling_rate: positive().default(16_000),
  encoding: z.enum(['linear16', 'mulaw', 'alaw', 'ogg_opus', 'speex_with_header_byte']).default('linear16'),
  endpointing: positive().default(500),
  keywords: Text.nullable().optional(),
  task: Text.default('transcribe'),
  provider: TranscriberName.default('deepgram'),
})

export const CallAnalysis = z.strictObject({
  summary: z.boolean(),
  data_extraction: z.boolean(),
  sentiment: z.boolean(),
  summary_prompt: Text.nullable().optional(),
  data_extraction_fields: listOf(
    z.looseObject({ field_name: Text, data_type: Text.optional(), description: Text.nullable().optional() }),
  )
    .nullable()
    .optional(),
  disposition_fields: listOf(
    z.looseObject({
      field_name: Text,
      description: Text.nullable().optional(),
      action: z.looseObject({ name: Text, metadata: z.unknown().optional() }).nullable().optional(),
    }),
  )
    .nullable()
    .optional(),
  sentiment_prompt: Text.nullable().optional(),
})

export type CallAnalysis = z.infer<typeof CallAnalysis>

const TaskConfig = z.strictObject({
  optimize_latency: z.boolean().default(true),
  hangup_after_silence: z.int().default(20),
  incremental_delay: z.int().default(900),
  number_of_words_for_interruption: z.int().default(1),
  interruption_backoff_period: z.int().default(100),
  hangup_after_LLMCall: z.boolean().default(false),
  call_cancellation_prompt: Text.nullable().optional(),
  end_call_tool_mode: Text.nullable().optional(),
  call_hangup_message: z
    .union([Text, z.record(Text, Text)])
    .nullable()
    .optional(),
  backchanneling: z.boolean().default(false),
  backchanneling_message_gap: z.int().default(5),
  backchanneling_start_delay: z.int().default(5),
  ambient_noise: z.boolean().default(false),
  ambient_noise_track: Text.default('convention_hall'),
  call_terminate: z.int().default(300),
  use_fillers: z.boolean().default(false),
  trigger_user_online_message_after: z.int().default(10),
  check_user_online_message: Text.default('Hey, are you still there'),
  check_if_user_online: z.boolean().default(true),
  generate_precise_transcript: z.boolean().default(false),
})

/** Fields that the two written shapes share to the letter. */
const common = {
  call_analysis_config: CallAnalysis.optional(),
  api_tools: z.unknown().optional(),
  call_transfer_config: z.unknown().optional(),
  status: AgentStatus.optional(),
  repository_ids: listOf(Id).optional(),
  tool_definition_ids: listOf(Id).optional(),
  language: Text.optional(),
  timezone: Timezone.optional(),
  call_type: CallType.optional(),
  phone_number: Text.optional(),
  phone_number_id: Id.optional(),
  provider: Text.optional(),
}

const Endpoint = z.strictObject({ provider: Text, format: Text })

export const AgentConfig = z
  .strictObject({
    agent_name: Text.min(1),
    llm_agent: Open,
    agent_welcome_message: Text.optional(),
    webhook_url: z.url().max(2048).nullable().optional(),
    agent_type: AgentType.default('other'),
    agent_prompt: Text.default(''),
    synthesizer: Synthesizer.optional(),
    transcriber: Transcriber.optional(),
    task_config: TaskConfig.prefault({}),
    input: Endpoint.nullable().optional(),
    output: Endpoint.nullable().optional(),
    ...common,
  })
  .meta({ id: 'AgentConfig' })

export type AgentConfig = z.infer<typeof AgentConfig>

const Routes = z.looseObject({ embedding_model: Text.optional(), routes: listOf(z.unknown()).optional() })

const LlmConfig = z.looseObject({
  model: Text.optional(),
  max_tokens: z.number().optional(),
  family: Text.optional(),
  temperature: z.number().optional(),
  request_json: z.boolean().optional(),
  stop: listOf(Text).nullable().optional(),
  top_k: z.number().optional(),
  top_p: z.number().optional(),
  min_p: z.number().optional(),
  frequency_penalty: z.number().optional(),
  presence_penalty: z.number().optional(),
  provider: Text.optional(),
  base_url: Text.optional(),
  routes: Routes.nullable().optional(),
  vector_store: z
    .looseObject({
      provider: Text.optional(),
      provider_config: z.looseObject({ vector_id: Text.optional() }).optional(),
    })
    .optional(),
})

/** The keys of an update. Where vendors have options of their own, objects stay open. */
const patch = {
  ...common,
  agent_name: Text.optional(),
  agent_prompt: Text.optional(),
  agent_type: AgentType.optional(),
  agent_welcome_message: Text.nullable().optional(),
  webhook_url: Text.nullable().optional(),
  llm_agent: z
    .strictObject({
      agent_flow_type: Text.optional(),
      agent_type: Text.optional(),
      routes: Routes.nullable().optional(),
      llm_config: LlmConfig.optional(),
    })
    .optional(),
  synthesizer: z
    .strictObject({
      provider: Text.optional(),
      provider_config: z
        .looseObject({
          voice: Text.optional(),
          voice_id: Text.optional(),
          model: Text.nullable().optional(),
          temperature: z.number().optional(),
          similarity_boost: z.number().optional(),
          language: Text.optional(),
          engine: Text.nullable().optional(),
        })
        .optional(),
      stream: z.boolean().optional(),
      buffer_size: z.number().optional(),
      audio_format: AudioFormat.nullable().optional(),
      caching: z.boolean().optional(),
      language: Text.optional(),
    })
    .optional(),
  transcriber: z
    .strictObject({
      model: Text.nullable().optional(),
      language: Text.nullable().optional(),
      stream: z.boolean().optional(),
      sampling_rate: z.number().optional(),
      encoding: Text.optional(),
      endpointing: z.number().optional(),
      keywords: Text.nullable().optional(),
      task: Text.optional(),
      provider: Text.optional(),
    })
    .optional(),
  input: z.strictObject({ provider: Text.optional(), format: Text.optional() }).nullish(),
  output: z.strictObject({ provider: Text.optional(), format: Text.optional() }).nullish(),
  task_config: Open.optional(),
}

export const AgentPatch = z.strictObject(patch).meta({ id: 'AgentPatch' })
export type AgentPatch = z.infer<typeof AgentPatch>

/** What is read back: the written configuration, defaults applied, after any number of updates. */
const StoredConfig = z
  .looseObject({
    ...patch,
    agent_name: Text,
    agent_type: AgentType,
    agent_prompt: Text,
    llm_agent: Open,
    task_config: Open,
    // What was stored may hold what an update would refuse: `provider_config` is free-form on create.
    synthesizer: patch.synthesizer.unwrap().loose().extend({ provider_config: Open.optional() }).optional(),
    transcriber: patch.transcriber.unwrap().loose().optional(),
    input: patch.input.unwrap().unwrap().loose().nullish(),
    output: patch.output.unwrap().unwrap().loose().nullish(),
    status: AgentStatus,
  })
  .meta({ id: 'StoredAgentConfig' })

export type StoredConfig = z.infer<typeof StoredConfig>

export const Agent = z
  .strictObject({
    agent_id: Id,
    agent_config: StoredConfig,
    status: AgentStatus,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Agent' })

export type Agent = z.infer<typeof Agent>

/** After an update, which may have left out secrets that were given for another host. */
export const UpdatedAgent = Agent.extend({
  warnings: listOf(z.strictObject({ path: Text, message: Text })).optional(),
}).meta({ id: 'UpdatedAgent' })

export type UpdatedAgent = z.infer<typeof UpdatedAgent>
