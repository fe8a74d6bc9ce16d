// Finds the pages of a site: those that a sitemap lists, or those that its pages link to.
import { DownloadError } from '../../platform/download.ts'
import { type FetchedPage, fetchPage, type PageLimits } from '../../platform/fetch-page.ts'
import type { Guard } from '../../platform/guard/guard.ts'
import type { DocumentParser } from '../../ports/document-parser.ts'
import { readRobots, readSitemap } from './read-sitemap.ts'

export interface SiteParts {
  readonly guard: Guard
  readonly parser: DocumentParser
  readonly limits: PageLimits
}

export interface SiteWish {
  readonly url: string
  readonly depth: number
  readonly maxPages: number
}

/** A page that was found; its content, if it had to be read to find others. */
export interface FoundPage {
  readonly url: string
  readonly page: FetchedPage | undefined
}

/** `onPage` is called for each page once. Returns all addresses. */
export async function readSite(
  parts: SiteParts,
  wish: SiteWish,
  onPage: (found: FoundPage) => Promise<void>,
  signal: AbortSignal,
): Promise<string[]> {
  const first = await fetchPage(parts.guard, wish.url, parts.limits, signal)
  const allows = await robotsOf(parts, first.url, signal)
  const found = new Set<string>()
  const take = async (url: string, page: FetchedPage | undefined) => {
    if (found.has(url) || found.size >= wish.maxPages) return
    found.add(url)
    await onPage({ url, page })
  }
  const isOurs = (url: string) => new URL(url).origin === new URL(first.url).origin && allows(pathOf(url))
  if (readSitemap(first.content)) await takeSitemap(parts, first, wish, { take, isOurs, found }, signal)
  else await follow(parts, first, wish, { take, isOurs, found }, signal)
  return [...found]
}

interface SiteVisit {
  readonly take: (url: string, page: FetchedPage | undefined) => Promise<void>
  readonly isOurs: (url: string) => boolean
  readonly found: ReadonlySet<string>
}

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** A site without rules, or whose rules cannot be read, forbids nothing. */
async function robotsOf({ guard, limits }: SiteParts, url: string, signal: AbortSignal) {
  try {
    const { content } = await fetchPage(guard, new URL('/robots.txt', url).href, limits, signal)
    return readRobots(content.toString('utf8'))
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error
    return () => true
  }
}

// At least so many sitemaps are read, even if few pages are wanted: the sitemap of all, those within it, and some
// that list nothing for us.
const fewestSitemaps = 10

/** Pages of a sitemap are read by their own jobs. A sitemap lists pages of its own site only. */
async function takeSitemap(
  { guard, limits }: SiteParts,
  first: FetchedPage,
  { depth, maxPages }: SiteWish,
  { take, isOurs, found }: SiteVisit,
  signal: AbortSignal,
): Promise<void> {
  const mostSitemaps = Math.max(fewestSitemaps, maxPages)
  const levels = new Map([[first.url, 0]])
  // Sitemaps are read one at a time, until there are enough pages. A map keeps the order in which it was filled, and
  // its iteration goes on with what is added.
  let read = 0
  for (const [address, level] of levels) {
    if (++read > mostSitemaps || found.size >= maxPages) return
    const page = level === 0 ? first : await orUndefined(fetchPage(guard, address, limits, signal))
    const sitemap = page && readSitemap(page.content)
    for (const url of sitemap?.pages ?? []) if (isOurs(url)) await take(withoutFragment(url), undefined)
    if (!sitemap || level >= Math.max(1, depth)) continue
    for (const url of sitemap.sitemaps.filter(isOurs)) if (!levels.has(url)) levels.set(url, level + 1)
  }
}

/** Follows links breadth first, one page at a time, so as not to burden a site. */
async function follow(
  { guard, parser, limits }: SiteParts,
  first: FetchedPage,
  { depth, maxPages }: SiteWish,
  { take, isOurs, found }: SiteVisit,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Set([withoutFragment(first.url)])
  let level: FetchedPage[] = [first]
  for (let left = depth; level.length > 0 && found.size < maxPages; left--) {
    const links: string[] = []
    for (const page of level) {
      await take(withoutFragment(page.url), page)
      if (left > 0 && isPage(page)) links.push(...(await linksOf(parser, page, signal)).filter(isOurs))
    }
    level = []
    for (const url of links) {
      if (seen.has(url) || seen.size > maxPages * 4 || found.size + level.length >= maxPages) continue
      seen.add(url)
      const page = await orUndefined(fetchPage(guard, url, limits, signal))
      if (page && isOurs(page.url)) level.push(page)
    }
  }
}

const isPage = ({ mediaType }: FetchedPage): boolean => /html/.test(mediaType)

async function linksOf(parser: DocumentParser, page: FetchedPage, signal: AbortSignal): Promise<string[]> {
  const parsed = await parser.parse(page.content, 'text/html', signal)
  if (!parsed.ok) return []
  return parsed.document.links.flatMap((link) => {
    const url = URL.parse(link, page.url)
    return url && /^https?:$/.test(url.protocol) ? [withoutFragment(url.href)] : []
  })
}

const withoutFragment = (url: string): string => url.split('#', 1)[0] as string

/** One page that cannot be read does not end the others. */
async function orUndefined(fetching: Promise<FetchedPage>): Promise<FetchedPage | undefined> {
  try {
    return await fetching
  } catch (error) {
    if (error instanceof DownloadError) return undefined
    throw error
  }
}
