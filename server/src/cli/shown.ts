// A result as it is printed: JSON, a table of a list, or a line for each field.

export function shown(result: unknown, json: boolean): string {
  if (json) return JSON.stringify(result, null, 2)
  return Array.isArray(result) ? columns(result) : lines(result as object)
}

const shortest = 20
const gap = 2

function lines(item: object): string {
  const width = Math.max(shortest, ...Object.keys(item).map((name) => name.length + gap))
  return Object.entries(item)
    .map(
      ([name, value]) => `${name.padEnd(width)}${typeof value === 'object' ? JSON.stringify(value) : value}`,
    )
    .join('\n')
}

function columns(items: Record<string, unknown>[]): string {
  // A row that was refused has other fields than one that was not.
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const table = [names, ...items.map((item) => names.map((name) => cellOf(item[name])))]
  const widths = names.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)))
  return table
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join(' '.repeat(gap))
        .trimEnd(),
    )
    .join('\n')
}

const nothing = '–'

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return nothing
  if (typeof value !== 'object') return String(value)
  if (!Array.isArray(value)) return cut(fieldsOf(value)) || nothing
  const isPlain = value.every((item) => typeof item !== 'object')
  return (isPlain ? value.join(', ') : cut(value.map(fieldsOf).join('; '))) || nothing
}

/** "name=Ada, city=Paris" */
const fieldsOf = (item: object): string =>
  Object.entries(item ?? {})
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')

// Wider ones would push everything else out of sight; --json has all of it.
const widest = 100

const cut = (text: string): string => (text.length > widest ? `${text.slice(0, widest - 1)}…` : text)
