// The blocks of plain text, Markdown and CSV.
import { parse } from 'csv-parse/sync'
import { marked } from 'marked'
import type { Block, ParsedDocument } from '../../../ports/document-parser.ts'
import { UnreadableDocument } from './document-type.ts'
import { htmlBlocks } from './html-blocks.ts'

/** The blocks of a plain text, whose paragraphs end with an empty line. */
export const plainBlocks = (text: string): ParsedDocument => ({
  title: null,
  blocks: text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .map((paragraph): Block => ({ of: 'text', text: paragraph })),
  links: [],
})

/** The blocks of Markdown; the first heading is the title. */
export function markdownBlocks(text: string): ParsedDocument {
  // Front matter is for programs.
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '')
  const parsed = htmlBlocks(marked.parse(body, { headerIds: false, mangle: false }))
  const [first] = parsed.blocks
  return { ...parsed, title: first?.of === 'heading' && first.level === 1 ? first.text : null, links: [] }
}

/** The blocks of CSV: every row is a block that repeats the names of its columns, so that it can be understood alone. */
export function csvBlocks(text: string): ParsedDocument {
  const rows = rowsOf(text)
  const [header = [], ...lines] = rows
  const blocks = lines.flatMap((row): Block[] => {
    const cells = row.flatMap((cell, place) => {
      const value = cell.trim()
      const name = header[place]?.trim()
      return value ? [name ? `${name}: ${value}` : value] : []
    })
    return cells.length > 0 ? [{ of: 'text', text: `${cells.join('; ')}.` }] : []
  })
  return { title: null, blocks, links: [] }
}

function rowsOf(text: string): string[][] {
  const delimiter = delimiterOf(text)
  try {
    return parse(text, { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true })
  } catch (cause) {
    throw new UnreadableDocument('The CSV has a quote that is not closed.', { cause })
  }
}

function delimiterOf(text: string): string {
  const line = text.slice(0, text.indexOf('\n') >>> 0)
  const count = (mark: string) => line.split(mark).length
  return [',', ';', '\t', '|'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}
