// The rules of the knowledge base; other resources use it only through this module.
import type {
  DocumentStatus,
  KnowledgeDocument,
  KnowledgePassage,
  NewRepository,
  PageQuery,
  Repository,
  RepositoryChange,
} from '@parley/contract'
import { fail, refuseField } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Work } from '../../http/work.ts'
import type { Db, Queries } from '../../platform/db/db.ts'
import type { Guard } from '../../platform/guard/guard.ts'
import { orTrusted } from '../../platform/guard/rules.ts'
import { newId } from '../../platform/ids.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { DocumentParser } from '../../ports/document-parser.ts'
import type { SearchKnowledge } from '../../ports/knowledge.ts'
import { idsIn, type ReferenceKind } from '../agents/agents.ts'
import { chunksOfCall } from './chunk-store.ts'
import {
  type DocumentRow,
  findDocument,
  findSame,
  insertDocument,
  type NewDocumentRow,
  newDocument,
  pageOfDocuments,
  removeDocument,
  requeueDocument,
  requeueDocuments,
} from './document-store.ts'
import type { ReceivedDocument } from './receive-document.ts'
import {
  agentsNaming,
  type CountedRepository,
  findRepository,
  insertRepository,
  lockRepository,
  pageOfRepositories,
  removeRepository,
  updateRepositoryRow,
} from './repository-store.ts'
import { seedingAmong } from './seeding.ts'

export { documentOf, type ReceivedDocument } from './receive-document.ts'
export type { KnowledgeSearch } from './search.ts'

export interface KnowledgeParts {
  readonly db: Db
  readonly search: SearchKnowledge
  readonly parser: Pick<DocumentParser, 'typeOf'>
  /** Checks the addresses of pages. */
  readonly guard: Pick<Guard, 'check'>
}

export const knowledgeBase = ({ db, search, parser, guard }: KnowledgeParts) => {
  const find = async (workspaceId: string, repositoryId: string): Promise<CountedRepository> =>
    (await findRepository(db, workspaceId, repositoryId)) ?? fail('REPOSITORY_NOT_FOUND')

  return {
    async create(workspaceId: string, wish: NewRepository, work: Work): Promise<Repository> {
      const at = new Date()
      const row = {
        ...wish,
        repository_id: newId(),
        workspace_id: workspaceId,
        description: wish.description ?? null,
        created_at: at,
        updated_at: at,
      }
      work.add(insertRepository(row))
      return repositoryView({ ...row, ...nothingYet })
    },

    list: async (workspaceId: string, query: PageQuery) =>
      listOf(query, await pageOfRepositories(db, workspaceId, query), repositoryView),

    get: async (workspaceId: string, repositoryId: string): Promise<Repository> =>
      repositoryView(await find(workspaceId, repositoryId)),

    async update(workspaceId: string, repositoryId: string, change: RepositoryChange): Promise<Repository> {
      await db.transaction(async (tx) => {
        const before = (await lockRepository(tx, workspaceId, repositoryId)) ?? fail('REPOSITORY_NOT_FOUND')
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        const after = { ...before, ...given }
        if (after.chunk_overlap > after.chunk_size / 2)
          refuseField('chunk_overlap', `Must be at most half of chunk_size, ${after.chunk_size}.`)
        await updateRepositoryRow(tx, after)
        const isOtherwise = (['language', 'chunk_size', 'chunk_overlap'] as const).some(
          (field) => before[field] !== after[field],
        )
        if (isOtherwise) await requeueDocuments(tx, after.repository_id)
      })
      return repositoryView(await find(workspaceId, repositoryId))
    },

    /** With everything in it. */
    async remove(workspaceId: string, repositoryId: string) {
      await db.transaction(async (tx) => {
        const row = (await lockRepository(tx, workspaceId, repositoryId)) ?? fail('REPOSITORY_NOT_FOUND')
        const agents = await agentsNaming(tx, workspaceId, row.repository_id)
        if (agents > 0)
          fail('RESOURCE_IN_USE', {
            message: `This repository is named by ${agents} ${agents === 1 ? 'agent' : 'agents'}; remove it from their repository_ids first.`,
          })
        await removeRepository(tx, row.repository_id)
      })
      return { repository_id: repositoryId.toLowerCase(), deleted: true as const }
    },

    /** What is there already is not added again. */
    async addDocument(
      workspaceId: string,
      repositoryId: string,
      received: ReceivedDocument,
      work: Work,
    ): Promise<KnowledgeDocument> {
      const { repository_id } = await find(workspaceId, repositoryId)
      const row = newRow(repository_id, received, parser, guard)
      const same = row.content_hash && (await findSame(db, repository_id, row.content_hash))
      if (same) return documentView(same)
      for (const write of insertDocument(row)) work.add(write)
      return documentView(row)
    },

    async documents(
      workspaceId: string,
      repositoryId: string,
      status: DocumentStatus | undefined,
      query: PageQuery,
    ) {
      const { repository_id } = await find(workspaceId, repositoryId)
      return listOf(query, await pageOfDocuments(db, repository_id, status, query), documentView)
    },

    async document(
      workspaceId: string,
      repositoryId: string,
      documentId: string,
    ): Promise<KnowledgeDocument> {
      const { repository_id } = await find(workspaceId, repositoryId)
      return documentView((await findDocument(db, repository_id, documentId)) ?? fail('DOCUMENT_NOT_FOUND'))
    },

    async reindex(workspaceId: string, repositoryId: string, documentId: string): Promise<KnowledgeDocument> {
      const { repository_id } = await find(workspaceId, repositoryId)
      return documentView(
        (await requeueDocument(db, repository_id, documentId)) ?? fail('DOCUMENT_NOT_FOUND'),
      )
    },

    async removeDocument(workspaceId: string, repositoryId: string, documentId: string) {
      const { repository_id } = await find(workspaceId, repositoryId)
      if (!(await removeDocument(db, repository_id, documentId))) fail('DOCUMENT_NOT_FOUND')
      return { document_id: documentId.toLowerCase(), deleted: true as const }
    },

    /** Those that the record of a call names, as far as they are still there. */
    passagesOfCall: async (workspaceId: string, sessionId: string) =>
      (await chunksOfCall(db, workspaceId, sessionId)) ?? fail('CALL_NOT_FOUND'),

    async search(
      workspaceId: string,
      repositoryId: string,
      { query, top_k: topK }: { query: string; top_k?: number | undefined },
    ): Promise<KnowledgePassage[]> {
      const { repository_id } = await find(workspaceId, repositoryId)
      const passages = await search({ repositoryIds: [repository_id], query, topK })
      return passages.map(({ documentId, chunkId, ...passage }) => ({
        document_id: documentId,
        chunk_id: chunkId,
        ...passage,
      }))
    },
  }
}

export type KnowledgeBase = ReturnType<typeof knowledgeBase>

/** The ids of repositories in agents. */
export const repositoryReference = (db: Queries): ReferenceKind => ({
  field: 'repository_ids',
  name: 'repository',
  existing: idsIn(db, 'knowledge_repositories', 'repository_id'),
  seeding: seedingAmong,
})

const nothingYet = { queued: 0, processing: 0, ready: 0, failed: 0, chunks: 0 }

const defaultPages = 100

function newRow(
  repositoryId: string,
  received: ReceivedDocument,
  parser: KnowledgeParts['parser'],
  guard: KnowledgeParts['guard'],
): NewDocumentRow {
  const shared = { repository_id: repositoryId, has_title: received.title !== null }
  if (received.of === 'url') {
    const verdict = guard.check(received.url)
    if (!verdict.ok) return refuseField('url', orTrusted(verdict, 'page'))
    const url = withoutFragment(verdict.url)
    const kind = received.depth ? ('site' as const) : ('page' as const)
    const { depth = null, maxPages: max_pages = defaultPages } = received
    return newDocument({ ...shared, kind, title: received.title ?? url, url, depth, max_pages })
  }
  const { content } = received
  const filename = received.of === 'file' ? received.filename : null
  // What is typed may be Markdown; plain text is Markdown without headings.
  const media_type = received.of === 'text' ? 'text/markdown' : parser.typeOf(content, filename)
  if (!media_type) return fail('DOCUMENT_NOT_READABLE', { details: [{ path: 'file', message: notReadable }] })
  const title = received.title ?? filename ?? firstWords(content)
  const content_hash = sha256(content)
  return newDocument({ ...shared, kind: received.of, title, filename, media_type, content, content_hash })
}

const notReadable = 'Must be text, Markdown, HTML, PDF, Word (.docx) or CSV, and not empty.'

const withoutFragment = (url: URL): string => {
  const bare = new URL(url)
  bare.hash = ''
  return bare.href
}

/** For a text without a title. */
const firstWords = (content: Buffer): string =>
  content
    .subarray(0, 400)
    .toString('utf8')
    .replaceAll('\uFFFD', '')
    .replace(/[#*\s]+/g, ' ')
    .trim()
    .slice(0, 60) || 'Untitled'

function repositoryView(row: CountedRepository): Repository {
  const { queued, processing, ready, failed } = row
  return {
    repository_id: row.repository_id,
    name: row.name,
    description: row.description,
    language: row.language,
    chunk_size: row.chunk_size,
    chunk_overlap: row.chunk_overlap,
    top_k: row.top_k,
    status: queued + processing > 0 ? 'processing' : failed > 0 && ready === 0 ? 'failed' : 'ready',
    document_counts: { queued, processing, ready, failed },
    chunk_count: row.chunks,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

const documentView = (row: DocumentRow): KnowledgeDocument => ({
  document_id: row.document_id,
  repository_id: row.repository_id,
  kind: row.kind,
  title: row.title,
  filename: row.filename,
  media_type: row.media_type,
  url: row.url,
  site_id: row.site_id,
  bytes: row.bytes,
  status: row.status,
  progress: { done: row.done, total: row.total },
  error: row.error,
  duplicate_of: row.duplicate_of,
  chunk_count: row.chunk_count,
  created_at: row.created_at.toISOString(),
  indexed_at: row.indexed_at?.toISOString() ?? null,
})
