// An agent: the shape in which it is changed, which differs from that of its creation, as specified, and the one in
// which it is read.
import { z } from 'zod'
import { AgentConfig, AgentStatus, AgentType, AudioFormat, common } from './agent-config.ts'
import { describeLike } from './describe-like.ts'
import { Id, listOf, Open, Text, Timestamp } from './words.ts'

const Routes = z
  .looseObject({
    embedding_model: Text.optional().describe('Kept, not used: the offline embeddings compare meanings.'),
    routes: listOf(z.unknown())
      .optional()
      .describe(
        'Each `{route_name, utterances, response, score_threshold}`: words near in meaning to an utterance get the response. The threshold is from 0 to 1, 0.55 if left out.',
      ),
  })
  .describe('Questions that are answered at once, without the model. null removes them.')

const LlmConfig = z
  .looseObject({
    model: Text.optional().describe("The model's name at its server. Left out: the operator's model."),
    max_tokens: z
      .number()
      .optional()
      .describe("Tokens of one answer at most, from 1. Left out: the server's limit."),
    family: Text.optional().describe('Kept, not used.'),
    temperature: z
      .number()
      .optional()
      .describe("How varied the answers are, from 0 to 2. Left out: the server's usual value."),
    request_json: z
      .boolean()
      .optional()
      .describe('Kept, not used: answers are spoken, so they are always text.'),
    stop: listOf(Text)
      .nullable()
      .optional()
      .describe('Texts at which the model stops. Left out or null: none.'),
    top_k: z.number().optional().describe('A number of tokens to choose from. Kept, not used.'),
    top_p: z
      .number()
      .optional()
      .describe("The share of probability to choose from, from 0 to 1. Left out: the server's usual value."),
    min_p: z.number().optional().describe('A share of probability from 0 to 1. Kept, not used.'),
    frequency_penalty: z
      .number()
      .optional()
      .describe("Against words that were used often, from -2 to 2. Left out: the server's usual value."),
    presence_penalty: z
      .number()
      .optional()
      .describe("Against words that were used at all, from -2 to 2. Left out: the server's usual value."),
    provider: Text.optional().describe('Kept, not used: `base_url` says who is asked.'),
    base_url: Text.optional().describe(
      "An OpenAI-compatible server, public https or a trusted host of the operator's. Left out: the operator's server.",
    ),
    routes: Routes.nullable()
      .optional()
      .describe('The same as `llm_agent.routes`, used if that is missing. null removes them.'),
    vector_store: z
      .looseObject({
        provider: Text.optional().describe('Kept, not used.'),
        provider_config: z
          .looseObject({ vector_id: Text.optional().describe('Kept, not used.') })
          .optional()
          .describe('Kept, not used.'),
      })
      .optional()
      .describe('Kept, not used.'),
  })
  .describe(
    'The language model. Other keys, such as `api_key` and `fallback`, are accepted; a key is kept encrypted.',
  )

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
      agent_flow_type: Text.optional().describe('Kept, not used.'),
      agent_type: Text.optional().describe(
        '`graph_agent` has the same effect as in `agent_config`; every other value has none.',
      ),
      routes: Routes.nullable()
        .optional()
        .describe('Questions that are answered at once, without the model. null removes them.'),
      llm_config: LlmConfig.optional(),
    })
    .optional(),
  synthesizer: z
    .strictObject({
      provider: Text.optional(),
      provider_config: z
        .looseObject({
          voice: Text.optional().describe(
            "The voice by its name. Left out: `voice_id`, or the vendor's usual voice.",
          ),
          voice_id: Text.optional().describe("The voice by the vendor's id, before `voice`."),
          model: Text.nullable().optional().describe("The vendor's model. null: its usual one."),
          temperature: z.number().optional().describe('Kept, not used; a share from 0 to 1 at most vendors.'),
          similarity_boost: z.number().optional().describe('Kept, not used; a share from 0 to 1.'),
          language: Text.optional().describe('Kept, not used: `synthesizer.language` counts.'),
          engine: Text.nullable().optional().describe('Kept, not used.'),
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

describeLike(patch, AgentConfig.shape)

export const AgentPatch = z.strictObject(patch).meta({
  id: 'AgentPatch',
  description:
    'A change to an agent: only the keys that are sent. Objects merge key by key, arrays are replaced, null clears.',
})
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
  .meta({
    id: 'StoredAgentConfig',
    description:
      'The configuration as it is kept: defaults applied, updates merged, secrets shown by their ends.',
  })

describeLike(StoredConfig.shape, AgentConfig.shape)

export type StoredConfig = z.infer<typeof StoredConfig>

export const Agent = z
  .strictObject({
    agent_id: Id.describe('Names the agent in every other request.'),
    agent_config: StoredConfig.describe('What was written, with defaults applied.'),
    status: AgentStatus.describe('Only an `active` agent takes calls.'),
    created_at: Timestamp.describe('When it was created.'),
    updated_at: Timestamp.describe('When it was last changed.'),
  })
  .meta({ id: 'Agent', description: 'An agent as it is read.' })

export type Agent = z.infer<typeof Agent>

/** After an update, which may have left out secrets that were given for another host. */
export const UpdatedAgent = Agent.extend({
  warnings: listOf(
    z
      .strictObject({
        path: Text.describe('The field that was dropped, as in agent_config.llm_agent.llm_config.api_key.'),
        message: Text.describe('Why, in one sentence.'),
      })
      .describe('One secret that was dropped.'),
  )
    .optional()
    .describe('Secrets that were dropped because their host changed. Left out: there were none.'),
}).meta({ id: 'UpdatedAgent', description: 'An agent after an update.' })

export type UpdatedAgent = z.infer<typeof UpdatedAgent>
