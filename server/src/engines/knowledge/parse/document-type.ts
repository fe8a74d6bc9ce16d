// The type of a document: by its first bytes, and where those do not tell, by its name.
import { isUtf8 } from 'node:buffer'
import type { DocumentType } from '../../../ports/document-parser.ts'

const byEnding: Readonly<Record<string, DocumentType>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'text/html',
  csv: 'text/csv',
  tsv: 'text/csv',
}

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
// Enough for a declaration, a comment and a doctype.
const lookedAtBytes = 1_024

export function documentType(content: Buffer, filename: string | null): DocumentType | undefined {
  if (content.length === 0) return undefined
  const head = content.subarray(0, lookedAtBytes).toString('latin1')
  if (head.trimStart().startsWith('%PDF-')) return 'application/pdf'
  // Of zip archives only Word documents are read. Their content list names the document early.
  if (head.startsWith('PK\u0003\u0004')) return content.includes('word/document.xml') ? docx : undefined
  if (!isText(content)) return undefined
  const ending = filename?.split('.').at(-1)?.toLowerCase() ?? ''
  if (byEnding[ending]) return byEnding[ending]
  return /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<(!doctype html|html)\b/i.test(head)
    ? 'text/html'
    : 'text/plain'
}

/** Whether the bytes are UTF-8, UTF-16 with a mark, or Latin without control characters. */
const isText = (content: Buffer): boolean =>
  hasUtf16Mark(content) ||
  (!content.includes(0) &&
    (isUtf8(content) || !content.some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20))))

const hasUtf16Mark = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** The characters of a text file, whatever it is encoded in. */
export function decodeText(content: Buffer): string {
  const encoding = isUtf8(content) ? 'utf-8' : hasUtf16Mark(content) ? utf16Of(content) : 'windows-1252'
  return new TextDecoder(encoding).decode(content).replaceAll('\r\n', '\n').replaceAll('\u0000', '')
}

const utf16Of = ([first]: Buffer): string => (first === 0xff ? 'utf-16le' : 'utf-16be')

/** The message is one sentence for the user. */
export class UnreadableDocument extends Error {}
