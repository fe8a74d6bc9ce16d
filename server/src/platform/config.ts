// The settings of this process: read from the environment once, checked, frozen and passed down.
import { availableParallelism, homedir } from 'node:os'
import { join } from 'node:path'
import {
  type CredentialName,
  credentialNames,
  credentialsOf,
  isModelCompany,
  type LlmProvider,
} from '@parley/contract/companies'
import type { z } from 'zod'
import { settings } from './settings.ts'

type SettingName = keyof typeof settings
type Values = { [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }

export class SettingError extends Error {
  constructor(name: string, sentence: string, options?: ErrorOptions) {
    super(`${name} ${sentence}`, options)
  }
}

export type Config = Readonly<ReturnType<typeof shape>>

export function readConfig(env: Record<string, string | undefined>): Config {
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, { schema }]) => [name, readOne(name, schema, env[name])]),
  ) as Values
  if (values.DATABASE_URL && !values.PARLEY_SECRET) {
    throw new SettingError(
      'PARLEY_SECRET',
      'is required with DATABASE_URL: every process needs the same one.',
    )
  }
  for (const name of ['PARLEY_DATABASE_SESSION_URL', 'PARLEY_DATABASE_READ_URL'] as const)
    if (values[name] && !values.DATABASE_URL) throw new SettingError(name, 'needs DATABASE_URL beside it.')
  if (values.PARLEY_S3_BUCKET && !(values.PARLEY_S3_ACCESS_KEY_ID && values.PARLEY_S3_SECRET_ACCESS_KEY)) {
    throw new SettingError(
      'PARLEY_S3_BUCKET',
      'needs PARLEY_S3_ACCESS_KEY_ID and PARLEY_S3_SECRET_ACCESS_KEY beside it.',
    )
  }
  if (values.PARLEY_EMBEDDINGS_BASE_URL && !values.PARLEY_EMBEDDINGS_MODEL)
    throw new SettingError('PARLEY_EMBEDDINGS_MODEL', 'is required with PARLEY_EMBEDDINGS_BASE_URL.')
  checkStt(values)
  checkLlm(values)
  checkSip(values)
  if (values.PARLEY_TURN_URLS.length > 0 && !values.PARLEY_TURN_SECRET)
    throw new SettingError('PARLEY_TURN_SECRET', 'is required with PARLEY_TURN_URLS.')
  return Object.freeze(shape(values))
}

function checkStt(values: Values): void {
  const { PARLEY_STT_PROTOCOL: protocol, PARLEY_STT_BASE_URL: baseUrl } = values
  if (!protocol) return
  if (protocol === 'azure' && !baseUrl)
    throw new SettingError(
      'PARLEY_STT_BASE_URL',
      'is required with PARLEY_STT_PROTOCOL=azure: the endpoint of your Speech resource.',
    )
  if (protocol === 'azure' && values.PARLEY_STT_MODEL)
    throw new SettingError('PARLEY_STT_MODEL', 'is not for PARLEY_STT_PROTOCOL=azure: unset it.')
  if (!baseUrl && !values.PARLEY_STT_API_KEY)
    throw new SettingError('PARLEY_STT_API_KEY', `is required with PARLEY_STT_PROTOCOL=${protocol}.`)
}

function checkLlm(values: Values): void {
  const { PARLEY_LLM_PROVIDER: provider, PARLEY_LLM_BASE_URL: baseUrl, PARLEY_LLM_MODEL: models } = values
  if (!provider) return
  const isTheirs = `with PARLEY_LLM_PROVIDER=${provider}`
  if (models.length === 0)
    throw new SettingError('PARLEY_LLM_MODEL', `is required ${isTheirs}: the name of a model.`)
  if ((provider === 'azure' || provider === 'custom') && !baseUrl)
    throw new SettingError('PARLEY_LLM_BASE_URL', `is required ${isTheirs}, which has no address of its own.`)
  const ownKey = `PARLEY_${provider.toUpperCase()}_API_KEY`
  const key = values.PARLEY_LLM_API_KEY ?? llmKeysOf(values)[provider]
  if (ownKey in settings && !baseUrl && !key)
    throw new SettingError('PARLEY_LLM_API_KEY', `is required ${isTheirs}; ${ownKey} will do as well.`)
}

/** The keys of companies that serve models, by name. */
const llmKeysOf = (values: Values): Partial<Record<LlmProvider, string | undefined>> =>
  Object.fromEntries(
    credentialNames.flatMap((name) =>
      isModelCompany(name) ? [[name, installedCredentials(values, name).apiKey]] : [],
    ),
  )

const installedCredentials = (values: Values, company: CredentialName): Readonly<Record<string, string>> =>
  Object.fromEntries(
    credentialsOf(company).flatMap(({ name, setting }) => {
      const value = setting && values[setting]
      return value ? [[name, value]] : []
    }),
  )

/** How companies are reached by workspaces that have no credentials of their own, by name. */
function vendorAccountsOf(values: Values): Readonly<Record<string, InstalledAccount>> {
  const baseUrls = vendorBaseUrls(values.PARLEY_VENDOR_BASE_URLS)
  return Object.fromEntries(
    credentialNames.flatMap((name) => {
      const credentials = installedCredentials(values, name)
      const baseUrl = baseUrls[name]
      return Object.keys(credentials).length > 0 || baseUrl ? [[name, { credentials, baseUrl }]] : []
    }),
  )
}

export interface InstalledAccount {
  readonly credentials: Readonly<Record<string, string>>
  readonly baseUrl: string | undefined
}

function vendorBaseUrls(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const [, name = '', url = ''] = entry.match(/^(\w+)=(https?:\/\/.+)$/) ?? []
      if (!credentialNames.some((known) => known === name) || !URL.canParse(url))
        throw new SettingError(
          'PARLEY_VENDOR_BASE_URLS',
          `must be a list of name=address; "${name || entry.split('=')[0]}" is not one.`,
        )
      return [name, url]
    }),
  )
}

function checkSip(values: Values): void {
  if (values.PARLEY_SIP_TLS_PORT === undefined) return
  if (values.PARLEY_SIP_PORT === undefined)
    throw new SettingError('PARLEY_SIP_TLS_PORT', 'needs PARLEY_SIP_PORT beside it.')
  if (!values.PARLEY_SIP_TLS_CERT || !values.PARLEY_SIP_TLS_KEY)
    throw new SettingError(
      'PARLEY_SIP_TLS_PORT',
      'needs PARLEY_SIP_TLS_CERT and PARLEY_SIP_TLS_KEY beside it.',
    )
}

/** The telephone line; undefined: there is none. */
const sipOf = (values: Values) =>
  values.PARLEY_SIP_PORT === undefined
    ? undefined
    : {
        port: values.PARLEY_SIP_PORT,
        tls:
          values.PARLEY_SIP_TLS_PORT === undefined
            ? undefined
            : {
                port: values.PARLEY_SIP_TLS_PORT,
                certFile: values.PARLEY_SIP_TLS_CERT ?? '',
                keyFile: values.PARLEY_SIP_TLS_KEY ?? '',
              },
        address: values.PARLEY_SIP_ADDRESS,
        edge: values.PARLEY_SIP_EDGE,
        allow: values.PARLEY_SIP_ALLOW,
        digest: values.PARLEY_SIP_DIGEST,
        stirAnchors: values.PARLEY_STIR_ANCHORS,
        rtpPorts: values.PARLEY_RTP_PORTS,
      }

/** Names with our prefix that are not settings: most likely a typo. */
export const unknownSettings = (env: Record<string, string | undefined>): string[] =>
  Object.keys(env).filter((name) => name.startsWith('PARLEY_') && !(name in settings))

function readOne(name: string, schema: z.ZodType, raw: string | undefined): unknown {
  const read = schema.safeParse(raw === '' ? undefined : raw)
  if (read.success) return read.data
  const wanted = read.error.issues[0]?.message ?? 'valid'
  const shown = /SECRET|KEY|PASSWORD|URL|OTLP/.test(name) ? 'its value' : `"${raw}"`
  throw new SettingError(name, `must be ${wanted}; ${shown} is not.`)
}

const shape = (values: Values) => ({
  port: values.PORT,
  host: values.HOST,
  dataDir: values.PARLEY_DATA_DIR,
  databaseUrl: values.DATABASE_URL,
  /** Undefined: DATABASE_URL is no pooler. */
  databaseSessionUrl: values.PARLEY_DATABASE_SESSION_URL,
  databaseReadUrl: values.PARLEY_DATABASE_READ_URL,
  databaseConnections: values.PARLEY_DATABASE_CONNECTIONS,
  secret: values.PARLEY_SECRET,
  previousSecret: values.PARLEY_SECRET_PREVIOUS,
  workspaceId: values.PARLEY_WORKSPACE_ID,
  apiKey: values.PARLEY_API_KEY,
  workspaceApiKey: values.PARLEY_WORKSPACE_API_KEY,
  adminEmail: values.PARLEY_ADMIN_EMAIL,
  adminPassword: values.PARLEY_ADMIN_PASSWORD,
  rateLimitPerMinute: values.PARLEY_RATE_LIMIT,
  rateLimitStore: values.PARLEY_RATE_LIMIT_STORE,
  authFailureLimit: values.PARLEY_AUTH_FAILURE_LIMIT,
  callEventDelaySeconds: values.PARLEY_CALL_EVENT_DELAY_SECONDS,
  callLogDays: values.PARLEY_CALL_LOG_DAYS,
  archive: values.PARLEY_ARCHIVE,
  recordingDays: values.PARLEY_RECORDING_DAYS,
  recordingUrlSeconds: values.PARLEY_RECORDING_URL_SECONDS,
  invitationHours: values.PARLEY_INVITATION_HOURS,
  publicUrl: values.PARLEY_PUBLIC_URL?.replace(/(?<!\/)\/+$/, ''),
  browserUrl: (values.PARLEY_BROWSER_URL ?? values.PARLEY_PUBLIC_URL)?.replace(/(?<!\/)\/+$/, ''),
  browserOrigins: values.PARLEY_BROWSER_ORIGINS,
  joinSeconds: values.PARLEY_JOIN_SECONDS,
  mediaCapacity: values.PARLEY_MEDIA_CAPACITY,
  mostLateShare: values.PARLEY_LATE_SOUND_PERCENT / 100,
  modelsDir: values.PARLEY_MODELS_DIR ?? join(homedir(), '.cache', 'parley-models'),
  tts: values.PARLEY_TTS,
  speechThreads: values.PARLEY_SPEECH_THREADS ?? Math.max(1, Math.floor(availableParallelism() / 2)),
  transcribeThreads: values.PARLEY_TRANSCRIBE_THREADS ?? Math.max(1, availableParallelism() - 1),
  transcribeNiceness: values.PARLEY_TRANSCRIBE_NICENESS,
  whisper: values.PARLEY_WHISPER,
  /** Whether the usual engines are loaded at the start and kept for good. */
  warmEngines: values.PARLEY_WARM_ENGINES ?? values.PARLEY_SIP_PORT !== undefined,
  /** Whether the engines of active agents are loaded at the start. */
  loadsForAgents: values.PARLEY_WARM_ENGINES ?? true,
  /** Undefined: never. */
  engineIdleMs: values.PARLEY_ENGINE_IDLE_MINUTES ? values.PARLEY_ENGINE_IDLE_MINUTES * 60_000 : undefined,
  sandbox: values.PARLEY_SANDBOX,
  sip: sipOf(values),
  /** Undefined: there is no relay. */
  turn:
    values.PARLEY_TURN_URLS.length > 0
      ? { urls: values.PARLEY_TURN_URLS, secret: values.PARLEY_TURN_SECRET ?? '' }
      : undefined,
  engineFallback: values.PARLEY_ENGINE_FALLBACK,
  workspaceConcurrency: values.PARLEY_WORKSPACE_CONCURRENCY,
  numberConcurrency: values.PARLEY_NUMBER_CONCURRENCY,
  speechCacheBytes: values.PARLEY_SPEECH_CACHE_MB * 1024 ** 2,
  s3: values.PARLEY_S3_BUCKET && {
    bucket: values.PARLEY_S3_BUCKET,
    endpoint: values.PARLEY_S3_ENDPOINT,
    region: values.PARLEY_S3_REGION,
    accessKeyId: values.PARLEY_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: values.PARLEY_S3_SECRET_ACCESS_KEY ?? '',
    prefix: values.PARLEY_S3_PREFIX,
  },
  webhookBackoffSeconds: values.PARLEY_WEBHOOK_BACKOFF_SECONDS,
  webhookTimeoutSeconds: values.PARLEY_WEBHOOK_TIMEOUT_SECONDS,
  webhookAllowPrivate: values.PARLEY_WEBHOOK_ALLOW_PRIVATE,
  webhookLogDays: values.PARLEY_WEBHOOK_LOG_DAYS,
  trustedHosts: values.PARLEY_TRUSTED_HOSTS,
  llmProvider: values.PARLEY_LLM_PROVIDER,
  llmBaseUrl: values.PARLEY_LLM_BASE_URL,
  llmModels: values.PARLEY_LLM_MODEL,
  llmApiKey: values.PARLEY_LLM_API_KEY,
  embeddings: values.PARLEY_EMBEDDINGS_BASE_URL
    ? {
        baseUrl: values.PARLEY_EMBEDDINGS_BASE_URL,
        model: values.PARLEY_EMBEDDINGS_MODEL ?? '',
        apiKey: values.PARLEY_EMBEDDINGS_API_KEY,
      }
    : undefined,
  knowledgeSearch: values.PARLEY_KNOWLEDGE_SEARCH,
  knowledgeMemoryBytes: values.PARLEY_KNOWLEDGE_MEMORY_MB * 1024 ** 2,
  llmApiVersion: values.PARLEY_LLM_API_VERSION,
  llmKeys: llmKeysOf(values),
  vendorAccounts: vendorAccountsOf(values),
  stt: (values.PARLEY_STT_PROTOCOL || values.PARLEY_STT_BASE_URL) && {
    protocol: values.PARLEY_STT_PROTOCOL ?? 'openai',
    baseUrl: values.PARLEY_STT_BASE_URL,
    model: values.PARLEY_STT_MODEL,
    apiKey: values.PARLEY_STT_API_KEY,
  },
  speechConcurrency: values.PARLEY_SPEECH_CONCURRENCY,
  speechMaxSeconds: values.PARLEY_SPEECH_MAX_HOURS * 3600,
  speechSyncSeconds: values.PARLEY_SPEECH_SYNC_SECONDS,
  uploadMaxBytes: values.PARLEY_UPLOAD_MAX_MB * 1024 ** 2,
  uploadSeconds: values.PARLEY_UPLOAD_SECONDS,
  fileDays: values.PARLEY_FILE_DAYS,
  transcriptDays: values.PARLEY_TRANSCRIPT_DAYS,
  ffmpegDir: values.PARLEY_FFMPEG_DIR,
  trustProxy: values.PARLEY_TRUST_PROXY,
  roles: values.PARLEY_ROLES,
  drainSeconds: values.PARLEY_DRAIN_SECONDS,
  shutdownDelaySeconds: values.PARLEY_SHUTDOWN_DELAY_SECONDS,
  /** Undefined: there is no collector. */
  telemetry: values.PARLEY_OTLP_ENDPOINT
    ? {
        endpoint: values.PARLEY_OTLP_ENDPOINT,
        headers: values.PARLEY_OTLP_HEADERS,
        share: values.PARLEY_TRACE_SHARE,
      }
    : undefined,
  logLevel: values.PARLEY_LOG_LEVEL,
  logFormat: values.PARLEY_LOG_FORMAT,
})
