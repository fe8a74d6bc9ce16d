// The template of what is sent to a tool: an object, or JSON in a text.

/** A placeholder may stand without quotation marks: {"count": %(count)i}. */
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
