// HTTP routes of the knowledge base.
import {
  addDocument,
  createRepository,
  deleteDocument,
  deleteRepository,
  getDocument,
  getRepository,
  listCallPassages,
  listDocuments,
  listRepositories,
  reindexDocument,
  searchRepository,
  updateRepository,
} from '@parley/contract'
import type { Upload } from '../../http/body/upload.ts'
import type { Mount } from '../../http/doors/voice-door.ts'
import type { KnowledgeBase } from './knowledge-base.ts'
import { receiveDocument } from './receive-document.ts'

export function mountKnowledgeBase(mount: Mount, knowledge: KnowledgeBase): void {
  mount(createRepository, ({ body }, { workspaceId, work }) => knowledge.create(workspaceId, body, work))
  mount(listRepositories, ({ query }, { workspaceId }) => knowledge.list(workspaceId, query))
  mount(getRepository, ({ params }, { workspaceId }) => knowledge.get(workspaceId, params.id))
  mount(updateRepository, ({ params, body }, { workspaceId }) =>
    knowledge.update(workspaceId, params.id, body),
  )
  mount(deleteRepository, ({ params }, { workspaceId }) => knowledge.remove(workspaceId, params.id))

  mount(addDocument, async ({ params }, { workspaceId, upload, work }) => {
    await knowledge.get(workspaceId, params.id)
    const received = await receiveDocument(upload as Upload)
    return knowledge.addDocument(workspaceId, params.id, received, work)
  })
  mount(listDocuments, ({ params, query }, { workspaceId }) => {
    const { status, ...page } = query
    return knowledge.documents(workspaceId, params.id, status, page)
  })
  mount(getDocument, ({ params }, { workspaceId }) =>
    knowledge.document(workspaceId, params.id, params.document_id),
  )
  mount(reindexDocument, ({ params }, { workspaceId }) =>
    knowledge.reindex(workspaceId, params.id, params.document_id),
  )
  mount(deleteDocument, ({ params }, { workspaceId }) =>
    knowledge.removeDocument(workspaceId, params.id, params.document_id),
  )
  mount(listCallPassages, ({ params }, { workspaceId }) =>
    knowledge.passagesOfCall(workspaceId, params.session_id),
  )
  mount(searchRepository, ({ params, body }, { workspaceId }) =>
    knowledge.search(workspaceId, params.id, body),
  )
}
