// The operations on the knowledge base.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes, onePage } from '../example-values.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id } from '../words.ts'
import {
  DocumentStatus,
  KnowledgeDocument,
  KnowledgePassage,
  KnowledgeQuestion,
  NewDocument,
  NewDocumentForm,
  NewRepository,
  Repository,
  RepositoryChange,
} from './knowledge.ts'

const ById = z.strictObject({ id: Id.describe('The repository_id that `createRepository` answered with.') })
const ByDocument = ById.extend({
  document_id: Id.describe('The document_id that `addDocument` answered with.'),
})
const tag = 'Knowledge base'
const byRepository = { params: { id: exampleIds.repository } }
const byDocument = { params: { id: exampleIds.repository, document_id: exampleIds.document } }

const repository = {
  repository_id: exampleIds.repository,
  name: 'Patient handbook',
  description: null,
  language: 'en',
  chunk_size: 512,
  chunk_overlap: 128,
  top_k: 5,
  status: 'ready',
  document_counts: { queued: 0, processing: 0, ready: 1, failed: 0 },
  chunk_count: 3,
  created_at: exampleTimes.created,
  updated_at: exampleTimes.created,
}

const document = {
  document_id: exampleIds.document,
  repository_id: exampleIds.repository,
  kind: 'text',
  title: 'Opening hours',
  filename: null,
  media_type: 'text/markdown',
  url: null,
  site_id: null,
  bytes: 96,
  status: 'queued',
  progress: { done: 0, total: null },
  error: null,
  duplicate_of: null,
  chunk_count: 0,
  created_at: exampleTimes.created,
  indexed_at: null,
}

const text =
  'Maple Dental is open from Monday to Friday, nine to six. On Saturday there is an emergency service.'

export const createRepository = operation({
  ...voiceAddresses.createRepository,
  tag,
  summary: 'Create a repository for documents',
  description:
    'It is empty at first: `addDocument` fills it, and agents that name it in `repository_ids` answer from it. What the settings do is in the [guide](/docs/guide/knowledge).',
  body: NewRepository,
  status: 201,
  data: Repository,
  example: {
    body: { name: repository.name, language: 'en' },
    data: { ...repository, document_counts: { ...repository.document_counts, ready: 0 }, chunk_count: 0 },
  },
})

export const listRepositories = operation({
  ...voiceAddresses.listRepositories,
  tag,
  summary: 'List the repositories of the workspace, newest first',
  description:
    'Each with its settings, its status and how many documents and passages it has. While one is processing, what was ready before is searched.',
  query: PageQuery,
  data: pageOf(Repository),
  example: { query: { limit: 20 }, data: onePage(repository) },
})

export const getRepository = operation({
  ...voiceAddresses.getRepository,
  tag,
  summary: 'Read one repository',
  description:
    'Its settings, its status and its counts. While `status` is processing, `listDocuments` has the progress of each document.',
  params: ById,
  data: Repository,
  example: { ...byRepository, data: repository },
})

export const updateRepository = operation({
  ...voiceAddresses.updateRepository,
  tag,
  summary: 'Change a repository',
  description:
    'Changes only the keys that are sent. Another language, chunk_size or chunk_overlap indexes every document again; until a document is done, its old passages are searched.',
  params: ById,
  body: RepositoryChange,
  data: Repository,
  example: { ...byRepository, body: { top_k: 3 }, data: { ...repository, top_k: 3 } },
})

export const deleteRepository = operation({
  ...voiceAddresses.deleteRepository,
  tag,
  summary: 'Delete a repository and everything in it',
  description:
    'Its documents, their passages, their vectors and their stored files are deleted at once. Refused with RESOURCE_IN_USE while an agent names it.',
  params: ById,
  data: z.strictObject({
    repository_id: Id.describe('The repository that was deleted.'),
    deleted: z.literal(true).describe('It is deleted.'),
  }),
  example: { ...byRepository, data: { repository_id: exampleIds.repository, deleted: true } },
})

export const addDocument = operation({
  ...voiceAddresses.addDocument,
  tag,
  summary: 'Add a document to a repository',
  description:
    'A file as multipart/form-data, or as JSON a text or the address of a page or a site. The answer comes at once and the work is done in the background: `getDocument` has its status and progress. The same content is not stored twice: a repository that has it already answers with the document that is there.',
  params: ById,
  body: NewDocument,
  form: NewDocumentForm,
  status: 201,
  data: KnowledgeDocument,
  example: {
    ...byRepository,
    body: { title: document.title, text },
    form: { title: 'Price list' },
    data: document,
  },
})

export const listDocuments = operation({
  ...voiceAddresses.listDocuments,
  tag,
  summary: 'List the documents of a repository, newest first',
  description:
    'Each with its status, its progress and, if it failed, the reason in one sentence. The pages of a site are documents of their own, with its `site_id`.',
  params: ById,
  query: PageQuery.extend({
    status: DocumentStatus.optional().describe('Only documents with this status. Left out: all.'),
  }),
  data: pageOf(KnowledgeDocument),
  example: { ...byRepository, query: { status: 'ready' }, data: onePage({ ...document, status: 'ready' }) },
})

export const getDocument = operation({
  ...voiceAddresses.getDocument,
  tag,
  summary: 'Read one document',
  description:
    'What is known of it, its status and its progress; its passages are found with `searchRepository`.',
  params: ByDocument,
  data: KnowledgeDocument,
  example: { ...byDocument, data: document },
})

export const reindexDocument = operation({
  ...voiceAddresses.reindexDocument,
  tag,
  summary: 'Index a document again',
  description:
    'Reads it again, from its address if it has one, and makes new passages. Until they are ready the old ones are searched; if it fails, they stay.',
  params: ByDocument,
  status: 202,
  data: KnowledgeDocument,
  example: { ...byDocument, data: document },
})

export const deleteDocument = operation({
  ...voiceAddresses.deleteDocument,
  tag,
  summary: 'Delete a document',
  description:
    'With its passages, its vectors and its stored file; a site with all of its pages. From the next question on it is not found any more.',
  params: ByDocument,
  data: z.strictObject({
    document_id: Id.describe('The document that was deleted.'),
    deleted: z.literal(true).describe('It is deleted.'),
  }),
  example: { ...byDocument, data: { document_id: exampleIds.document, deleted: true } },
})

export const searchRepository = operation({
  ...voiceAddresses.searchRepository,
  tag,
  summary: 'Find the passages that answer a question',
  description:
    'What an agent finds when a caller asks this: passages by meaning and by words, best first. Try it before you give the repository to an agent.',
  params: ById,
  body: KnowledgeQuestion,
  data: z.array(KnowledgePassage).max(50).describe('The passages, best first.'),
  example: {
    ...byRepository,
    body: { query: 'When are you open?', top_k: 1 },
    data: [
      {
        document_id: exampleIds.document,
        chunk_id: exampleIds.chunk,
        title: document.title,
        heading: null,
        text,
        score: 0.72,
      },
    ],
  },
})
