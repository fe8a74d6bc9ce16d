// The knowledge base: repositories of documents, and what is found in them.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import type { Page, PageQuery, RequestOptions } from './requests.ts'
import { requestTo, send, type TransportOptions } from './transport.ts'
import type {
  DocumentStatus,
  KnowledgeDocument,
  KnowledgePassage,
  KnowledgeQuestion,
  NewDocument,
  NewRepository,
  Repository,
  RepositoryChange,
} from './wire.ts'

export class Knowledge {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  create(body: NewRepository, { idempotencyKey }: RequestOptions = {}): Promise<Repository> {
    return send(this.#transport, { ...requestTo(addresses.createRepository), body, idempotencyKey })
  }

  list(query: PageQuery = {}): Promise<Page<Repository>> {
    return send(this.#transport, { ...requestTo(addresses.listRepositories), query })
  }

  get(repositoryId: string): Promise<Repository> {
    return send(this.#transport, requestTo(addresses.getRepository, { id: repositoryId }))
  }

  update(repositoryId: string, body: RepositoryChange): Promise<Repository> {
    return send(this.#transport, { ...requestTo(addresses.updateRepository, { id: repositoryId }), body })
  }

  /** Deletes a repository with everything in it. Refused while an agent names it. */
  delete(repositoryId: string): Promise<{ repository_id: string; deleted: true }> {
    return send(this.#transport, requestTo(addresses.deleteRepository, { id: repositoryId }))
  }

  /** Adds a text, or an address to read it from. It is indexed in the background: `document` has its status. */
  addDocument(
    repositoryId: string,
    body: NewDocument,
    { idempotencyKey }: RequestOptions = {},
  ): Promise<KnowledgeDocument> {
    return send(this.#transport, {
      ...requestTo(addresses.addDocument, { id: repositoryId }),
      body,
      idempotencyKey,
    })
  }

  /** Adds a file: text, Markdown, HTML, PDF, Word or CSV. Its name helps to tell which. */
  addFile(
    repositoryId: string,
    file: Blob,
    {
      filename = 'document',
      title,
      idempotencyKey,
    }: RequestOptions & { filename?: string; title?: string } = {},
  ): Promise<KnowledgeDocument> {
    const body = new FormData()
    if (title !== undefined) body.set('title', title)
    body.set('file', file, filename)
    return send(this.#transport, {
      ...requestTo(addresses.addDocument, { id: repositoryId }),
      body,
      idempotencyKey,
    })
  }

  documents(
    repositoryId: string,
    query: PageQuery & { status?: DocumentStatus } = {},
  ): Promise<Page<KnowledgeDocument>> {
    return send(this.#transport, { ...requestTo(addresses.listDocuments, { id: repositoryId }), query })
  }

  document(repositoryId: string, documentId: string): Promise<KnowledgeDocument> {
    return send(
      this.#transport,
      requestTo(addresses.getDocument, { id: repositoryId, document_id: documentId }),
    )
  }

  /** Indexes a document anew. Until that is done, searches find the old passages. */
  reindex(
    repositoryId: string,
    documentId: string,
    { idempotencyKey }: RequestOptions = {},
  ): Promise<KnowledgeDocument> {
    const request = requestTo(addresses.reindexDocument, { id: repositoryId, document_id: documentId })
    return send(this.#transport, { ...request, idempotencyKey })
  }

  deleteDocument(repositoryId: string, documentId: string): Promise<{ document_id: string; deleted: true }> {
    return send(
      this.#transport,
      requestTo(addresses.deleteDocument, { id: repositoryId, document_id: documentId }),
    )
  }

  /** The passages that answer a question, best first. */
  search(
    repositoryId: string,
    body: KnowledgeQuestion,
    { idempotencyKey }: RequestOptions = {},
  ): Promise<KnowledgePassage[]> {
    return send(this.#transport, {
      ...requestTo(addresses.searchRepository, { id: repositoryId }),
      body,
      idempotencyKey,
    })
  }
}
