// Indexes one document: reads it, parses it, cuts it into passages and embeds those.
import { hash } from 'node:crypto'
import type { Db } from '../../platform/db/db.ts'
import { DownloadError } from '../../platform/download.ts'
import { fetchPage } from '../../platform/fetch-page.ts'
import { newId } from '../../platform/ids.ts'
import type { DocumentType } from '../../ports/document-parser.ts'
import type { NamedEmbedder } from '../../ports/embedder.ts'
import type { NewChunk } from './chunk-store.ts'
import { type Chunk, chunksOf, searchable } from './chunks.ts'
import { type DocumentKind, newDocument, putPage } from './document-store.ts'
import { documentContent, isDuplicate } from './index-store.ts'
import type { IndexingResult } from './indexing.ts'
import { readSite, type SiteParts } from './read-site.ts'
import { readSitemap } from './read-sitemap.ts'

export interface IndexingParts extends SiteParts {
  readonly db: Db
  readonly embedder: NamedEmbedder
  /** Runs what uses the embedder: one document after the other, so that the next is parsed meanwhile. */
  readonly inTurn?: <Result>(act: () => Promise<Result>) => Promise<Result>
}

export interface DocumentToIndex {
  readonly documentId: string
  readonly repositoryId: string
  readonly kind: DocumentKind
  readonly filename: string | null
  readonly mediaType: string | null
  readonly url: string | null
  readonly depth: number | null
  readonly maxPages: number | null
  readonly chunkSize: number
  readonly chunkOverlap: number
}

/** Another attempt would not help; the message is for the user. */
export class CannotBeIndexed extends Error {}

export type OnIndexed = (done: number, total: number | null) => void

// A book of a thousand pages has 8,000 passages of 512 characters.
const mostChunks = 50_000
// Progress is told after each; a remote embedder takes as many in one request.
const embeddedAtOnce = 32

export async function indexDocument(
  parts: IndexingParts,
  document: DocumentToIndex,
  onProgress: OnIndexed,
  signal: AbortSignal,
): Promise<IndexingResult> {
  try {
    return await index(parts, document, onProgress, signal)
  } catch (error) {
    if (error instanceof DownloadError && error.permanent)
      throw new CannotBeIndexed(error.message, { cause: error })
    throw error
  }
}

async function index(
  parts: IndexingParts,
  document: DocumentToIndex,
  onProgress: OnIndexed,
  signal: AbortSignal,
): Promise<IndexingResult> {
  if (document.kind === 'site') return indexSite(parts, document, onProgress, signal)
  const { db, parser } = parts
  const stored = await documentContent(db, document.documentId)
  const fetched =
    stored || !document.url ? undefined : await fetchPage(parts.guard, document.url, parts.limits, signal)
  const content = stored ?? fetched?.content
  if (!content) throw new CannotBeIndexed('The content of the document is gone; add it again.')
  if (fetched && readSitemap(fetched.content)) return indexSite(parts, document, onProgress, signal)
  const contentHash = hash('sha256', content, 'buffer')
  const read = fetched && { content, contentHash }
  // An upload was compared with the others when it came.
  if (document.kind === 'page' && (await isDuplicate(db, document, contentHash)))
    return { of: 'duplicate', read }
  const type = typeOf(parts, document, content, fetched?.mediaType)
  const parsed = await parser.parse(content, type, signal)
  if (!parsed.ok) throw new CannotBeIndexed(parsed.reason)
  const chunks = chunksOf(parsed.document.blocks, document)
  if (chunks.length > mostChunks)
    throw new CannotBeIndexed(
      `The document makes ${chunks.length} passages; ${mostChunks} are the most, so split it or make chunk_size larger.`,
    )
  const { embedder, inTurn = (act) => act() } = parts
  const title = parsed.document.title?.slice(0, 300) ?? null
  const embedded = await inTurn(() =>
    embed({ embedder, repositoryId: document.repositoryId }, chunks, onProgress, signal),
  )
  return { of: 'passages', title, mediaType: type, read, chunks: embedded, embedder: embedder.name }
}

function typeOf(
  { parser }: IndexingParts,
  { mediaType, url, kind }: DocumentToIndex,
  content: Buffer,
  served: string | undefined,
): DocumentType {
  // The type of a file was decided when it came.
  if (kind !== 'page') return mediaType as DocumentType
  const name = url && new URL(url).pathname
  const type = parser.typeOf(content, /html/.test(served ?? '') ? 'page.html' : name)
  if (!type) throw new CannotBeIndexed('The address has none of the kinds of documents that can be read.')
  return type
}

async function embed(
  { embedder, repositoryId }: Pick<IndexingParts, 'embedder'> & Pick<DocumentToIndex, 'repositoryId'>,
  chunks: readonly Chunk[],
  onProgress: OnIndexed,
  signal: AbortSignal,
): Promise<NewChunk[]> {
  const embedded: NewChunk[] = []
  signal.throwIfAborted()
  onProgress(0, chunks.length)
  for (let from = 0; from < chunks.length; from += embeddedAtOnce) {
    const some = chunks.slice(from, from + embeddedAtOnce)
    const vectors = await embedder.embed(some.map(searchable), signal, repositoryId)
    for (const [place, chunk] of some.entries())
      embedded.push({ ...chunk, chunkId: newId(), vector: vectors[place] })
    onProgress(embedded.length, chunks.length)
  }
  return embedded
}

/** Every page is a document of its own. */
async function indexSite(
  parts: IndexingParts,
  { documentId, repositoryId, url, depth, maxPages }: DocumentToIndex,
  onProgress: OnIndexed,
  signal: AbortSignal,
): Promise<IndexingResult> {
  let count = 0
  const wish = { url: url ?? '', depth: depth ?? 0, maxPages: maxPages ?? 1 }
  const urls = await readSite(
    parts,
    wish,
    async ({ url: pageUrl, page }) => {
      const row = newDocument({
        repository_id: repositoryId,
        site_id: documentId,
        kind: 'page',
        title: pageUrl,
        has_title: false,
        url: pageUrl,
        content: page?.content ?? null,
        content_hash: page ? hash('sha256', page.content, 'buffer') : null,
      })
      await parts.db.transaction((tx) => putPage(tx, row))
      onProgress(++count, null)
    },
    signal,
  )
  if (urls.length === 0) throw new CannotBeIndexed('The sitemap lists no page that may be read.')
  return { of: 'site', urls }
}
