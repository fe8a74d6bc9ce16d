// The companies, and the servers of one's own, that hear, speak and think for agents: one row each. Names, settings,
// credentials and labels are derived from these rows, in their order. Free of zod, for readers that need names only.

interface Company {
  /** Its name, for people. */
  readonly label: string
  /** Whose key its setting is said to hold; left out: that of the label. */
  readonly keyOf?: string
  /** What it is reached with; left out: an API key. */
  readonly credentials?: Readonly<Record<string, Credential>>
  /** Transcribes calls. */
  readonly hears?: true
  /** Synthesizes speech. */
  readonly speaks?: true
  /** What agents call its voices; left out: as the company. */
  readonly voicesName?: string
  /** Transcribes recordings. */
  readonly recordings?: true
  /** Serves language models. */
  readonly thinks?: true
  /** Its models are at an address of the user's, with a key that is not stored as credentials. */
  readonly ownAddress?: true
}

interface Credential {
  /** The setting that holds the installation's; left out: `PARLEY_<NAME>_API_KEY` of an API key, none of others. */
  readonly setting?: string
  readonly isOptional?: true
  /** Shown whole; others are shown by their ends. */
  readonly isPlain?: true
}

export const companies = {
  deepgram: { label: 'Deepgram', hears: true, speaks: true, recordings: true },
  elevenlabs: { label: 'ElevenLabs', hears: true, speaks: true, recordings: true },
  openai: { label: 'OpenAI', hears: true, speaks: true, recordings: true, thinks: true },
  azure: {
    label: 'Azure Speech',
    credentials: {
      apiKey: { setting: 'PARLEY_AZURE_SPEECH_KEY' },
      region: { setting: 'PARLEY_AZURE_SPEECH_REGION', isPlain: true },
    },
    hears: true,
    speaks: true,
    voicesName: 'azuretts',
    recordings: true,
    thinks: true,
    ownAddress: true,
  },
  google: {
    label: 'Google',
    credentials: {
      serviceAccount: { setting: 'PARLEY_GOOGLE_SERVICE_ACCOUNT' },
      region: { isOptional: true, isPlain: true },
      location: { isOptional: true, isPlain: true },
    },
    hears: true,
    speaks: true,
  },
  polly: {
    label: 'Amazon Polly',
    credentials: {
      accessKeyId: { setting: 'PARLEY_POLLY_ACCESS_KEY_ID', isPlain: true },
      secretAccessKey: { setting: 'PARLEY_POLLY_SECRET_ACCESS_KEY' },
      region: { setting: 'PARLEY_POLLY_REGION', isPlain: true },
      sessionToken: { isOptional: true },
    },
    speaks: true,
  },
  cartesia: { label: 'Cartesia', speaks: true },
  rime: { label: 'Rime', speaks: true },
  smallest: { label: 'Smallest', keyOf: 'Smallest AI', hears: true, speaks: true },
  sarvam: { label: 'Sarvam', keyOf: 'Sarvam AI', hears: true, speaks: true, recordings: true },
  pixa: { label: 'Pixa', hears: true, speaks: true },
  assembly: { label: 'AssemblyAI', hears: true, recordings: true },
  gladia: {
    label: 'Gladia',
    credentials: { apiKey: {}, region: { isOptional: true, isPlain: true } },
    hears: true,
    recordings: true,
  },
  soniox: { label: 'Soniox', hears: true, recordings: true },
  whisper: {
    label: 'Whisper',
    keyOf: 'a server that speaks OpenAI’s transcription',
    credentials: { apiKey: { isOptional: true } },
    hears: true,
  },
  anthropic: { label: 'Anthropic', thinks: true },
  gemini: { label: 'Gemini', speaks: true, thinks: true },
  groq: { label: 'Groq', thinks: true },
  together: { label: 'Together AI', thinks: true },
  openrouter: { label: 'OpenRouter', thinks: true },
  mistral: { label: 'Mistral', thinks: true },
  deepseek: { label: 'DeepSeek', thinks: true },
  ollama: { label: 'Ollama', thinks: true, ownAddress: true },
  vllm: { label: 'vLLM', thinks: true, ownAddress: true },
  llamacpp: { label: 'llama.cpp', thinks: true, ownAddress: true },
  custom: { label: 'Any OpenAI-compatible server', thinks: true, ownAddress: true },
} as const satisfies Readonly<Record<string, Company>>

type Rows = typeof companies
export type CompanyName = keyof Rows

/** The companies whose row has this. */
type With<Row> = { [Name in CompanyName]: Rows[Name] extends Row ? Name : never }[CompanyName]

export type RecordingsName = With<{ readonly recordings: true }>
export type LlmProvider = With<{ readonly thinks: true }>
/** What agents name in `transcriber.provider`. */
export type TranscriberName = With<{ readonly hears: true }>
type SpeakingCompany = With<{ readonly speaks: true }>
/** What agents name in `synthesizer.provider`. */
export type SynthesizerName = {
  [Name in SpeakingCompany]: Rows[Name] extends { readonly voicesName: infer Own } ? Own : Name
}[SpeakingCompany]
/** Whose credentials a workspace can store, whatever the company is asked for. */
export type CredentialName =
  | TranscriberName
  | SpeakingCompany
  | Exclude<LlmProvider, With<{ readonly ownAddress: true }>>

const rows = Object.entries(companies) as readonly (readonly [CompanyName, Company])[]

const namesWith = <Name extends CompanyName>(service: 'hears' | 'speaks' | 'recordings' | 'thinks') =>
  rows.flatMap(([name, row]) => (row[service] ? [name as Name] : []))

export const transcriberNames = namesWith<TranscriberName>('hears')
export const recordingsNames = namesWith<RecordingsName>('recordings')
export const llmProviders = namesWith<LlmProvider>('thinks')
export const synthesizers = namesWith<SpeakingCompany>('speaks').map((company) => {
  const { voicesName }: Company = companies[company]
  return { company, name: (voicesName ?? company) as SynthesizerName }
})
export const synthesizerNames = synthesizers.map(({ name }) => name)

/** Whether its stored key is for language models as well. */
export const isModelCompany = (name: CompanyName): boolean => {
  const { thinks, ownAddress }: Company = companies[name]
  return thinks === true && !ownAddress
}

/** Other names that people write for a company of models. */
const aliases: Readonly<Record<string, LlmProvider>> = {
  azureopenai: 'azure',
  claude: 'anthropic',
  google: 'gemini',
  googleai: 'gemini',
  googlegemini: 'gemini',
  mistralai: 'mistral',
  togetherai: 'together',
  openaicompatible: 'custom',
}

/** Who serves the models that an agent asks of this name. Spaces, dots, dashes and case do not count. */
export function llmProviderNamed(name: string | undefined): LlmProvider | undefined {
  const plain = name?.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (!plain) return undefined
  return (
    llmProviders.find((one) => one === plain) ?? (Object.hasOwn(aliases, plain) ? aliases[plain] : undefined)
  )
}

export const credentialNames = rows.flatMap(([name, { hears, speaks }]) =>
  hears || speaks || isModelCompany(name) ? [name as CredentialName] : [],
)

/** Whose credentials are used for what an agent names: a transcriber, voices or models. */
export const credentialNameOf = (agentName: string): string =>
  synthesizers.find(({ name }) => name === agentName)?.company ?? agentName

export interface CompanyCredential {
  readonly name: string
  /** The setting that holds the installation's; undefined: there is none. */
  readonly setting: CompanySetting | undefined
  readonly isRequired: boolean
  readonly isSecret: boolean
}

type SettingIn<Name extends CompanyName> = Rows[Name] extends { readonly credentials: infer Given }
  ? {
      [Part in keyof Given]: Given[Part] extends { readonly setting: infer Setting extends string }
        ? Setting
        : Part extends 'apiKey'
          ? `PARLEY_${Uppercase<Name>}_API_KEY`
          : never
    }[keyof Given]
  : `PARLEY_${Uppercase<Name>}_API_KEY`
/** The settings that hold an installation's credentials. */
export type CompanySetting = { [Name in CredentialName]: SettingIn<Name> }[CredentialName]

/** What a company is reached with. */
export function credentialsOf(company: CredentialName): readonly CompanyCredential[] {
  const { credentials = { apiKey: {} } }: Company = companies[company]
  const keySetting = `PARLEY_${company.toUpperCase()}_API_KEY`
  return Object.entries(credentials).map(([name, { setting, isOptional, isPlain }]) => ({
    name,
    setting: (setting ?? (name === 'apiKey' ? keySetting : undefined)) as CompanySetting | undefined,
    isRequired: !isOptional,
    isSecret: !isPlain,
  }))
}

/** Whose key the company's setting is said to hold. */
export function keyOwnerOf(company: CredentialName): string {
  const { keyOf, label }: Company = companies[company]
  return keyOf ?? label
}
