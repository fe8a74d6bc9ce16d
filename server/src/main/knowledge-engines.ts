// What the knowledge base reads documents and finds passages with.
import { confinedParser } from '../engines/knowledge/parse/confined-parser.ts'
import { openPassageIndex } from '../engines/knowledge/passages/passage-index.ts'
import { miniLmEmbedder } from '../engines/minilm/minilm.ts'
import { vendorAt } from '../mind/model/choose-server.ts'
import { workspaceAccounts } from '../resources/credentials/credentials.ts'
import { embeddingKeys, type KnowledgeEngines } from '../resources/knowledge-base/work.ts'
import { remoteEmbedder } from '../vendors/openai/embeds.ts'

export const knowledgeEngines: KnowledgeEngines = {
  openParser: confinedParser,
  openIndex: openPassageIndex,
  openEmbedder({ config: { embeddings, modelsDir, engineIdleMs }, db, vault }) {
    if (embeddings) {
      const parts = { db, accountsOf: workspaceAccounts(db, vault), vendorAt }
      return remoteEmbedder(embeddings, embeddingKeys(parts, embeddings.baseUrl))
    }
    const { embed, close } = miniLmEmbedder({ folder: modelsDir, idleMs: engineIdleMs })
    return { name: 'all-MiniLM-L6-v2', embed, close }
  },
}
