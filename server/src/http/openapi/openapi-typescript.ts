// A few lines of TypeScript for each operation, with the client library and from the operation's example.
import type { Operation, transcriptAddresses, voiceAddresses } from '@parley/contract'
import { sampleFile, sampleOrigin } from './openapi-curl.ts'
import type { Client, Face, SampleStatement } from './openapi-face.ts'

const parleyCalls = {
  createAgent: (at) => `const { agent_id } = await parley.agents.create(${at('body.agent_config')})`,
  listAgents: (at) => `const { data, pagination } = await parley.agents.list(${at('query')})`,
  getAgent: (at) => `const agent = await parley.agents.get(${at('params.id')})`,
  updateAgent: (at) =>
    `const agent = await parley.agents.update(${at('params.id')}, ${at('body.agent_config')})`,
  deleteAgent: (at) => `await parley.agents.delete(${at('params.id')})`,
  getAgentGraph: (at) => `const { nodes, version } = await parley.agents.graph(${at('params.id')})`,
  putAgentGraph: (at) =>
    `const { version, faults } = await parley.agents.putGraph(${at('params.id')}, ${at('body')})`,
  listAgentVersions: (at) => `const { data, pagination } = await parley.agents.versions(${at('params.id')})`,
  getAgentVersion: (at) =>
    `const { diff } = await parley.agents.version(${at('params.id')}, ${at('params.version')}, ${at('query')})`,
  restoreAgentVersion: (at) =>
    `const agent = await parley.agents.restore(${at('params.id')}, ${at('params.version')})`,

  placeCall: (at) => `const { session_id } = await parley.calls.place(${at('body')})`,
  startWebCall: (at) => `const { url, token } = await parley.calls.startWeb(${at('body')})`,
  listCalls: (at) => `const { data, pagination } = await parley.calls.list(${at('query')})`,
  getCall: (at) => `const call = await parley.calls.get(${at('params.session_id')})`,
  getQuality: (at) => `const { average_score, days } = await parley.calls.quality(${at('query')})`,
  getCallSip: (at) => `const { messages } = await parley.calls.sip(${at('params.session_id')})`,
  listCallDeliveries: (at) =>
    `const { deliveries } = await parley.calls.deliveries(${at('params.session_id')})`,
  listCallPassages: (at) => `const { passages } = await parley.calls.passages(${at('params.session_id')})`,
  shareCall: (at) => `const { url } = await parley.calls.share(${at('params.session_id')}, ${at('body')})`,
  getCallOverview: (at) => `const { calls, answered } = await parley.calls.overview(${at('query')})`,
  stopCall: (at) => `const { call_status } = await parley.calls.stop(${at('params.session_id')})`,
  watchCall: (at) => watched(`parley.calls.watch(${at('params.session_id')})`),

  createBatch: (at) => `const { batch_id } = await parley.batches.create(${at('body')})`,
  listBatches: (at) => `const { data, pagination } = await parley.batches.list(${at('query')})`,
  getBatch: (at) => `const batch = await parley.batches.get(${at('params.id')})`,
  updateBatch: (at) => `const batch = await parley.batches.update(${at('params.id')}, ${at('body')})`,
  deleteBatch: (at) => `await parley.batches.delete(${at('params.id')})`,
  listRecipients: (at) =>
    `const { data, pagination } = await parley.batches.recipients(${at('params.id')}, ${at('query')})`,
  executeBatch: (at) => `const message = await parley.batches.execute(${at('params.id')})`,
  pauseBatch: (at) => `const message = await parley.batches.pause(${at('params.id')})`,
  resumeBatch: (at) => `const message = await parley.batches.resume(${at('params.id')})`,
  cancelBatch: (at) => `const message = await parley.batches.cancel(${at('params.id')})`,
  watchBatch: (at) => watched(`parley.batches.watch(${at('params.id')})`),
  getBatchResults: (at) =>
    `const response = await parley.batches.results(${at('params.id')})\nconst csv = await response.text()`,

  createPhoneNumber: (at) => `const { phone_number_id } = await parley.phoneNumbers.create(${at('body')})`,
  listPhoneNumbers: (at) => `const { data, pagination } = await parley.phoneNumbers.list(${at('query')})`,
  getPhoneNumber: (at) => `const number = await parley.phoneNumbers.get(${at('params.id')})`,
  updatePhoneNumber: (at) =>
    `const number = await parley.phoneNumbers.update(${at('params.id')}, ${at('body')})`,
  deletePhoneNumber: (at) => `await parley.phoneNumbers.delete(${at('params.id')})`,
  checkPhoneNumber: (at) => `const { ok, message } = await parley.phoneNumbers.check(${at('params.id')})`,

  createRepository: (at) => `const { repository_id } = await parley.knowledge.create(${at('body')})`,
  listRepositories: (at) => `const { data, pagination } = await parley.knowledge.list(${at('query')})`,
  getRepository: (at) => `const repository = await parley.knowledge.get(${at('params.id')})`,
  updateRepository: (at) =>
    `const repository = await parley.knowledge.update(${at('params.id')}, ${at('body')})`,
  deleteRepository: (at) => `await parley.knowledge.delete(${at('params.id')})`,
  addDocument: (at) =>
    `const { document_id } = await parley.knowledge.addDocument(${at('params.id')}, ${at('body')})`,
  listDocuments: (at) =>
    `const { data, pagination } = await parley.knowledge.documents(${at('params.id')}, ${at('query')})`,
  getDocument: (at) =>
    `const document = await parley.knowledge.document(${at('params.id')}, ${at('params.document_id')})`,
  reindexDocument: (at) =>
    `const document = await parley.knowledge.reindex(${at('params.id')}, ${at('params.document_id')})`,
  deleteDocument: (at) =>
    `await parley.knowledge.deleteDocument(${at('params.id')}, ${at('params.document_id')})`,
  searchRepository: (at) =>
    `const passages = await parley.knowledge.search(${at('params.id')}, ${at('body')})`,
  createPronunciation: (at) =>
    `const { pronunciation_id } = await parley.pronunciations.create(${at('body')})`,
  listPronunciations: (at) => `const { data, pagination } = await parley.pronunciations.list(${at('query')})`,
  getPronunciation: (at) => `const entry = await parley.pronunciations.get(${at('params.id')})`,
  updatePronunciation: (at) =>
    `const entry = await parley.pronunciations.update(${at('params.id')}, ${at('body')})`,
  deletePronunciation: (at) => `await parley.pronunciations.delete(${at('params.id')})`,
  listCredentials: () => 'const { vendors } = await parley.credentials.list()',
  getCredentials: (at) =>
    `const { source, last_check } = await parley.credentials.get(${at('params.vendor')})`,
  putCredentials: (at) =>
    `const { last_check } = await parley.credentials.put(${at('params.vendor')}, ${at('body')})`,
  deleteCredentials: (at) => `await parley.credentials.delete(${at('params.vendor')})`,
  checkCredentials: (at) => `const { ok, message } = await parley.credentials.check(${at('params.vendor')})`,
  createTool: (at) => `const { tool_id } = await parley.tools.create(${at('body')})`,
  listTools: (at) => `const { data, pagination } = await parley.tools.list(${at('query')})`,
  getTool: (at) => `const tool = await parley.tools.get(${at('params.id')})`,
  updateTool: (at) => `const tool = await parley.tools.update(${at('params.id')}, ${at('body')})`,
  deleteTool: (at) => `await parley.tools.delete(${at('params.id')})`,
  tryTool: (at) => `const { ok, faults } = await parley.tools.try(${at('params.id')}, ${at('body')})`,

  createWebhook: (at) => `const { webhook_id, secret } = await parley.webhooks.create(${at('body')})`,
  listWebhooks: (at) => `const { data, pagination } = await parley.webhooks.list(${at('query')})`,
  getWebhook: (at) => `const webhook = await parley.webhooks.get(${at('params.id')})`,
  updateWebhook: (at) => `const webhook = await parley.webhooks.update(${at('params.id')}, ${at('body')})`,
  deleteWebhook: (at) => `await parley.webhooks.delete(${at('params.id')})`,
  testWebhook: (at) => `const { status, http_status } = await parley.webhooks.test(${at('params.id')})`,
  rotateWebhookSecret: (at) => `const { secret } = await parley.webhooks.rotateSecret(${at('params.id')})`,
  listDeliveries: (at) =>
    `const { data, pagination } = await parley.webhooks.deliveries(${at('params.id')}, ${at('query')})`,
  getDelivery: (at) =>
    `const delivery = await parley.webhooks.delivery(${at('params.id')}, ${at('params.delivery_id')})`,
  replayDelivery: (at) =>
    `const { delivery_id } = await parley.webhooks.replay(${at('params.id')}, ${at('params.delivery_id')})`,
  getUsage: (at) => `const { totals, data } = await parley.usage.get(${at('query')})`,
  getConcurrency: () => 'const { in_use, remaining } = await parley.usage.concurrency()',
  getUsageLimits: () => 'const { minutes_per_day, reached } = await parley.usage.limits()',
  getPublicPrices: () => 'const { as_of, rows } = await parley.usage.publicPrices()',
  getUsagePrices: () => 'const prices = await parley.usage.prices()',
  listNotices: () => 'const { data, pagination } = await parley.usage.notices()',
  getCaller: (at) => `const caller = await parley.callers.get(${at('params.number')})`,
  eraseCaller: (at) => `const { erasure_id } = await parley.callers.erase(${at('params.number')})`,
  getErasure: (at) => `const { status, removed } = await parley.callers.erasure(${at('params.id')})`,
  listErasures: () => 'const { data, pagination } = await parley.callers.erasures()',
  listVoices: () => 'const voices = await parley.voices.list()',
  listModels: () => 'const { default: model, providers } = await parley.models.list()',
} satisfies Record<keyof typeof voiceAddresses, SampleStatement>

const speechCalls = {
  uploadFile: () => `const { file_id } = await speech.upload(await openAsBlob('${sampleFile}'))`,
  getFile: (at) => `const file = await speech.file(${at('params.id')})`,
  deleteFile: (at) => `await speech.deleteFile(${at('params.id')})`,
  createTranscript: (at) => `const { transcript_id } = await speech.create(${at('body')})`,
  transcribeNow: (at) => `const transcript = await speech.createAndWait(${at('body')})`,
  listTranscripts: (at) => `const { data, pagination } = await speech.list(${at('query')})`,
  getTranscript: (at) => `const transcript = await speech.get(${at('params.id')})`,
  deleteTranscript: (at) => `await speech.delete(${at('params.id')})`,
  getTranscriptCorrections: (at) =>
    `const { speakers, segments } = await speech.corrections(${at('params.id')})`,
  putTranscriptCorrections: (at) =>
    `const { version } = await speech.putCorrections(${at('params.id')}, ${at('body')})`,
  getCallbackSecret: () => 'const { secret } = await speech.callbackSecret()',
  rotateCallbackSecret: () => 'const { secret } = await speech.rotateCallbackSecret()',
} satisfies Record<keyof typeof transcriptAddresses, SampleStatement>

const watched = (events: string): string =>
  `for await (const { type, data } of ${events}) {\n  console.log(type, data)\n}`

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
  const statement = client.statements[id]?.((path) => literal(valueAt(example, path)))
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
