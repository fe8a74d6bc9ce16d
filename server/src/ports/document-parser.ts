// The port that turns documents into text with headings.

export type Block =
  /** Level 1 is the outermost. */
  | { readonly of: 'heading'; readonly level: number; readonly text: string }
  | { readonly of: 'text'; readonly text: string }

export interface ParsedDocument {
  /** The title by the document itself; null: it has none. */
  readonly title: string | null
  readonly blocks: readonly Block[]
  /** Addresses that a page links to, as written. */
  readonly links: readonly string[]
}

export type DocumentType =
  | 'text/plain'
  | 'text/markdown'
  | 'text/html'
  | 'text/csv'
  | 'application/pdf'
  | 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

export type ParseResult =
  | { readonly ok: true; readonly document: ParsedDocument }
  /** The reason is one sentence for the user. Another attempt would not help. */
  | { readonly ok: false; readonly reason: string }

export interface DocumentParser {
  /** The type by content and name; undefined: the file is none that can be read. */
  typeOf(content: Buffer, filename: string | null): DocumentType | undefined
  parse(content: Buffer, type: DocumentType, signal: AbortSignal): Promise<ParseResult>
}
