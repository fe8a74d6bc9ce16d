// Every operation of the Voice AI interface, in the order of the reference.
import { createAgent, deleteAgent, getAgent, listAgents, updateAgent } from './agent-operations.ts'
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
import {
  getCall,
  getCallSip,
  getQuality,
  listCalls,
  placeCall,
  stopCall,
  watchCall,
} from './call-operations.ts'
import type { Operation } from './operation.ts'
import {
  checkPhoneNumber,
  createPhoneNumber,
  deletePhoneNumber,
  getPhoneNumber,
  listPhoneNumbers,
  updatePhoneNumber,
} from './phone-number-operations.ts'
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
  listVoices,
  ...[placeCall, startWebCall, listCalls, getQuality, getCall, getCallSip, stopCall, watchCall],
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
]
