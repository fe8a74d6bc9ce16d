// The Voice AI interface: new Parley({ baseUrl, apiKey }).agents.create({ … })
import { Agents } from './agents.ts'
import { Batches } from './batches.ts'
import { Callers } from './callers.ts'
import { Calls } from './calls.ts'
import { Credentials } from './credentials.ts'
import { Knowledge } from './knowledge.ts'
import { Models } from './models.ts'
import { PhoneNumbers } from './phone-numbers.ts'
import { Pronunciations } from './pronunciations.ts'
import { Tools } from './tools.ts'
import type { TransportOptions } from './transport.ts'
import { Usage } from './usage.ts'
import { Voices } from './voices.ts'
import { WebhookEndpoints } from './webhook-endpoints.ts'

export interface ParleyOptions {
  /** The address of the interface, which ends in /agent/v1. */
  baseUrl: string
  apiKey: string
  /** Required for a key that is not bound to a workspace, ignored otherwise. */
  workspaceId?: string
  /** How many times a request is retried after a network failure, a 429 or a 5xx. */
  maxRetries?: number
  fetch?: typeof fetch
}

export class Parley {
  readonly agents: Agents
  readonly batches: Batches
  readonly callers: Callers
  readonly calls: Calls
  readonly knowledge: Knowledge
  readonly phoneNumbers: PhoneNumbers
  readonly pronunciations: Pronunciations
  readonly credentials: Credentials
  readonly tools: Tools
  readonly usage: Usage
  readonly voices: Voices
  readonly models: Models
  readonly webhooks: WebhookEndpoints

  constructor({ baseUrl, apiKey, workspaceId, maxRetries = 3, fetch = globalThis.fetch }: ParleyOptions) {
    const transport: TransportOptions = {
      baseUrl,
      apiKey,
      workspaceId,
      maxRetries,
      fetch,
      keyHeader: 'x-api-key',
    }
    this.agents = new Agents(transport)
    this.batches = new Batches(transport)
    this.callers = new Callers(transport)
    this.calls = new Calls(transport)
    this.knowledge = new Knowledge(transport)
    this.phoneNumbers = new PhoneNumbers(transport)
    this.pronunciations = new Pronunciations(transport)
    this.credentials = new Credentials(transport)
    this.tools = new Tools(transport)
    this.usage = new Usage(transport)
    this.voices = new Voices(transport)
    this.models = new Models(transport)
    this.webhooks = new WebhookEndpoints(transport)
  }
}
