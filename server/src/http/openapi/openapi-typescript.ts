// A few lines of TypeScript for each operation, with the client library and from the operation's example.
import type { Operation, transcriptAddresses, voiceAddresses } from '@parley/contract'
import { sampleFile, sampleOrigin } from './openapi-curl.ts'
import type { Client, Face } from './openapi-face.ts'

const watched = (events: string): string =>
  `for await (const { type, data } of ${events}) {\n  console.log(type, data)\n}`

// `<query>` stands for that part of the operation's example.
const parleyCalls = {
  createAgent: 'const { agent_id } = await parley.agents.create(<body.agent_config>)',
  listAgents: 'const { data, pagination } = await parley.agents.list(<query>)',
  getAgent: 'const agent = await parley.agents.get(<params.id>)',
  updateAgent: 'const agent = await parley.agents.update(<params.id>, <body.agent_config>)',
  deleteAgent: 'await parley.agents.delete(<params.id>)',
  getAgentGraph: 'const { nodes, version } = await parley.agents.graph(<params.id>)',
  putAgentGraph: 'const { version, faults } = await parley.agents.putGraph(<params.id>, <body>)',
  listAgentVersions: 'const { data, pagination } = await parley.agents.versions(<params.id>)',
  getAgentVersion: 'const { diff } = await parley.agents.version(<params.id>, <params.version>, <query>)',
  restoreAgentVersion: 'const agent = await parley.agents.restore(<params.id>, <params.version>)',

  placeCall: 'const { session_id } = await parley.calls.place(<body>)',
  startWebCall: 'const { url, token } = await parley.calls.startWeb(<body>)',
  listCalls: 'const { data, pagination } = await parley.calls.list(<query>)',
  getCall: 'const call = await parley.calls.get(<params.session_id>)',
  getQuality: 'const { average_score, days } = await parley.calls.quality(<query>)',
  getCallSip: 'const { messages } = await parley.calls.sip(<params.session_id>)',
  listCallDeliveries: 'const { deliveries } = await parley.calls.deliveries(<params.session_id>)',
  listCallPassages: 'const { passages } = await parley.calls.passages(<params.session_id>)',
  shareCall: 'const { url } = await parley.calls.share(<params.session_id>, <body>)',
  getCallOverview: 'const { calls, answered } = await parley.calls.overview(<query>)',
  stopCall: 'const { call_status } = await parley.calls.stop(<params.session_id>)',
  watchCall: watched('parley.calls.watch(<params.session_id>)'),

  createBatch: 'const { batch_id } = await parley.batches.create(<body>)',
  listBatches: 'const { data, pagination } = await parley.batches.list(<query>)',
  getBatch: 'const batch = await parley.batches.get(<params.id>)',
  updateBatch: 'const batch = await parley.batches.update(<params.id>, <body>)',
  deleteBatch: 'await parley.batches.delete(<params.id>)',
  listRecipients: 'const { data, pagination } = await parley.batches.recipients(<params.id>, <query>)',
  executeBatch: 'const message = await parley.batches.execute(<params.id>)',
  pauseBatch: 'const message = await parley.batches.pause(<params.id>)',
  resumeBatch: 'const message = await parley.batches.resume(<params.id>)',
  cancelBatch: 'const message = await parley.batches.cancel(<params.id>)',
  watchBatch: watched('parley.batches.watch(<params.id>)'),
  getBatchResults:
    'const response = await parley.batches.results(<params.id>)\nconst csv = await response.text()',

  createPhoneNumber: 'const { phone_number_id } = await parley.phoneNumbers.create(<body>)',
  listPhoneNumbers: 'const { data, pagination } = await parley.phoneNumbers.list(<query>)',
  getPhoneNumber: 'const number = await parley.phoneNumbers.get(<params.id>)',
  updatePhoneNumber: 'const number = await parley.phoneNumbers.update(<params.id>, <body>)',
  deletePhoneNumber: 'await parley.phoneNumbers.delete(<params.id>)',
  checkPhoneNumber: 'const { ok, message } = await parley.phoneNumbers.check(<params.id>)',

  createRepository: 'const { repository_id } = await parley.knowledge.create(<body>)',
  listRepositories: 'const { data, pagination } = await parley.knowledge.list(<query>)',
  getRepository: 'const repository = await parley.knowledge.get(<params.id>)',
  updateRepository: 'const repository = await parley.knowledge.update(<params.id>, <body>)',
  deleteRepository: 'await parley.knowledge.delete(<params.id>)',
  addDocument: 'const { document_id } = await parley.knowledge.addDocument(<params.id>, <body>)',
  listDocuments: 'const { data, pagination } = await parley.knowledge.documents(<params.id>, <query>)',
  getDocument: 'const document = await parley.knowledge.document(<params.id>, <params.document_id>)',
  reindexDocument: 'const document = await parley.knowledge.reindex(<params.id>, <params.document_id>)',
  deleteDocument: 'await parley.knowledge.deleteDocument(<params.id>, <params.document_id>)',
  searchRepository: 'const passages = await parley.knowledge.search(<params.id>, <body>)',
  createPronunciation: 'const { pronunciation_id } = await parley.pronunciations.create(<body>)',
  listPronunciations: 'const { data, pagination } = await parley.pronunciations.list(<query>)',
  getPronunciation: 'const entry = await parley.pronunciations.get(<params.id>)',
  updatePronunciation: 'const entry = await parley.pronunciations.update(<params.id>, <body>)',
  deletePronunciation: 'await parley.pronunciations.delete(<params.id>)',
  listCredentials: 'const { vendors } = await parley.credentials.list()',
  getCredentials: 'const { source, last_check } = await parley.credentials.get(<params.vendor>)',
  putCredentials: 'const { last_check } = await parley.credentials.put(<params.vendor>, <body>)',
  deleteCredentials: 'await parley.credentials.delete(<params.vendor>)',
  checkCredentials: 'const { ok, message } = await parley.credentials.check(<params.vendor>)',
  createTool: 'const { tool_id } = await parley.tools.create(<body>)',
  listTools: 'const { data, pagination } = await parley.tools.list(<query>)',
  getTool: 'const tool = await parley.tools.get(<params.id>)',
  updateTool: 'const tool = await parley.tools.update(<params.id>, <body>)',
  deleteTool: 'await parley.tools.delete(<params.id>)',
  tryTool: 'const { ok, faults } = await parley.tools.try(<params.id>, <body>)',

  createWebhook: 'const { webhook_id, secret } = await parley.webhooks.create(<body>)',
  listWebhooks: 'const { data, pagination } = await parley.webhooks.list(<query>)',
  getWebhook: 'const webhook = await parley.webhooks.get(<params.id>)',
  updateWebhook: 'const webhook = await parley.webhooks.update(<params.id>, <body>)',
  deleteWebhook: 'await parley.webhooks.delete(<params.id>)',
  testWebhook: 'const { status, http_status } = await parley.webhooks.test(<params.id>)',
  rotateWebhookSecret: 'const { secret } = await parley.webhooks.rotateSecret(<params.id>)',
  listDeliveries: 'const { data, pagination } = await parley.webhooks.deliveries(<params.id>, <query>)',
  getDelivery: 'const delivery = await parley.webhooks.delivery(<params.id>, <params.delivery_id>)',
  replayDelivery: 'const { delivery_id } = await parley.webhooks.replay(<params.id>, <params.delivery_id>)',
  getUsage: 'const { totals, data } = await parley.usage.get(<query>)',
  getConcurrency: 'const { in_use, remaining } = await parley.usage.concurrency()',
  getUsageLimits: 'const { minutes_per_day, reached } = await parley.usage.limits()',
  getPublicPrices: 'const { as_of, rows } = await parley.usage.publicPrices()',
  getUsagePrices: 'const prices = await parley.usage.prices()',
  listNotices: 'const { data, pagination } = await parley.usage.notices()',
  getCaller: 'const caller = await parley.callers.get(<params.number>)',
  eraseCaller: 'const { erasure_id } = await parley.callers.erase(<params.number>)',
  getErasure: 'const { status, removed } = await parley.callers.erasure(<params.id>)',
  listErasures: 'const { data, pagination } = await parley.callers.erasures()',
  listVoices: 'const voices = await parley.voices.list()',
  listModels: 'const { default: model, providers } = await parley.models.list()',
} satisfies Record<keyof typeof voiceAddresses, string>

const speechCalls = {
  uploadFile: `const { file_id } = await speech.upload(await openAsBlob('${sampleFile}'))`,
  getFile: 'const file = await speech.file(<params.id>)',
  deleteFile: 'await speech.deleteFile(<params.id>)',
  createTranscript: 'const { transcript_id } = await speech.create(<body>)',
  transcribeNow: 'const transcript = await speech.createAndWait(<body>)',
  listTranscripts: 'const { data, pagination } = await speech.list(<query>)',
  getTranscript: 'const transcript = await speech.get(<params.id>)',
  deleteTranscript: 'await speech.delete(<params.id>)',
  getTranscriptCorrections: 'const { speakers, segments } = await speech.corrections(<params.id>)',
  putTranscriptCorrections: 'const { version } = await speech.putCorrections(<params.id>, <body>)',
  getCallbackSecret: 'const { secret } = await speech.callbackSecret()',
  rotateCallbackSecret: 'const { secret } = await speech.rotateCallbackSecret()',
} satisfies Record<keyof typeof transcriptAddresses, string>

const openingOf = (name: string, variable: string, path: string): string =>
  `import { ${name} } from '@parley/sdk'

const ${variable} = new ${name}({ baseUrl: '${sampleOrigin}${path}', apiKey: process.env.KEY ?? '' })`

export const parleyClient: Client = {
  statements: parleyCalls,
  opening: openingOf('Parley', 'parley', '/agent/v1'),
}

export const speechClient: Client = {
  statements: speechCalls,
  opening: openingOf('SpeechToText', 'speech', '/v1'),
}

/** Undefined for an operation that the client library does not have. */
export function typescriptSample({ id, example }: Operation, { client }: Face): string | undefined {
  const statement = client.statements[id]?.replaceAll(/<([\w.]+)>/g, (_, path: string) =>
    literal(valueAt(example, path)),
  )
  if (statement === undefined) return undefined
  const imports = statement.includes('openAsBlob') ? `import { openAsBlob } from 'node:fs'\n` : ''
  return `${imports}${client.opening}\n${statement}\n`
}

const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value)

// Longer literals are easier to read on several lines.
const oneLine = 60

/** Writes JSON as TypeScript does. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`
  if (typeof value !== 'object' || value === null) return String(value)
  const inside = `${indent}  `
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item) => literal(item, inside))]
    : ['{', '}', Object.entries(value).map(([key, item]) => `${nameOf(key)}: ${literal(item, inside)}`)]
  const short = open === '{' ? `{ ${parts.join(', ')} }` : `[${parts.join(', ')}]`
  if (parts.length === 0) return open + close
  if (short.length <= oneLine && !short.includes('\n')) return short
  return `${open}\n${parts.map((part) => `${inside}${part},\n`).join('')}${indent}${close}`
}

const nameOf = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`)
