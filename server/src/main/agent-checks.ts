// What the configuration of an agent is checked against besides the contract, for requests and for the command line.

import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db/db.ts'
import type { AgentChecks } from '../resources/agents/agents.ts'
import { repositoryReference } from '../resources/knowledge-base/knowledge-base.ts'
import { phoneNumberReference } from '../resources/phone-numbers/phone-numbers.ts'
import { toolReference } from '../resources/tools/tools.ts'
import { judgeKeyterms } from '../speech/agent-keyterms.ts'
import { judgeLanguage } from '../speech/agent-languages.ts'
import { judgeOptions } from '../speech/agent-options.ts'

export const agentChecks = (db: Db, { engineFallback }: Pick<Config, 'engineFallback'>): AgentChecks => ({
  judgeOptions,
  judgeLanguage: (question) => judgeLanguage(question, engineFallback),
  judgeKeyterms,
  references: [phoneNumberReference(db), repositoryReference(db), toolReference(db)],
})
