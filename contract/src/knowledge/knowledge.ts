// The knowledge base: repositories of documents that agents answer from.
import { z } from 'zod'
import { documentBytes } from '../limits.ts'
import { Id, Text, Timestamp } from '../words.ts'

export const RepositoryStatus = z.enum(['processing', 'ready', 'failed'])
export type RepositoryStatus = z.infer<typeof RepositoryStatus>

export const DocumentStatus = z.enum(['queued', 'processing', 'ready', 'failed'])
export type DocumentStatus = z.infer<typeof DocumentStatus>

const Name = Text.min(1).max(200)
const Description = Text.max(2_000)
const Language = z
  .string()
  .max(35)
  .regex(/^[a-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/i, 'A language, such as en or pt-BR.')
const ChunkSize = z.int().min(128).max(4_000)
const ChunkOverlap = z.int().min(0).max(2_000)
const TopK = z.int().min(1).max(50)

interface Sizes {
  readonly chunk_size?: number | undefined
  readonly chunk_overlap?: number | undefined
}

const isSmaller = ({ chunk_size, chunk_overlap }: Sizes): boolean =>
  chunk_size === undefined || chunk_overlap === undefined || chunk_overlap <= chunk_size / 2

const overlapRule = {
  path: ['chunk_overlap'],
  message: 'Must be at most half of chunk_size.',
}

export const NewRepository = z
  .strictObject({
    name: Name.describe('Yours; for people.'),
    description: Description.nullish().describe('What is in it. Left out or null: nothing.'),
    language: Language.default('en').describe(
      'The language of its documents, such as en or pt-BR: how their words are reduced to stems. Left out: en.',
    ),
    chunk_size: ChunkSize.default(512).describe(
      'About how many characters a passage has. The built-in embedder reads no more than about 1,000. Left out: 512.',
    ),
    chunk_overlap: ChunkOverlap.default(128).describe(
      'How many characters of a passage are repeated in the next, at most half of `chunk_size`. Left out: 128.',
    ),
    top_k: TopK.default(5).describe('How many passages an agent gets for a question. Left out: 5.'),
  })
  .refine(isSmaller, overlapRule)
  .meta({ id: 'NewRepository', description: 'A repository as it is created.' })
export type NewRepository = z.infer<typeof NewRepository>

export const RepositoryChange = z
  .strictObject({
    name: Name.optional().describe('Yours; for people. Left out: as it was.'),
    description: Description.nullish().describe('What is in it. Left out: as it was. null: nothing.'),
    language: Language.optional().describe(
      'The language of its documents; a new one indexes them again. Left out: as it was.',
    ),
    chunk_size: ChunkSize.optional().describe(
      'Characters of a passage; a new size indexes all documents again. Left out: as it was.',
    ),
    chunk_overlap: ChunkOverlap.optional().describe(
      'Characters that neighbouring passages share; a new number indexes all documents again. Left out: as it was.',
    ),
    top_k: TopK.optional().describe('How many passages an agent gets for a question. Left out: as it was.'),
  })
  .refine(isSmaller, overlapRule)
  .meta({ id: 'RepositoryChange', description: 'Changes of a repository: only the fields that are sent.' })
export type RepositoryChange = z.infer<typeof RepositoryChange>

const count = () => z.int().min(0)

export const Repository = z
  .strictObject({
    repository_id: Id.describe(
      'Names the repository in every other request, and in `repository_ids` of agents.',
    ),
    name: Text.describe('Yours; for people.'),
    description: Text.nullable().describe('What is in it. null: nothing was said.'),
    language: Text.describe('The language of its documents.'),
    chunk_size: z.int().describe('About how many characters a passage has.'),
    chunk_overlap: z.int().describe('How many characters neighbouring passages share.'),
    top_k: z.int().describe('How many passages an agent gets for a question.'),
    status: RepositoryStatus.describe(
      '`processing`: documents are being indexed, and those that were ready before are searched meanwhile. `failed`: it has documents, and none could be indexed. Otherwise `ready`.',
    ),
    document_counts: z
      .strictObject({
        queued: count().describe('How many wait to be indexed.'),
        processing: count().describe('How many are being indexed.'),
        ready: count().describe('How many can be searched.'),
        failed: count().describe('How many could not be indexed; each says why.'),
      })
      .describe('How many documents it has, by status.'),
    chunk_count: count().describe('How many passages can be searched.'),
    created_at: Timestamp.describe('When it was created.'),
    updated_at: Timestamp.describe('When its settings last changed.'),
  })
  .meta({ id: 'Repository', description: 'A collection of documents that agents look things up in.' })
export type Repository = z.infer<typeof Repository>

const Title = Text.min(1).max(300)
const Url = Text.max(2_048)

export const NewDocument = z
  .strictObject({
    title: Title.nullish().describe(
      'Shown where the document is cited. Left out or null: its own title, its file name or its address.',
    ),
    text: Text.min(1).optional().describe('Its words, as plain text or Markdown. Left out: `url` has them.'),
    url: Url.optional().describe(
      'Where a page or a file is: an https address of a public host. A sitemap (XML) stands for the pages that it lists. Left out: `text` has the words.',
    ),
    depth: z
      .int()
      .min(0)
      .max(5)
      .optional()
      .describe(
        'With `url`: how many links away from it pages of the same site are read too; for a sitemap, how many sitemaps within sitemaps. Left out: 0, and 1 for a sitemap.',
      ),
    max_pages: z
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .describe('With `url`: how many pages are read at most. Left out: 100.'),
  })
  .refine(({ text, url }) => (text === undefined) !== (url === undefined), {
    path: ['text'],
    message: 'Send either text or url, or a file as multipart/form-data.',
  })
  .meta({
    id: 'NewDocument',
    description: 'A document as it is added: a text, or an address to read it from.',
  })
export type NewDocument = z.infer<typeof NewDocument>

export const NewDocumentForm = z
  .strictObject({
    file: z.string().max(documentBytes).meta({
      format: 'binary',
      description:
        'Plain text, Markdown, HTML, PDF, Word (.docx) or CSV with a header, at most 25 MB. What it is, is decided by its content and its name.',
    }),
    title: Title.nullish().describe(
      'Shown where the document is cited. Left out or null: its own title or its file name.',
    ),
  })
  .describe('A document in a file.')

export const KnowledgeDocument = z
  .strictObject({
    document_id: Id.describe('Names the document in every other request.'),
    repository_id: Id.describe('The repository that it belongs to.'),
    kind: z
      .enum(['file', 'text', 'page', 'site'])
      .describe('`site`: an address that stands for several pages, each of which is a document of its own.'),
    title: Text.describe('Shown where it is cited.'),
    filename: Text.nullable().describe('As it was uploaded. null: it was no file.'),
    media_type: Text.nullable().describe('What it is, by its content. null: not known yet, or a site.'),
    url: Text.nullable().describe('Where it was read from. null: nowhere.'),
    site_id: Id.nullable().describe('The document of the site that this page was found on. null: none.'),
    bytes: count()
      .nullable()
      .describe('The size of the file, the text or the page in bytes. null: not known yet.'),
    status: DocumentStatus.describe('Only a `ready` document is searched, or one that was ready before.'),
    progress: z
      .strictObject({
        done: count().describe('How many passages, or pages of a site, are done.'),
        total: count().nullable().describe('How many there are. null: not known yet.'),
      })
      .describe('How far its indexing is.'),
    error: Text.nullable().describe(
      'Why it could not be indexed, in one sentence. null: it could, or will be.',
    ),
    duplicate_of: Id.nullable().describe(
      'Another document of the repository with the same content, which is searched in its place. null: none.',
    ),
    chunk_count: count().describe('How many passages of it can be searched.'),
    created_at: Timestamp.describe('When it was added.'),
    indexed_at: Timestamp.nullable().describe('When its passages were last made. null: never.'),
  })
  .meta({ id: 'KnowledgeDocument', description: 'A document of a repository.' })
export type KnowledgeDocument = z.infer<typeof KnowledgeDocument>

export const KnowledgeQuestion = z
  .strictObject({
    query: Text.min(1).max(2_000).describe('What is looked for, in words; a question is best.'),
    top_k: TopK.optional().describe(
      'How many passages to answer with. Left out: as many as the repository says.',
    ),
  })
  .meta({ id: 'KnowledgeQuestion', description: 'What is looked for.' })

export const KnowledgePassage = z
  .strictObject({
    document_id: Id.describe('The document that it is from.'),
    chunk_id: Id.describe('Names the passage, until its document is indexed again.'),
    title: Text.describe('The title of the document.'),
    heading: Text.nullable().describe('The headings above it, from the outermost. null: there are none.'),
    text: Text.describe('Its words.'),
    score: z.number().describe('How well it fits, from 0 to 1. Agents take no notice of passages below 0.3.'),
  })
  .meta({ id: 'KnowledgePassage', description: 'A passage of a document.' })
export type KnowledgePassage = z.infer<typeof KnowledgePassage>
