// Placeholders in requests to a tool: `%(name)s`, `%(name)i` and `%(name)f`, and `{name}`.
//
//   {"id": "%(order)s", "count": "%(count)i", "note": "from {name}"}
//   {"id": "A7",        "count": 2,           "note": "from Ada"}

export type Template = unknown
export type TemplateValues = Readonly<Record<string, unknown>>

const placeholder = /%\((\w+)\)([sdif])|\{(\w+)\}/g

export const placeholdersIn = (template: string): ReadonlySet<string> =>
  new Set([...template.matchAll(placeholder)].map(([, name, , inBraces]) => name ?? inBraces ?? ''))

/** Fills a template. A key whose whole value is a placeholder without a value is omitted. */
export function fill(template: Template, values: TemplateValues): unknown {
  if (typeof template === 'string') return fillText(template, values)
  if (Array.isArray(template)) return template.map((item) => fill(item, values)).filter(isGiven)
  if (typeof template !== 'object' || template === null) return template
  const filled = Object.entries(template).map(([key, item]) => [key, fill(item, values)] as const)
  return Object.fromEntries(filled.filter(([, value]) => isGiven(value)))
}

/** Fills a template of a header, always as a string. */
export const fillWords = (template: string, values: TemplateValues): string =>
  template.replace(placeholder, (_all, name, _kind, inBraces) => wordsOf(values[name ?? inBraces]))

/**
 * Fills an address. Values become parts of a path or a query, never separators; a missing or traversing one is an
 * error.
 */
export function fillUrl(template: string, values: TemplateValues): string {
  return template.replace(placeholder, (_all, name, _kind, inBraces) => {
    const words = wordsOf(values[name ?? inBraces])
    if (/^\.*$/.test(words)) throw new Error(`"${name ?? inBraces}" cannot be part of the address`)
    return encodeURIComponent(words)
  })
}

function fillText(template: string, values: TemplateValues): unknown {
  const [match] = template.matchAll(placeholder)
  if (match?.[0] !== template) return fillWords(template, values)
  const [, name, kind, inBraces] = match
  const value = values[name ?? inBraces ?? '']
  if (!isGiven(value) || inBraces) return value
  if (kind === 's') return wordsOf(value)
  const number = Number(value)
  return kind === 'f' ? number : Math.trunc(number)
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

function wordsOf(value: unknown): string {
  if (!isGiven(value)) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
