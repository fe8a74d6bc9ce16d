// Every operation of the Voice AI interface, in the order of the reference.
import { getAgentGraph, putAgentGraph } from './agent-graph.ts'
import { createAgent, deleteAgent, getAgent, listAgents, updateAgent } from './agent-operations.ts'
import { getAgentVersion, listAgentVersions, restoreAgentVersion } from './agent-version.ts'
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
} from './batch-operations.ts'
import { listCallDeliveries, listCallPassages, shareCall } from './call-follow-ups.ts'
import {
  getCall,
  getCallSip,
  getQuality,
  listCalls,
  placeCall,
  stopCall,
  watchCall,
} from './call-operations.ts'
import { getCallOverview } from './call-overview.ts'
import { eraseCaller, getCaller, getErasure, listErasures } from './caller.ts'
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
} from './knowledge-operations.ts'
import { listModels } from './model.ts'
import type { Operation } from './operation.ts'
import {
  checkPhoneNumber,
  createPhoneNumber,
  deletePhoneNumber,
  getPhoneNumber,
  listPhoneNumbers,
  updatePhoneNumber,
} from './phone-number-operations.ts'
import {
  createPronunciation,
  deletePronunciation,
  getPronunciation,
  listPronunciations,
  updatePronunciation,
} from './pronunciation-operations.ts'
import { createTool, deleteTool, getTool, listTools, tryTool, updateTool } from './tool-operations.ts'
import {
  getConcurrency,
  getPublicPrices,
  getUsage,
  getUsageLimits,
  getUsagePrices,
  listNotices,
} from './usage-operations.ts'
import { listVoices } from './voice.ts'
import { startWebCall } from './web-call.ts'
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
} from './webhook-operations.ts'

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
