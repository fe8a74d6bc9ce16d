// Parses a Range header.
export type Range =
  | { readonly of: 'all' }
  | { readonly of: 'part'; readonly first: number; readonly last: number }
  | { readonly of: 'nothing' }

const all: Range = { of: 'all' }

/** A single range is honoured. Several ranges, or another unit, get the whole content, as HTTP allows. */
export function rangeOf(header: string | undefined, bytes: number): Range {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!found) return all
  const [, from = '', to = ''] = found
  if (from === '' && to === '') return all
  if (from === '') return part(Math.max(0, bytes - Number(to)), bytes - 1, bytes)
  if (to !== '' && Number(to) < Number(from)) return all
  return part(Number(from), to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1), bytes)
}

const part = (first: number, last: number, bytes: number): Range =>
  first < bytes && first <= last ? { of: 'part', first, last } : { of: 'nothing' }
