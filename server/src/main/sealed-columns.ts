// Everything in the database that is sealed.
import { sealedAnswers } from '../http/idempotency-store.ts'
import type { SealedColumn } from '../platform/reseal.ts'
import { sealedInAgents } from '../resources/agents/agents.ts'
import { sealedErasures } from '../resources/callers/callers.ts'
import { sealedCallStates, sealedDrafts } from '../resources/calls/work.ts'
import { sealedVendorCredentials } from '../resources/credentials/credentials.ts'
import { sealedTrunks } from '../resources/phone-numbers/phone-numbers.ts'
import { sealedInTools } from '../resources/tools/tools.ts'
import { sealedCallbackSecrets } from '../resources/transcripts/work.ts'
import { sealedWebhooks } from '../resources/webhooks/webhooks.ts'

export const sealedColumns: readonly SealedColumn[] = [
  ...sealedInAgents,
  ...[sealedInTools, sealedTrunks, sealedVendorCredentials, sealedWebhooks, sealedCallbackSecrets],
  ...[sealedDrafts, sealedErasures, sealedCallStates, sealedAnswers],
]
