// A delivery that was sent once, as its worker reports it.
import { randomUUID } from 'node:crypto'
import type { SettledRow } from '../../src/platform/jobs/job.ts'
import type { DeliveryResult } from '../../src/resources/webhooks/backlog.ts'

export const endedDelivery = (status: DeliveryResult['status']): SettledRow<DeliveryResult> => ({
  id: randomUUID(),
  claimantId: 1,
  result: { webhookId: randomUUID(), agentId: randomUUID(), status, attempts: [], againAtMs: 0 },
})
