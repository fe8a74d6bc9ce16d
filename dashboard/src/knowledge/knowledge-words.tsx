// Labels for repositories and documents. The compiler checks that the lists are complete.
import type { DocumentStatus, KnowledgeDocument, RepositoryStatus } from '@parley/contract'
import { Badge, type Tone } from '../ui/words/badge.tsx'

const repositoryWords: Record<RepositoryStatus, [string, Tone]> = {
  processing: ['Indexing', 'accent'],
  ready: ['Ready', 'good'],
  failed: ['Failed', 'bad'],
}

export const documentWords: Record<DocumentStatus, string> = {
  queued: 'Queued',
  processing: 'Indexing',
  ready: 'Ready',
  failed: 'Failed',
}
const documentTones: Record<DocumentStatus, Tone> = {
  queued: 'wait',
  processing: 'accent',
  ready: 'good',
  failed: 'bad',
}

export function RepositoryBadge({ status }: { status: RepositoryStatus }) {
  const [words, tone] = repositoryWords[status]
  return (
    <Badge tone={tone} dot>
      {words}
    </Badge>
  )
}

export function DocumentBadge({ status }: { status: DocumentStatus }) {
  return (
    <Badge tone={documentTones[status]} dot>
      {documentWords[status]}
    </Badge>
  )
}

const kinds: Record<KnowledgeDocument['kind'], string> = {
  file: 'File',
  text: 'Text',
  page: 'Web page',
  site: 'Web site',
}

/** What a document is, as in "PDF" or "Web page". */
export const kindOf = ({ kind, media_type: type }: KnowledgeDocument): string => {
  if (kind !== 'file') return kinds[kind]
  if (type === 'application/pdf') return 'PDF'
  if (type?.includes('wordprocessing')) return 'Word'
  return type ? type.replace('text/', '').replace('plain', 'text').toUpperCase() : kinds.file
}

export const sizeOf = (bytes: number | null): string => {
  if (bytes === null) return '—'
  if (bytes < 1_000) return `${bytes} bytes`
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB']
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${unit}`
}

/** What can be done about a document that could not be indexed. */
export const mendOf = ({ kind, url }: KnowledgeDocument): string =>
  url === null
    ? kind === 'text'
      ? 'Delete it and add the text again.'
      : 'Save it in another format, such as PDF with text or plain text, and add it again.'
    : 'Check that the address opens without signing in, then try again.'
