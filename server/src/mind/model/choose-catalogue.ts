// The vendors that agents can choose from, and which of them need no key of the agent.
import { llmProviders } from '@parley/contract/companies'
import type { ModelCatalogue } from '../../ports/model-catalogue.ts'
import type { OperatorModels } from './choose-server.ts'
import { vendorOf } from './choose-vendor.ts'

export const modelCatalogue = ({ server, keys }: OperatorModels): ModelCatalogue => ({
  installed: server && server.models.length > 0 ? server : undefined,
  vendors: llmProviders.map((name) => {
    const { label, baseUrl, promptCache } = vendorOf(name)
    const isReady = server?.provider === name || keys[name] !== undefined
    return { name, label, baseUrl, promptCache, isReady }
  }),
})
