// All settings: their types, defaults and descriptions. docs/configuration.md is generated from this table by `npm run
// docs`.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { fewestConnections } from './db/connection.ts'

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `at least ${min}`).max(max, `at most ${max}`))

const seconds = () =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'a number of seconds')
    .transform(Number)

const minutes = () =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'a number of minutes')
    .transform(Number)
    // A timer cannot be set for more than 24 days.
    .pipe(z.number().max(30_000, 'at most 30000'))

const wordList = () =>
  z.string().transform((words) =>
    words
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  )

const headerList = () =>
  wordList()
    .pipe(z.array(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+=/, 'a comma-separated list of name=value')))
    .transform((pairs) =>
      Object.fromEntries(
        pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
      ),
    )

const flag = () => z.enum(['true', 'false'], 'true or false').transform((word) => word === 'true')

const whichProxies = 'true, false, a number of proxies, or a comma-separated list of their addresses'
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** How many proxies, or which. */
const proxies = () =>
  z.union(
    [
      flag().transform((isTrue) => (isTrue ? 1 : (false as const))),
      whole(0, 100),
      wordList().pipe(z.array(network).min(1, whichProxies)),
    ],
    whichProxies,
  )

/** Of one host: the client does not know which of several is the primary; HAProxy does. */
const postgresUrl = () =>
  z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'an address that begins with postgres:// or postgresql://')
    .refine(
      (url) => !/^[^/]+\/\/([^@/]*@)?[^/?]*,/.test(url),
      'an address with one host; HAProxy in front of several finds the primary (docs/operations/database.md)',
    )

const path = () => z.string().transform((file) => resolve(file))

const portRange = () =>
  z
    .string()
    .regex(/^\d{1,5}-\d{1,5}$/, 'a range of ports, as in 10000-19999')
    .transform((range) => {
      const [from = 0, to = 0] = range.split('-').map(Number)
      return { from, to }
    })
    .refine(
      ({ from, to }) => from >= 1_024 && to <= 65_535 && to > from,
      'a range of at least two ports between 1024 and 65535',
    )

/** An IP address, with a port or without: 10.0.0.5:5060, [fd00::5]:5060. */
const hostAndPort = () =>
  z
    .string()
    .transform((text) => /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text))
    .transform((found) => ({ address: found?.[1] ?? found?.[2] ?? '', port: Number(found?.[3] ?? 5_060) }))
    .refine(
      ({ address, port }) => isIP(address) !== 0 && port > 0 && port <= 65_535,
      'an IP address and a port, as in 10.0.0.5:5060',
    )

/** Must be valid in an HTTP header: visible ASCII, no spaces. */
const key = () => z.string().regex(/^[\x21-\x7e]{8,256}$/, 'at least 8 visible characters without spaces')

const roles = ['api', 'worker', 'media', 'speech'] as const

const roleList = z
  .string()
  .transform((words) => words.split(',').map((word) => word.trim()))
  .pipe(z.array(z.enum(roles, `a comma-separated list of ${roles.join(', ')}`)).min(1))

const sttProtocols = [
  'openai',
  'deepgram',
  'assembly',
  'azure',
  'elevenlabs',
  'gladia',
  'sarvam',
  'soniox',
] as const
export type SttProtocol = (typeof sttProtocols)[number]

/** Vendors of language models by the names that agents use; `custom` is any server that speaks OpenAI's protocol. */
export const llmProviders = [
  'openai',
  'anthropic',
  'gemini',
  'azure',
  'groq',
  'together',
  'openrouter',
  'mistral',
  'deepseek',
  'ollama',
  'vllm',
  'llamacpp',
  'custom',
] as const
export type LlmProvider = (typeof llmProviders)[number]

/** A setting with a default, written as in the environment. */
const set = <Schema extends z.ZodType>(schema: Schema, preset: string, about: string) => ({
  schema: schema.prefault(preset as z.input<Schema>),
  preset,
  about,
})

/** An optional setting. */
const free = <Schema extends z.ZodType>(schema: Schema, about: string) => ({
  schema: schema.optional(),
  preset: undefined,
  about,
})

/** Visible characters: it is sent in a header. */
const vendorKey = (vendor: string) =>
  free(
    z.string().regex(/^[\x21-\x7e]+$/, 'visible characters without spaces'),
    `The key for ${vendor}, for agents that name the provider and bring no key of their own. It is sent to no other host.`,
  )

const speechKey = (vendor: string) =>
  free(
    z.string().regex(/^[\x21-\x7e]+$/, 'visible characters without spaces'),
    `The key for ${vendor}, for calls of workspaces that have stored none of their own. It is sent to no other host.`,
  )

export const settings = {
  PORT: set(whole(0, 65_535), '8080', 'Where the service listens. 0 takes any free port and prints it.'),
  HOST: set(z.string(), '0.0.0.0', 'The address it listens on. 127.0.0.1 keeps it to this machine.'),
  PARLEY_DATA_DIR: set(
    z.string().transform((path) => resolve(path)),
    './data',
    'Where the embedded database, the made secret, `first-run.json` and recordings live.',
  ),
  DATABASE_URL: free(
    postgresUrl(),
    'A PostgreSQL of your own, 14 or newer, or a pooler in front of it. Unset: the embedded server under `PARLEY_DATA_DIR`.',
  ),
  PARLEY_DATABASE_SESSION_URL: free(
    postgresUrl(),
    'PostgreSQL itself, if `DATABASE_URL` is a pooler in transaction mode such as PgBouncer: for migrations, notifications, locks and uploads, which need a session of their own ([more](operations/database.md)).',
  ),
  PARLEY_DATABASE_READ_URL: free(
    postgresUrl(),
    'A replica for lists and search. It is never behind what a user has seen: if it has not caught up within 200 ms, or is away, the primary answers ([more](operations/database.md)).',
  ),
  PARLEY_DATABASE_CONNECTIONS: set(
    whole(fewestConnections, 1000),
    '30',
    'Connections this process opens to the database at most, all included: one that listens, one that tells others that we are alive, a fifth for uploads, and the rest shared by requests and jobs. A replica gets as many as these share.',
  ),
  PARLEY_SECRET: free(
    z.string().min(8, 'at least 8 characters'),
    'Encrypts what is kept secret in the database; use 32 random characters or more. Made and kept in `PARLEY_DATA_DIR` by default; required with `DATABASE_URL`, and the same for every process.',
  ),
  PARLEY_SECRET_PREVIOUS: free(
    z.string().min(8, 'at least 8 characters'),
    'The secret before `PARLEY_SECRET`, while it is being replaced: what it has sealed and signed is still accepted. [How](operations/secrets.md).',
  ),
  PARLEY_WORKSPACE_ID: free(z.guid('a UUID'), 'The id of the first workspace, instead of a random one.'),
  PARLEY_API_KEY: free(
    key(),
    'An unbound API key with access to that workspace, instead of a random one. Changing it revokes the former.',
  ),
  PARLEY_WORKSPACE_API_KEY: free(
    key(),
    'An API key bound to that workspace, instead of a random one. Changing it revokes the former.',
  ),
  PARLEY_ADMIN_EMAIL: set(z.email('an e-mail address'), 'admin@parley.example', 'Signs in to the dashboard.'),
  PARLEY_ADMIN_PASSWORD: free(
    z.string().min(12, 'at least 12 characters').max(256, 'at most 256 characters'),
    'The password of that first user, instead of a random one. Read on the first start only.',
  ),
  PARLEY_RATE_LIMIT: set(whole(1, 100_000_000), '6000', 'Requests a minute that one API key may make.'),
  PARLEY_RATE_LIMIT_STORE: set(
    z.enum(['memory', 'postgres'], 'memory or postgres'),
    'memory',
    'Where requests are counted: `memory` counts in each process by itself; `postgres` shares one count between all processes, at the price of a query a request.',
  ),
  PARLEY_AUTH_FAILURE_LIMIT: set(
    whole(1, 100_000_000),
    '1000',
    'Failed authentications a minute that one client address may make in each process; more are answered 429. Valid keys from the same address go on working. Behind a reverse proxy, set `PARLEY_TRUST_PROXY` as well.',
  ),
  PARLEY_CALL_EVENT_DELAY_SECONDS: set(seconds(), '45', 'From the end of a call to its event.'),
  PARLEY_CALL_LOG_DAYS: set(
    whole(1, 36_500),
    '365',
    'How long the records of calls are kept. They are dropped in pieces of a sixth of it, so some stay that much longer.',
  ),
  PARLEY_ARCHIVE: set(
    flag(),
    'false',
    'Writes records of calls, and events with their deliveries, to compressed JSON lines before they are deleted: in S3 below `archive/`, else in `PARLEY_DATA_DIR`. What could not be written is not deleted.',
  ),
  PARLEY_RECORDING_DAYS: set(
    whole(1, 36_500),
    '90',
    'How long recordings are kept; never longer than the record of the call.',
  ),
  PARLEY_RECORDING_URL_SECONDS: set(
    whole(1, 315_360_000),
    '604800',
    'How long the signed address of a recording is valid. The one in an event cannot be renewed; every look at a call gives a new one.',
  ),
  PARLEY_INVITATION_HOURS: set(
    whole(1, 8_760),
    '72',
    'How long the link of an invitation to the dashboard is valid, and one to choose a new password.',
  ),
  PARLEY_PUBLIC_URL: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    'Where others reach the API, as in `https://voice.example.com`; recordings are given out below it. Unset: the address that this process listens on. Set it when you run more than one process or a proxy.',
  ),
  PARLEY_BROWSER_URL: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    'Where browsers reach the processes with the role `media`, as in `https://media.example.com`. Unset: `PARLEY_PUBLIC_URL`, or where the request for the call came.',
  ),
  PARLEY_BROWSER_ORIGINS: set(
    wordList(),
    '',
    'Sites of your own (as in `https://shop.example.com`, comma-separated) whose pages may join calls as well, with a token.',
  ),
  PARLEY_JOIN_SECONDS: set(
    seconds(),
    '120',
    'How long a browser may take to join the call that it has a token for.',
  ),
  PARLEY_MEDIA_CAPACITY: set(whole(1, 100_000), '100', 'Calls that this process runs at a time.'),
  PARLEY_MODELS_DIR: free(
    z.string().transform((path) => resolve(path)),
    'Where the weights of the offline speech engines are kept, some 100 MB and more; may be shared. Unset: `.cache/parley-models` in your home folder.',
  ),
  PARLEY_TTS: set(
    z
      .enum(['wren', 'kokoro', 'auto'], 'wren or kokoro')
      // A name for the default voice, whichever it is.
      .transform((engine) => (engine === 'auto' ? 'wren' : engine)),
    'wren',
    'The offline voice. `wren` speaks for many calls on one core; `kokoro` has more voices, takes most of a core for a single call, and its weights are fetched by `make models`.',
  ),
  PARLEY_SPEECH_THREADS: free(
    whole(1, 256),
    'Threads of the offline recognizer, and again of the voice. Unset: half of the cores.',
  ),
  PARLEY_TRANSCRIBE_THREADS: free(
    whole(1, 256),
    'Threads of the offline recognizer of recordings. They give way to calls wherever both want the same core. Unset: all cores but one.',
  ),
  PARLEY_WHISPER: set(
    z.enum(['base', 'small'], 'base or small'),
    'base',
    'The offline recognizer of other languages than English, in calls and recordings. `small` gets fewer words wrong and takes two to three times as long; its weights are 165 MB.',
  ),
  PARLEY_WARM_ENGINES: free(
    flag(),
    'Loads the offline engines at the start instead of with the first call: half a gigabyte sooner, a second of waiting less. Unset: `true` with `PARLEY_SIP_PORT`, because a telephone that was answered should not be silent; else `false`.',
  ),
  PARLEY_ENGINE_IDLE_MINUTES: set(
    minutes(),
    '10',
    'An offline engine that was not used for this long gives back its threads and its memory, and is loaded again when it is needed. 0 keeps it for good; with `PARLEY_WARM_ENGINES` the engines of calls are always kept.',
  ),
  PARLEY_SANDBOX: set(
    z.enum(['numbers', 'all', 'off'], 'numbers, all or off'),
    'numbers',
    'Which calls are simulated instead of dialled. `numbers`: those to the numbers of the sandbox, which begin with `+15550`; `all`: every call, whatever its number; `off`: none. A call that is neither simulated nor has a telephone line is refused when it is created. Set it alike for all processes.',
  ),
  PARLEY_SIP_PORT: free(
    whole(0, 65_535),
    'Telephones and SIP trunks reach us at this port, over UDP and TCP; usually 5060. 0 takes any free port and prints it. Unset: there is no telephone line.',
  ),
  PARLEY_SIP_TLS_PORT: free(
    whole(0, 65_535),
    'The same over TLS; usually 5061. Needs the certificate and the key below.',
  ),
  PARLEY_SIP_TLS_CERT: free(path(), 'The file of the certificate, with those of its authorities, in PEM.'),
  PARLEY_SIP_TLS_KEY: free(path(), 'The file of its key, in PEM.'),
  PARLEY_SIP_ADDRESS: free(
    z.union([z.ipv4(), z.ipv6()], 'an IP address'),
    'The public address that telephones and trunks are told, behind a NAT or in a container. Unset: the one of this machine that faces them.',
  ),
  PARLEY_SIP_EDGE: free(
    hostAndPort(),
    'The SIP proxy in front of several processes, as in `10.0.0.5:5060` (`deploy/edge/`). Calls and registrations of ours go through it, and whoever comes through it is known by the address in its `X-Parley-Source`, so nobody else may reach the port of this process. Unset: telephones and trunks reach this process itself.',
  ),
  PARLEY_SIP_ALLOW: set(
    wordList().pipe(z.array(network, 'a comma-separated list of addresses and networks')),
    '127.0.0.0/8,::1/128',
    'Addresses and networks whose telephones may call `sip:<agent_id>@host` without a trunk, as in `127.0.0.0/8,192.168.1.0/24`. Whoever is not listed, and comes from no trunk, gets no answer, or is asked for a user and a password if a number has `inbound_users`.',
  ),
  PARLEY_SIP_DIGEST: set(
    wordList().pipe(
      z.array(z.enum(['md5', 'sha-256']), 'md5, sha-256 or both').min(1, 'md5, sha-256 or both'),
    ),
    'md5',
    'How telephones that log in prove their password, strongest first: `md5`, `sha-256`, or `sha-256,md5`. Some telephones do not log in at all where `sha-256` is offered, even beside `md5`. Neither hides a weak password from whoever listens: TLS does.',
  ),
  PARLEY_RTP_PORTS: set(
    portRange(),
    '10000-19999',
    'The UDP ports for the sound of telephone calls, two for each; open them in the firewall.',
  ),
  PARLEY_TURN_URLS: set(
    wordList().pipe(
      z.array(z.string().regex(/^turns?:[^\s/]+$/, 'a comma-separated list of turn: and turns: addresses')),
    ),
    '',
    'A TURN relay for browsers, as in `turn:turn.example.com:3478,turn:turn.example.com:3478?transport=tcp,turns:turn.example.com:5349` (`deploy/edge/`), where they cannot send UDP to this process: it has no public address, or their network lets none out. Empty: such calls go over the WebSocket.',
  ),
  PARLEY_TURN_SECRET: free(
    z.string().min(16, 'at least 16 characters'),
    'The `static-auth-secret` of that relay. Required with `PARLEY_TURN_URLS`; browsers get credentials for one call.',
  ),
  PARLEY_ENGINE_FALLBACK: set(
    z.enum(['embedded', 'fail'], 'embedded or fail'),
    'embedded',
    'When an agent names a speech vendor that has no credentials here: `embedded` speaks and listens with the offline engines and says so in the record of the call; `fail` ends the call with the reason.',
  ),
  PARLEY_WORKSPACE_CONCURRENCY: set(
    whole(1, 1_000_000),
    '100',
    'Calls of one workspace at a time, over all processes; others wait.',
  ),
  PARLEY_NUMBER_CONCURRENCY: set(
    whole(1, 1_000_000),
    '50',
    'Of these, calls of one telephone number of the workspace, in both directions together; a number may have a lower limit of its own.',
  ),
  PARLEY_SPEECH_CACHE_MB: set(
    whole(0, 1_000_000),
    '1024',
    'How much speech of vendors is kept, over all processes: the greetings and fixed sentences of agents, in `PARLEY_DATA_DIR` or the S3-compatible store. What was used least recently makes room. 0: none.',
  ),
  PARLEY_S3_BUCKET: free(
    z.string().min(3, 'the name of a bucket'),
    'Keeps recordings in this bucket of an S3-compatible store instead of `PARLEY_DATA_DIR`. Needs the two keys below.',
  ),
  PARLEY_S3_ENDPOINT: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    "The store's address. Unset: Amazon's own.",
  ),
  PARLEY_S3_REGION: set(z.string(), 'us-east-1', 'The region of the bucket.'),
  PARLEY_S3_ACCESS_KEY_ID: free(z.string(), 'Who we are to the store.'),
  PARLEY_S3_SECRET_ACCESS_KEY: free(z.string(), 'Proves it.'),
  PARLEY_S3_PREFIX: set(z.string(), 'recordings/', 'Comes before the name of everything that is kept there.'),
  PARLEY_WEBHOOK_BACKOFF_SECONDS: set(
    seconds(),
    '5',
    'From the first failed delivery to the second attempt; doubles after that.',
  ),
  PARLEY_WEBHOOK_TIMEOUT_SECONDS: set(
    seconds(),
    '10',
    'One delivery attempt, from the name look-up to the status of the answer.',
  ),
  PARLEY_WEBHOOK_ALLOW_PRIVATE: set(
    flag(),
    'false',
    'Lets webhooks reach private addresses and plain http. For development only.',
  ),
  PARLEY_WEBHOOK_LOG_DAYS: set(
    whole(1, 3650),
    '30',
    'How long events and deliveries are kept to be looked at and sent again, or up to a sixth longer.',
  ),
  PARLEY_TRUSTED_HOSTS: set(
    wordList(),
    '',
    'Private hosts (host or host:port, comma-separated) that users of the API may name as well: a model server, tools, the PBX behind a telephone number.',
  ),
  PARLEY_LLM_PROVIDER: free(
    z.enum(llmProviders, `one of ${llmProviders.join(', ')}`),
    'Who serves the language model of all agents that name none of their own: `openai`, `anthropic`, `gemini`, `azure`, `groq`, `together`, `openrouter`, `mistral`, `deepseek`, `ollama`, `vllm`, `llamacpp`, or `custom` for any other server with OpenAI’s chat completions. Unset: as the host of `PARLEY_LLM_BASE_URL` tells. Both unset: the built-in dialogue policy answers.',
  ),
  PARLEY_LLM_BASE_URL: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    'Where that server is, as in `http://localhost:11434/v1`. Unset: the provider’s own address; `azure` and `custom` have none.',
  ),
  PARLEY_LLM_MODEL: set(
    wordList(),
    '',
    'The model that is asked there when an agent names none; of `azure`, the deployment. Further ones, comma-separated, are asked when it fails.',
  ),
  PARLEY_LLM_API_KEY: free(
    z.string().regex(/^[\x21-\x7e]+$/, 'visible characters without spaces'),
    'The key for that server. It is sent to no other. Unset: the one below of its provider.',
  ),
  PARLEY_EMBEDDINGS_BASE_URL: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    'A server that speaks OpenAI’s embeddings, as in `http://localhost:11434/v1`, for the knowledge base. Unset: the built-in embedder, which knows English best. With another embedder all documents are indexed again.',
  ),
  PARLEY_EMBEDDINGS_MODEL: free(
    z.string(),
    'The model that is asked there, such as `nomic-embed-text`. Required with `PARLEY_EMBEDDINGS_BASE_URL`.',
  ),
  PARLEY_EMBEDDINGS_API_KEY: free(
    z.string().regex(/^[\x21-\x7e]+$/, 'visible characters without spaces'),
    'The key for that server. It is sent to no other.',
  ),
  PARLEY_KNOWLEDGE_MEMORY_MB: set(
    whole(1, 1_000_000),
    '512',
    'How much memory the words and vectors of the knowledge base may take in a process: about 50 MB for 100,000 passages. Repositories are loaded when they are asked and leave when they are idle (`PARLEY_ENGINE_IDLE_MINUTES`) or others need the room.',
  ),
  PARLEY_LLM_API_VERSION: free(
    z.string().regex(/^[\w.-]+$/, 'a version, as in 2024-10-21'),
    'The version of the interface of `azure`. Unset: `2024-10-21`.',
  ),
  PARLEY_OPENAI_API_KEY: vendorKey('OpenAI'),
  PARLEY_ANTHROPIC_API_KEY: vendorKey('Anthropic'),
  PARLEY_GEMINI_API_KEY: vendorKey('Gemini'),
  PARLEY_GROQ_API_KEY: vendorKey('Groq'),
  PARLEY_TOGETHER_API_KEY: vendorKey('Together AI'),
  PARLEY_OPENROUTER_API_KEY: vendorKey('OpenRouter'),
  PARLEY_MISTRAL_API_KEY: vendorKey('Mistral'),
  PARLEY_DEEPSEEK_API_KEY: vendorKey('DeepSeek'),
  PARLEY_DEEPGRAM_API_KEY: speechKey('Deepgram'),
  PARLEY_ELEVENLABS_API_KEY: speechKey('ElevenLabs'),
  PARLEY_AZURE_SPEECH_KEY: speechKey('Azure Speech'),
  PARLEY_AZURE_SPEECH_REGION: free(
    z.string().regex(/^[a-z0-9-]+$/, 'a region, as in westeurope'),
    'The region of that key, as in `westeurope`.',
  ),
  PARLEY_GOOGLE_SERVICE_ACCOUNT: free(
    z.string(),
    'The key file of a service account of Google Cloud, as JSON, for the voices of Google and Gemini and for Google’s recognition.',
  ),
  PARLEY_POLLY_ACCESS_KEY_ID: speechKey('Amazon Polly, its id'),
  PARLEY_POLLY_SECRET_ACCESS_KEY: speechKey('Amazon Polly'),
  PARLEY_POLLY_REGION: free(
    z.string().regex(/^[a-z0-9-]+$/, 'a region, as in eu-central-1'),
    'The region of Amazon Polly, as in `eu-central-1`.',
  ),
  PARLEY_CARTESIA_API_KEY: speechKey('Cartesia'),
  PARLEY_RIME_API_KEY: speechKey('Rime'),
  PARLEY_SMALLEST_API_KEY: speechKey('Smallest AI'),
  PARLEY_SARVAM_API_KEY: speechKey('Sarvam AI'),
  PARLEY_PIXA_API_KEY: speechKey('Pixa'),
  PARLEY_ASSEMBLY_API_KEY: speechKey('AssemblyAI'),
  PARLEY_GLADIA_API_KEY: speechKey('Gladia'),
  PARLEY_SONIOX_API_KEY: speechKey('Soniox'),
  PARLEY_WHISPER_API_KEY: speechKey('a server that speaks OpenAI’s transcription'),
  PARLEY_VENDOR_BASE_URLS: set(
    wordList(),
    '',
    'Where vendors of speech are instead of at their own hosts: `name=address`, comma-separated, as in `whisper=http://localhost:8000,deepgram=https://api.eu.deepgram.com`. The keys above are sent there.',
  ),
  PARLEY_STT_PROTOCOL: free(
    z.enum(sttProtocols, `one of ${sttProtocols.join(', ')}`),
    'The vendor that transcribes recordings: `openai`, `deepgram`, `assembly`, `azure`, `elevenlabs`, `gladia`, `sarvam` or `soniox`. `openai` is any server with `POST /audio/transcriptions`, and what is meant when only `PARLEY_STT_BASE_URL` is set. Both unset: the offline engine does.',
  ),
  PARLEY_STT_BASE_URL: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    "Where that vendor is, as in `http://localhost:8000/v1`. Unset: the vendor's own address; `azure` has none, and needs that of your resource, as in `https://westeurope.api.cognitive.microsoft.com`.",
  ),
  PARLEY_STT_MODEL: free(
    z.string(),
    'The model that is asked for there. Unset: `whisper-1` of `openai`, `nova-3` of `deepgram`, `universal-3-5-pro,universal-2` of `assembly`, `scribe_v2` of `elevenlabs`, `solaria-1` of `gladia`, `stt-async-v5` of `soniox`, `saaras:v3` of `sarvam`; `azure` takes none.',
  ),
  PARLEY_STT_API_KEY: free(
    z.string().regex(/^[\x21-\x7e]+$/, 'visible characters without spaces'),
    'The key for that vendor. It is sent to no other.',
  ),
  PARLEY_SPEECH_CONCURRENCY: set(whole(1, 1000), '4', 'Recordings that this process transcribes at a time.'),
  PARLEY_SPEECH_MAX_HOURS: set(whole(1, 1000), '10', 'The longest recording that is transcribed.'),
  PARLEY_SPEECH_SYNC_SECONDS: set(
    seconds(),
    '300',
    'How long `POST /v1/transcripts/sync` waits. Then it answers with what there is, and the transcription goes on.',
  ),
  PARLEY_UPLOAD_MAX_MB: set(
    whole(1, 1_000_000),
    '2048',
    'The largest file that is taken in, or fetched from an `audio_url`.',
  ),
  PARLEY_UPLOAD_SECONDS: set(
    whole(1, 86_400),
    '3600',
    'How long an upload, or fetching an `audio_url`, may take.',
  ),
  PARLEY_FILE_DAYS: set(whole(1, 36_500), '7', 'How long uploaded files are kept.'),
  PARLEY_TRANSCRIPT_DAYS: set(whole(1, 36_500), '365', 'How long transcripts are kept.'),
  PARLEY_FFMPEG_DIR: free(
    z.string().transform((path) => resolve(path)),
    'The folder of `ffmpeg` and `ffprobe`. Unset: where systems put them. Without them only plain WAV is read.',
  ),
  PARLEY_TRUST_PROXY: set(
    proxies(),
    'false',
    'Believe X-Forwarded-For and X-Forwarded-Proto of the reverse proxy in front, and only there: `true` for one proxy, a number for that many in a row, or the addresses and networks of the proxies, comma-separated. What a client wrote into X-Forwarded-For itself is not believed.',
  ),
  PARLEY_ROLES: set(roleList, roles.join(','), 'What this process serves, comma-separated.'),
  PARLEY_DRAIN_SECONDS: set(
    seconds(),
    '30',
    'How long a stopping process waits for requests and calls that are under way. Telephone calls that are left then go on in another process, if one has room; the others end as `worker_lost`.',
  ),
  PARLEY_SHUTDOWN_DELAY_SECONDS: set(
    seconds(),
    '0',
    'Before that: how long a stopping process still takes requests and calls from browsers, while `/readyz` says `draining` already. As long as your load balancer needs to notice, so that none of its requests is refused.',
  ),
  PARLEY_OTLP_ENDPOINT: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    'An OpenTelemetry collector, as in `http://localhost:4318`: traces of calls and requests and all metrics are sent to it over OTLP. Unset: nowhere.',
  ),
  PARLEY_OTLP_HEADERS: set(
    headerList(),
    '',
    'Headers for the collector, comma-separated, as in `authorization=Bearer abc,x-tenant=voice`.',
  ),
  PARLEY_TRACE_SHARE: set(
    z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'a number between 0 and 1')
      .transform(Number),
    '1',
    'Of the calls and requests, how many are traced: `0.1` is one in ten, each as a whole.',
  ),
  PARLEY_LOG_LEVEL: set(
    z.enum(['debug', 'info', 'warn', 'error', 'silent'], 'debug, info, warn, error or silent'),
    'info',
    'How much is logged.',
  ),
  PARLEY_LOG_FORMAT: set(
    z.enum(['auto', 'json', 'pretty'], 'auto, json or pretty'),
    'auto',
    '`auto` is pretty on a terminal and JSON elsewhere.',
  ),
}
