// What an answer says with null can be said with null in a request too.
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { Agent, AgentPatch } from './agents/agent.ts'
import { AgentConfig } from './agents/agent-config.ts'
import { BatchChange, BatchDetail, Recipient } from './batches/batch.ts'
import { NewBatch, NewRecipient } from './batches/new-batch.ts'
import { CallDetail, NewCall } from './calls/call.ts'
import { ApiKey, createKey } from './dashboard/dashboard.ts'
import { NewTranscript, Transcript } from './transcripts/transcript.ts'
import { Webhook } from './webhooks/webhook.ts'
import { createWebhook, updateWebhook } from './webhooks/webhook-operations.ts'

const takesNull = (field: unknown): boolean => (field as z.ZodType).safeParse(null).success
const isOptional = (field: unknown): boolean => (field as z.ZodType).safeParse(undefined).success

const stored = Agent.shape.agent_config

it.each<[string, z.ZodObject, z.ZodObject, string[]]>([
  ['a new agent', AgentConfig, stored, ['input', 'output', 'webhook_url']],
  ['a change of an agent', AgentPatch, stored, ['agent_welcome_message', 'input', 'output', 'webhook_url']],
  ['a call', NewCall, CallDetail, ['from_phone_number', 'schedule_time']],
  [
    'a batch',
    NewBatch,
    BatchDetail,
    ['calling_window', 'from_phone_number', 'max_concurrency', 'retry_config', 'schedule_time'],
  ],
  ['a change of a batch', BatchChange, BatchDetail, ['calling_window', 'max_concurrency', 'schedule_time']],
  ['a recipient', NewRecipient, Recipient, ['name', 'timezone']],
  ['a webhook', createWebhook.body, Webhook, ['agent_id', 'description']],
  ['a change of a webhook', updateWebhook.body, Webhook, ['agent_id', 'description']],
  ['a transcript', NewTranscript, Transcript, ['file_id', 'language', 'metadata']],
  ['an unbound key', createKey.body.options[1], ApiKey, ['workspace_id']],
])('%s', (_what, request, answer, fields) => {
  // A new agent's welcome message is text, as specified; only a change may clear it.
  const exempt = request === AgentConfig ? ['agent_welcome_message'] : []
  const nullable = Object.keys(request.shape).filter(
    (name) =>
      isOptional(request.shape[name]) &&
      name in answer.shape &&
      takesNull(answer.shape[name]) &&
      !exempt.includes(name),
  )
  expect(nullable).toEqual(expect.arrayContaining(fields))
  expect(nullable.filter((name) => !takesNull(request.shape[name]))).toEqual([])
})
