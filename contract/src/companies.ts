// The companies, and the servers of one's own, that hear, speak and think for agents: one row each. Names, settings,
// credentials and labels are derived from these rows. Free of zod, for readers that need names only.

/** The place in the lists of such names, which are longer known than this table; true: after all that have one. */
type Place = number | true

interface Company {
  /** Its name, for people. */
  readonly label: string
  /** Whose key its setting is said to hold; left out: that of the label. */
  readonly keyOf?: string
  /** What it is reached with; left out: an API key. */
  readonly credentials?: Readonly<Record<string, Credential>>
  /** Transcribes calls. */
  readonly hears?: Place
  /** Synthesizes speech. */
  readonly speaks?: Place
  /** What agents call its voices; left out: as the company. */
  readonly voicesName?: string
  /** Transcribes recordings. */
  readonly recordings?: Place
  /** Serves language models. */
  readonly thinks?: Place
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
  deepgram: { label: 'Deepgram', hears: 1, speaks: 4, recordings: 2 },
  elevenlabs: { label: 'ElevenLabs', hears: 10, speaks: 2, recordings: 5 },
  openai: { label: 'OpenAI', hears: 11, speaks: 3, recordings: 1, thinks: 1 },
  azure: {
    label: 'Azure Speech',
    credentials: {
      apiKey: { setting: 'PARLEY_AZURE_SPEECH_KEY' },
      region: { setting: 'PARLEY_AZURE_SPEECH_REGION', isPlain: true },
    },
    hears: 4,
    speaks: 5,
    voicesName: 'azuretts',
    recordings: 4,
    thinks: 4,
    ownAddress: true,
  },
  google: {
    label: 'Google',
    credentials: {
      serviceAccount: { setting: 'PARLEY_GOOGLE_SERVICE_ACCOUNT' },
      region: { isOptional: true, isPlain: true },
      location: { isOptional: true, isPlain: true },
    },
    hears: 7,
    speaks: 10,
  },
  polly: {
    label: 'Amazon Polly',
    credentials: {
      accessKeyId: { setting: 'PARLEY_POLLY_ACCESS_KEY_ID', isPlain: true },
      secretAccessKey: { setting: 'PARLEY_POLLY_SECRET_ACCESS_KEY' },
      region: { setting: 'PARLEY_POLLY_REGION', isPlain: true },
      sessionToken: { isOptional: true },
    },
    speaks: 1,
  },
  cartesia: { label: 'Cartesia', speaks: 6 },
  rime: { label: 'Rime', speaks: 9 },
  smallest: { label: 'Smallest', keyOf: 'Smallest AI', hears: 5, speaks: 7 },
  sarvam: { label: 'Sarvam', keyOf: 'Sarvam AI', hears: 6, speaks: 8, recordings: 7 },
  pixa: { label: 'Pixa', hears: 8, speaks: 11 },
  assembly: { label: 'AssemblyAI', hears: 3, recordings: 3 },
  gladia: {
    label: 'Gladia',
    credentials: { apiKey: {}, region: { isOptional: true, isPlain: true } },
    hears: 9,
    recordings: 6,
  },
  soniox: { label: 'Soniox', hears: 12, recordings: 8 },
  whisper: {
    label: 'Whisper',
    keyOf: 'a server that speaks OpenAI’s transcription',
    credentials: { apiKey: { isOptional: true } },
    hears: 2,
  },
  anthropic: { label: 'Anthropic', thinks: 2 },
  gemini: { label: 'Gemini', speaks: 12, thinks: 3 },
  groq: { label: 'Groq', thinks: 5 },
  together: { label: 'Together AI', thinks: 6 },
  openrouter: { label: 'OpenRouter', thinks: 7 },
  mistral: { label: 'Mistral', thinks: 8 },
  deepseek: { label: 'DeepSeek', thinks: 9 },
  ollama: { label: 'Ollama', thinks: 10, ownAddress: true },
  vllm: { label: 'vLLM', thinks: 11, ownAddress: true },
  llamacpp: { label: 'llama.cpp', thinks: 12, ownAddress: true },
  custom: { label: 'Any OpenAI-compatible server', thinks: 13, ownAddress: true },
} as const satisfies Readonly<Record<string, Company>>

type Rows = typeof companies
export type CompanyName = keyof Rows

/** The companies whose row has this. */
type With<Row> = { [Name in CompanyName]: Rows[Name] extends Row ? Name : never }[CompanyName]

export type RecordingsName = With<{ readonly recordings: Place }>
export type LlmProvider = With<{ readonly thinks: Place }>
/** What agents name in `transcriber.provider`. */
export type TranscriberName = With<{ readonly hears: Place }>
type SpeakingCompany = With<{ readonly speaks: Place }>
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

const inPlace = <Name extends CompanyName>(service: 'hears' | 'speaks' | 'recordings' | 'thinks') =>
  rows
    .flatMap(([name, { [service]: place }]) => (place === undefined ? [] : [{ name: name as Name, place }]))
    .toSorted((one, other) => orderOf(one.place) - orderOf(other.place))
    .map(({ name }): Name => name)
const orderOf = (place: Place) => (place === true ? rows.length : place)

export const transcriberNames = inPlace<TranscriberName>('hears')
export const recordingsNames = inPlace<RecordingsName>('recordings')
export const llmProviders = inPlace<LlmProvider>('thinks')
export const synthesizers = inPlace<SpeakingCompany>('speaks').map((company) => {
  const { voicesName }: Company = companies[company]
  return { company, name: (voicesName ?? company) as SynthesizerName }
})
export const synthesizerNames = synthesizers.map(({ name }) => name)

/** Whether its stored key is for language models as well. */
export const isModelCompany = (name: CompanyName): boolean => {
  const { thinks, ownAddress }: Company = companies[name]
  return thinks !== undefined && !ownAddress
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
