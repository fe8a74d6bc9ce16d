// An agent in the shape in which it is changed, which differs from that of its creation, as specified, and in the shape in
// which it is read.
import { z } from 'zod'
import { describeLike } from '../describe-like.ts'
import { Id, listOf, Open, Text, Timestamp } from '../words.ts'
import { AgentConfig, AgentStatus, AgentType, AudioFormat, common } from './agent-config.ts'

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
    model: Text.optional().describe(
      "The model's name at its server; of Azure, the deployment. Left out: the model of this installation (`listModels`).",
    ),
    provider: Text.optional().describe(
      'Who serves the model: a name from `listModels`. Left out: as `family`, or the host of `base_url`, says; otherwise this installation.',
    ),
    family: Text.optional().describe('The same as `provider`, used if that is missing or not known.'),
    base_url: Text.optional().describe(
      "A server of your own, public https or a trusted host of the operator's. Left out: the provider's own address.",
    ),
    api_version: Text.optional().describe("The version of Azure's interface. Left out: 2024-10-21."),
    max_tokens: z
      .number()
      .optional()
      .describe("Tokens of one answer at most, from 1. Left out: the server's limit."),
    temperature: z
      .number()
      .optional()
      .describe(
        "How varied the answers are, from 0 to 2; Anthropic's scale ends at 1. Left out: the server's usual value.",
      ),
    request_json: z
      .boolean()
      .optional()
      .describe('Kept, and without effect in calls, whose answers are spoken: `response_format` is sent.'),
    response_format: z
      .looseObject({ type: Text.describe('As in `json_schema`.') })
      .optional()
      .describe(
        'The form of the answers, as OpenAI defines it. Left out: text, which is what can be spoken.',
      ),
    stop: listOf(Text)
      .nullable()
      .optional()
      .describe('Texts at which the model stops. Left out or null: none.'),
    top_k: z
      .number()
      .optional()
      .describe("A number of tokens to choose from, from 1. Left out: the server's usual value."),
    top_p: z
      .number()
      .optional()
      .describe("The share of probability to choose from, from 0 to 1. Left out: the server's usual value."),
    min_p: z
      .number()
      .optional()
      .describe(
        "The least probability of a token, as a share of the likeliest, from 0 to 1. Left out: the server's usual value.",
      ),
    frequency_penalty: z
      .number()
      .optional()
      .describe("Against words that were used often, from -2 to 2. Left out: the server's usual value."),
    presence_penalty: z
      .number()
      .optional()
      .describe("Against words that were used at all, from -2 to 2. Left out: the server's usual value."),
    seed: z
      .number()
      .optional()
      .describe(
        'Any whole number, from 0 at most vendors: the same one gives the same answers where the vendor can. Left out: they vary.',
      ),
    reasoning_effort: Text.optional().describe(
      'How much a model thinks before it speaks: `low`, `medium`, `high`, as its vendor has them. Left out: as little as it can, because a caller waits.',
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
    'The language model. An option that its vendor does not have, and a key that is not known, are named in the notes of each call. `api_key` is kept encrypted; `fallback` names who is asked when the model fails: a model, an object with `model`, `provider`, `base_url` and `api_key`, or a list of these.',
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
      provider: Text.optional().describe(
        'The vendor that speaks, as on creation; `offline`: the voices of this installation. Left out: the voices of this installation, if none was named before.',
      ),
      provider_config: z
        .looseObject({
          voice: Text.optional().describe(
            "The voice by its name. Left out: `voice_id`, or the vendor's usual voice.",
          ),
          voice_id: Text.optional().describe("The voice by the vendor's id, before `voice`."),
          model: Text.nullable().optional().describe("The vendor's model. null: its usual one."),
          temperature: z
            .number()
            .optional()
            .describe(
              'How much the voice varies, usually from 0 to 1, as the vendor scales it: of ElevenLabs it is the stability, which varies less the higher it is. Left out: the vendor’s usual value.',
            ),
          similarity_boost: z
            .number()
            .optional()
            .describe('How close to the original speaker, from 0 to 1. Left out: the vendor’s usual value.'),
          language: Text.optional().describe('What is spoken, if `synthesizer.language` is left out.'),
          engine: Text.nullable()
            .optional()
            .describe(
              'The quality of the voice at vendors that sell several, such as `neural`. Left out or null: the best it has.',
            ),
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
      provider: Text.optional().describe(
        'The vendor that listens, as on creation; `offline`: the recogniser of this installation. Left out: deepgram, if none was named before.',
      ),
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

/** The configuration as it is read: what was written, with defaults applied, after any number of updates. */
export const StoredConfig = z
  .looseObject({
    ...patch,
    agent_name: Text,
    agent_type: AgentType,
    agent_prompt: Text,
    llm_agent: Open,
    task_config: Open,
    // A stored value may be one that an update would refuse: `provider_config` is free-form on create.
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
    version: z
      .int()
      .min(1)
      .describe('Counted from 1, one more with every change. Calls name the one that they were made with.'),
    created_at: Timestamp.describe('When it was created.'),
    updated_at: Timestamp.describe('When it was last changed.'),
  })
  .meta({ id: 'Agent', description: 'An agent as it is read.' })

export type Agent = z.infer<typeof Agent>

/** A warning: what a change left out, or what may not be as it was meant. */
export const Warnings = listOf(
  z
    .strictObject({
      path: Text.describe('The field it is about, as in agent_config.llm_agent.llm_config.api_key.'),
      message: Text.describe('Why, in one sentence.'),
    })
    .describe(
      'One field: a secret that was dropped, a language that its engine may not speak, a model that ends, keywords that its transcriber does not take, or an option that its vendor does not have.',
    ),
)
  .optional()
  .describe(
    'Secrets that were dropped because their host changed, languages that another engine serves or that are not known here, models whose end their company has announced, keywords beyond what the transcriber takes, and options in a `provider_config` that are not sent, with what to write instead. Left out: there were none.',
  )

export const UpdatedAgent = Agent.extend({ warnings: Warnings }).meta({
  id: 'UpdatedAgent',
  description: 'An agent after an update.',
})

export type UpdatedAgent = z.infer<typeof UpdatedAgent>
