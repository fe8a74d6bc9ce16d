// Every operation of the Voice AI interface, in the order of the reference.
import { getAgentGraph, putAgentGraph } from './agents/agent-graph.ts'
import { createAgent, deleteAgent, getAgent, listAgents, updateAgent } from './agents/agent-operations.ts'
import { getAgentVersion, listAgentVersions, restoreAgentVersion } from './agents/agent-version.ts'
import { listModels } from './agents/model.ts'
import { listVoices } from './agents/voice.ts'
import {
  cancelBatch,
  createBatch,
  deleteBatch,
  executeBatch,
  getBatch,
  getBatchResults,
  listBatches,
  listRecipients,
  pauseBatch,
  resumeBatch,
  updateBatch,
  watchBatch,
} from './batches/batch-operations.ts'
import { listCallDeliveries, listCallPassages, shareCall } from './calls/call-follow-ups.ts'
import {
  getCall,
  getCallSip,
  getQuality,
  listCalls,
  placeCall,
  stopCall,
  watchCall,
} from './calls/call-operations.ts'
import { getCallOverview } from './calls/call-overview.ts'
import { eraseCaller, getCaller, getErasure, listErasures } from './calls/caller.ts'
import { startWebCall } from './calls/web-call.ts'
import {
  checkCredentials,
  deleteCredentials,
  getCredentials,
  listCredentials,
  putCredentials,
} from './credential.ts'
import {
  addDocument,
  createRepository,
  deleteDocument,
  deleteRepository,
  getDocument,
  getRepository,
  listDocuments,
  listRepositories,
  reindexDocument,
  searchRepository,
  updateRepository,
} from './knowledge/knowledge-operations.ts'
import {
  checkPhoneNumber,
  createPhoneNumber,
  deletePhoneNumber,
  getPhoneNumber,
  listPhoneNumbers,
  updatePhoneNumber,
} from './numbers/phone-number-operations.ts'
import type { Operation } from './operation.ts'
import {
  createPronunciation,
  deletePronunciation,
  getPronunciation,
  listPronunciations,
  updatePronunciation,
} from './pronunciations/pronunciation-operations.ts'
import { createTool, deleteTool, getTool, listTools, tryTool, updateTool } from './tools/tool-operations.ts'
import {
  getConcurrency,
  getPublicPrices,
  getUsage,
  getUsageLimits,
  getUsagePrices,
  listNotices,
} from './usage/usage-operations.ts'
import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './webhooks/webhook-operations.ts'

export const voiceOperations: readonly Operation[] = [
  ...[createAgent, listAgents, getAgent, updateAgent, deleteAgent],
  ...[getAgentGraph, putAgentGraph, listAgentVersions, getAgentVersion, restoreAgentVersion],
  ...[listVoices, listModels],
  ...[placeCall, startWebCall, listCalls, getQuality, getCall, getCallSip, stopCall, watchCall],
  ...[getCallOverview, listCallDeliveries, listCallPassages, shareCall],
  ...[createBatch, listBatches, getBatch, updateBatch, deleteBatch, listRecipients],
  ...[executeBatch, pauseBatch, resumeBatch, cancelBatch, watchBatch, getBatchResults],
  ...[
    createPhoneNumber,
    listPhoneNumbers,
    getPhoneNumber,
    updatePhoneNumber,
    deletePhoneNumber,
    checkPhoneNumber,
  ],
  ...[createRepository, listRepositories, getRepository, updateRepository, deleteRepository],
  ...[addDocument, listDocuments, getDocument, reindexDocument, deleteDocument, searchRepository],
  ...[listCredentials, getCredentials, putCredentials, checkCredentials, deleteCredentials],
  ...[createTool, listTools, getTool, updateTool, deleteTool, tryTool],
  ...[createPronunciation, listPronunciations, getPronunciation, updatePronunciation, deletePronunciation],
  ...[
    createWebhook,
    listWebhooks,
    getWebhook,
    updateWebhook,
    deleteWebhook,
    testWebhook,
    rotateWebhookSecret,
  ],
  ...[listDeliveries, getDelivery, replayDelivery],
  ...[getUsage, getConcurrency, getUsageLimits, getUsagePrices, getPublicPrices, listNotices],
  ...[getCaller, eraseCaller, getErasure, listErasures],
]
