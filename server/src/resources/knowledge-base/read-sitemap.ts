// The addresses in a sitemap (sitemaps.org), and what a site forbids robots (RFC 9309). Pure.
import { gunzipSync } from 'node:zlib'

export interface Sitemap {
  readonly pages: readonly string[]
  /** Sitemaps within this one. */
  readonly sitemaps: readonly string[]
}

// As much as a sitemap may have, unpacked.
const mostBytes = 50 * 1024 ** 2

/** Undefined: it is none. */
export function readSitemap(served: Buffer): Sitemap | undefined {
  const content = unpacked(served)
  const head = content.subarray(0, 2_048).toString('utf8')
  const kind = /<(urlset|sitemapindex)\b/.exec(head)?.[1]
  if (!kind) return undefined
  const addresses = [
    ...content.toString('utf8').matchAll(/<loc>(?:\s*<!\[CDATA\[)?([^<\]]+)(?:\]\]>\s*)?<\/loc>/g),
  ]
    .map(([, address]) => unescapeXml((address ?? '').trim()))
    .filter((address) => URL.canParse(address))
  return kind === 'urlset' ? { pages: addresses, sitemaps: [] } : { pages: [], sitemaps: addresses }
}

/** A large one is often a file of gzip. */
function unpacked(content: Buffer): Buffer {
  if (content[0] !== 0x1f || content[1] !== 0x8b) return content
  try {
    return gunzipSync(content, { maxOutputLength: mostBytes })
  } catch {
    return content
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescapeXml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '')

/** Whether a path may be read, by the group for us or for everybody in a robots.txt. */
export function readRobots(text: string): (path: string) => boolean {
  const groups: { agents: string[]; rules: { allows: boolean; path: string }[] }[] = []
  let isNaming = false
  for (const line of text.split(/\r?\n/)) {
    const [, field = '', written = ''] = /^\s*([\w-]+)\s*:([^#]*)/.exec(line) ?? []
    const value = written.trim()
    const name = field.toLowerCase()
    if (name === 'user-agent') {
      if (!isNaming) groups.push({ agents: [], rules: [] })
      groups.at(-1)?.agents.push(value.toLowerCase())
      isNaming = true
    } else if (name === 'allow' || name === 'disallow') {
      isNaming = false
      if (value) groups.at(-1)?.rules.push({ allows: name === 'allow', path: value })
    }
  }
  const own = groups.filter(({ agents }) => agents.includes('parley'))
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = chosen.flatMap(({ rules: all }) => all)
  // The longest rule that fits decides; of two, the one that allows.
  return (path) =>
    rules
      .filter((rule) => matches(rule.path, path))
      .toSorted(
        (one, other) => other.path.length - one.path.length || Number(other.allows) - Number(one.allows),
      )[0]?.allows ?? true
}

/** `*` stands for anything, `$` for the end. Without regular expressions, which a hostile rule could make slow. */
function matches(rule: string, path: string): boolean {
  const isWhole = rule.endsWith('$')
  const parts = (isWhole ? rule.slice(0, -1) : rule).split('*')
  let at = 0
  for (const [place, part] of parts.entries()) {
    const found = place === 0 ? (path.startsWith(part) ? 0 : -1) : path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return !isWhole || at === path.length || (parts.at(-1) === '' && parts.length > 1)
}
