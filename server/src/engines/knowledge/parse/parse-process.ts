// The process that parses one document: its bytes on stdin, its text as JSON on descriptor 3.
//
// It has no environment and may neither write files nor start programs. A thread ends it when it takes too much memory.
import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import type { DocumentType, ParsedDocument, ParseResult } from '../../../ports/document-parser.ts'
import { decodeText, UnreadableDocument } from './document-type.ts'
import { htmlBlocks } from './html-blocks.ts'
import { csvBlocks, markdownBlocks, plainBlocks } from './text-blocks.ts'

const readers: Readonly<Record<DocumentType, (content: Buffer) => Promise<ParsedDocument> | ParsedDocument>> =
  {
    'text/plain': (content) => plainBlocks(decodeText(content)),
    'text/markdown': (content) => markdownBlocks(decodeText(content)),
    'text/html': (content) => htmlBlocks(decodeText(content)),
    'text/csv': (content) => csvBlocks(decodeText(content)),
    // Large libraries are loaded when they are needed.
    'application/pdf': async (content) =>
      (await import('./pdf-blocks.ts')).pdfBlocks(new Uint8Array(content)),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async (content) =>
      (await import('./word-blocks.ts')).wordBlocks(content),
  }

// A book of a thousand pages has 3 MB of text.
const mostCharacters = 20_000_000

function mustHaveText({ blocks }: ParsedDocument): void {
  const characters = blocks.reduce((sum, { text }) => sum + text.length, 0)
  if (characters === 0) throw new UnreadableDocument('The document has no text.')
  if (characters > mostCharacters)
    throw new UnreadableDocument(
      `The document has more than ${mostCharacters / 1e6} million characters; split it into parts.`,
    )
}

const [type, limitMb] = process.argv.slice(2) as [DocumentType, string]
// While the parser runs, this thread cannot look after itself.
new Worker(new URL('./memory-watch.ts', import.meta.url), { workerData: Number(limitMb) }).unref()

async function parsing(): Promise<ParseResult> {
  try {
    const document = await readers[type](await buffer(process.stdin))
    mustHaveText(document)
    return { ok: true, document }
  } catch (error) {
    if (error instanceof UnreadableDocument) return { ok: false, reason: error.message }
    throw error
  }
}

// The result does not go to stdout, where libraries write warnings.
const result = createWriteStream('', { fd: 3 })
result.end(JSON.stringify(await parsing()), () => process.exit(0))
