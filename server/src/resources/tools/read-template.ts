// The template of a tool's request body: an object, or a string with its JSON.

/** A placeholder may be written without quotation marks: {"count": %(count)i}. */
const bare = /([:[,]\s*)(%\(\w+\)[sdif])(?=\s*[,\]}])/g

export function readTemplate(written: unknown): unknown | 'unreadable' {
  if (typeof written === 'object') return written
  if (typeof written !== 'string') return 'unreadable'
  for (const text of [written, written.replace(bare, '$1"$2"')]) {
    try {
      return JSON.parse(text)
    } catch {}
  }
  return 'unreadable'
}
