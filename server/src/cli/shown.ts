// A result as it is printed: JSON, a table of a list, or a line for each field.

export function shown(result: unknown, json: boolean): string {
  if (json) return JSON.stringify(result, null, 2)
  return Array.isArray(result) ? columns(result) : lines(result as object)
}

function lines(item: object): string {
  return Object.entries(item)
    .map(([name, value]) => `${name.padEnd(20)}${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n')
}

function columns(items: object[]): string {
  const names = Object.keys(items[0] ?? {})
  const table = [names, ...items.map((item) => Object.values(item).map((value) => String(value ?? '–')))]
  const widths = names.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)))
  return table
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
