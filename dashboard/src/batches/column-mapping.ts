// The meaning of each column of a file. Files come with headings of their own, so it is guessed and can be changed.
import { type CsvPreview, headerEnd } from './csv-preview.ts'

/** The columns that the server knows; every other becomes a variable. */
export const knownColumns = {
  to_phone_number: 'Telephone numbers are in',
  name: 'Names are in',
  recipient_id: 'Your ids are in',
  timezone: 'Time zones are in',
} as const

export type KnownColumn = keyof typeof knownColumns
/** The heading that each known column has in the file. Left out: the file has no such column. */
export type ColumnMapping = Partial<Record<KnownColumn, string>>

const likely: Record<KnownColumn, RegExp> = {
  to_phone_number: /^(to_phone_number|(tele)?phone|phone[ _-]?number|mobile|cell|number|tel)\b/i,
  name: /^(name|full[ _-]?name|customer|first[ _-]?name)$/i,
  recipient_id: /^(recipient_id|id|customer[ _-]?id|external[ _-]?id)$/i,
  timezone: /^(timezone|time[ _-]?zone|tz)$/i,
}

/** Finds each known column by its own name, otherwise by what a heading is likely to mean. */
export function guessMapping(columns: readonly string[]): ColumnMapping {
  const mapping: ColumnMapping = {}
  for (const known of Object.keys(knownColumns) as KnownColumn[]) {
    const taken = Object.values(mapping)
    const heading =
      columns.find((column) => column === known) ??
      columns.find((column) => likely[known].test(column) && !taken.includes(column))
    if (heading !== undefined) mapping[known] = heading
  }
  return mapping
}

/** The file with the headings that the server knows. A column that has such a name but is not chosen gets another. */
export function withHeadings(text: string, { columns }: CsvPreview, mapping: ColumnMapping): string {
  const meant = new Map(Object.entries(mapping).map(([known, column]) => [column, known]))
  const headings = columns.map(
    (column) => meant.get(column) ?? (column in knownColumns ? `${column}_in_file` : column),
  )
  if (headings.every((heading, at) => heading === columns[at])) return text
  return headings.map(quoted).join(',') + text.slice(headerEnd(text))
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A text of the agent with the placeholders of a row filled in, and those that the row does not have. */
export function filledGreeting(
  template: string,
  columns: readonly string[],
  cells: readonly string[],
): { readonly text: string; readonly missing: readonly string[] } {
  const missing = new Set<string>()
  const text = template.replace(/\{\{?\s*([\w.-]+)\s*\}?\}/g, (whole, name: string) => {
    const value = cells[columns.indexOf(name)]?.trim()
    if (value) return value
    missing.add(name)
    return whole
  })
  return { text, missing: [...missing] }
}
