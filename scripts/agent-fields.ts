// Every key of an agent's settings: its effect and default from the contract, what vendors make of it from their
// descriptions, and the test that fails when it is ignored.
import { z } from 'zod'
import { createAgent, updateAgent } from '../contract/src/agents/agent-operations.ts'
import type { OptionOwner } from '../server/src/ports/own-options.ts'
import type {
  SttVendor,
  SynthesizerOptionName,
  TranscriberOptionName,
  TtsVendor,
} from '../server/src/ports/vendor.ts'
import { sttVendors, ttsVendors } from '../server/src/vendors/index.ts'

export interface AgentField {
  /** The path, as in `synthesizer.provider_config.voice`. */
  readonly path: string
  readonly effect: string
  /** The default as it is written; undefined: there is none. */
  readonly usual: string | undefined
}

/** Of a JSON Schema. */
interface Schema {
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
}

/** The settings in the body of an operation, without references. */
function configOf(body: z.ZodType): Schema {
  // Named parts would become references.
  const whole = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema & {
    readonly $defs?: Readonly<Record<string, Schema>>
  }
  const inlined = JSON.parse(JSON.stringify(whole), (_, value) => {
    const name = typeof value?.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined
    return name === undefined ? value : { ...whole.$defs?.[name], ...value }
  }) as Schema
  return inlined.properties?.agent_config ?? {}
}

const created = configOf(createAgent.body)
const changed = configOf(updateAgent.body)

/** The part of a schema that is an object, also where it may be null or a list of objects. */
const objectIn = (schema: Schema | undefined): Schema =>
  [schema, ...(schema?.anyOf ?? [])]
    .flatMap((one) => (one ? [one, one.items ?? {}] : []))
    .find((one) => one.properties) ?? {}

function fieldsOf(schema: Schema | undefined, path: string, isDeep: (key: string) => boolean): AgentField[] {
  return Object.entries(objectIn(schema).properties ?? {}).flatMap(([key, own]) => {
    const at = `${path}.${key}`
    const field = {
      path: at,
      effect: own.description ?? '',
      usual: own.default === undefined ? undefined : JSON.stringify(own.default),
    }
    return isDeep(key) ? [field, ...fieldsOf(own, at, isDeep)] : [field]
  })
}

const never = () => false
const inObject = (schema: Schema, key: string): Schema | undefined => objectIn(schema).properties?.[key]

/** The fields by section of the page. Objects that are free on creation are listed as an update shows them. */
export const sections: Readonly<Record<string, readonly AgentField[]>> = {
  synthesizer: fieldsOf(inObject(created, 'synthesizer'), 'synthesizer', never),
  'synthesizer.provider_config': fieldsOf(
    inObject(inObject(changed, 'synthesizer') ?? {}, 'provider_config'),
    'synthesizer.provider_config',
    never,
  ),
  transcriber: fieldsOf(inObject(created, 'transcriber'), 'transcriber', never),
  task_config: fieldsOf(inObject(created, 'task_config'), 'task_config', never),
  llm_agent: fieldsOf(inObject(changed, 'llm_agent'), 'llm_agent', (key) => key === 'llm_config'),
  call_analysis_config: fieldsOf(
    inObject(created, 'call_analysis_config'),
    'call_analysis_config',
    (key) => key.endsWith('_fields') || key === 'action',
  ),
}

export const allFields: readonly AgentField[] = Object.values(sections).flat()

const spoken: Readonly<Record<string, SynthesizerOptionName>> = {
  'synthesizer.stream': 'stream',
  'synthesizer.buffer_size': 'bufferSize',
  'synthesizer.audio_format': 'audioFormat',
  'synthesizer.language': 'language',
  'synthesizer.provider_config.voice': 'voice',
  'synthesizer.provider_config.voice_id': 'voiceId',
  'synthesizer.provider_config.model': 'model',
  'synthesizer.provider_config.temperature': 'temperature',
  'synthesizer.provider_config.similarity_boost': 'similarityBoost',
  'synthesizer.provider_config.engine': 'engine',
}
const heard: Readonly<Record<string, TranscriberOptionName>> = {
  'transcriber.model': 'model',
  'transcriber.language': 'language',
  'transcriber.stream': 'stream',
  'transcriber.sampling_rate': 'samplingRateHz',
  'transcriber.encoding': 'encoding',
  'transcriber.endpointing': 'endpointingMs',
  'transcriber.keywords': 'keyterms',
  'transcriber.task': 'task',
}

export interface VendorUse {
  readonly vendor: string
  /** What the vendor makes of it; null: it has nothing similar. */
  readonly becomes: string | null
}

/** The vendors' uses of a key; empty: the key is not for vendors. */
export function vendorsOf(path: string): readonly VendorUse[] {
  const { [path]: said } = spoken
  if (said !== undefined) return usesOf<TtsVendor>(ttsVendors, ({ options }) => options[said])
  const { [path]: taken } = heard
  return taken === undefined ? [] : usesOf<SttVendor>(sttVendors, ({ options }) => options[taken])
}

const usesOf = <Vendor>(
  vendors: Readonly<Record<string, Vendor>>,
  of: (vendor: Vendor) => string | null,
): readonly VendorUse[] => Object.entries(vendors).map(([vendor, own]) => ({ vendor, becomes: of(own) }))

export interface OwnOptionsTable {
  readonly vendor: string
  readonly label: string
  readonly rows: readonly { readonly name: string; readonly form: string; readonly effect: string }[]
}

/** The options of the vendors' own, of those that have any. */
const ownOptionTables = (vendors: Readonly<Record<string, OptionOwner>>): readonly OwnOptionsTable[] =>
  Object.entries(vendors).flatMap(([vendor, { label, ownOptions }]) => {
    const rows = Object.entries(ownOptions.known).map(([name, { form, effect }]) => ({ name, form, effect }))
    return rows.length > 0 ? [{ vendor, label, rows }] : []
  })

export const ownOptions = {
  voices: ownOptionTables(ttsVendors),
  recognition: ownOptionTables(sttVendors),
}

/** Keys that are kept and shown, and read by nobody; with the reason. */
export const withoutEffect: Readonly<Record<string, string>> = {
  'synthesizer.stream': 'sound is always played as it comes',
  'transcriber.stream': 'a vendor that can send words while they are spoken always does',
  'task_config.generate_precise_transcript': 'the transcript always has only what was heard',
  'llm_agent.agent_flow_type': 'the type of the agent decides',
  'llm_agent.llm_config.request_json': 'answers are spoken',
  'llm_agent.llm_config.vector_store': 'the knowledge base is named in `repository_ids`',
}

/** The test files of each part, from its settings to what a caller, a vendor or a model notices. */
const testFiles: Readonly<Record<string, string>> = {
  synthesizer: 'server/src/speech/speech-config.test.ts',
  transcriber: 'server/src/speech/speech-config.test.ts',
  task_config: 'server/src/call/task-config.test.ts',
  llm_agent: 'server/src/mind/mind-config.test.ts',
  call_analysis_config: 'server/src/mind/analysis/analysis-config.test.ts',
}

/** Keys that need more than their part: a database, and the workers that speak ahead. */
const elsewhere: Readonly<Record<string, string>> = {
  'synthesizer.caching': 'server/test/life-of-a-call/speech-cache.test.ts',
}

/** The file with the test that fails when the key is ignored, and whose name begins with the key. */
export const testOf = (path: string): string | undefined =>
  path in withoutEffect ? undefined : (elsewhere[path] ?? testFiles[path.split('.')[0] ?? ''])

/** Whether the key is an object whose own keys have the effects. */
export const hasOwnKeys = (path: string): boolean =>
  allFields.some((field) => field.path.startsWith(`${path}.`))
