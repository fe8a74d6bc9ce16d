// The frame of a documentation page, in the colours of the dashboard: the list of pages, a search, and the text.
import { readFile } from 'node:fs/promises'

export interface GuideLink {
  /** The path below /docs/, such as `guide/calls`. */
  readonly name: string
  readonly title: string
  /** A sentence about the page. */
  readonly lead?: string
}

/** Guides are grouped by what people want to do; one that is not listed comes last. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Recipes: [
    'recipes/reception',
    'recipes/reminders',
    'recipes/survey',
    'recipes/support-with-knowledge',
    'recipes/transfer-to-a-person',
    'recipes/bring-your-own-model',
    'recipes/twilio-trunk',
    'recipes/telnyx-trunk',
  ],
  Agents: [
    ...['language-models', 'mind', 'vendors', 'voices', 'languages', 'pronunciation', 'tools', 'knowledge'],
    ...['graphs', 'guard-rails', 'analysis', 'versions'],
  ],
  Calls: ['calls', 'browser', 'batches', 'callers', 'sandbox', 'speech-to-text', 'receiving-events'],
  Telephones: ['phone-numbers', 'telephones', 'networks', 'on-the-telephone'],
  Running: [
    'running-it',
    'observability',
    'usage',
    'keys-and-workspaces',
    'people',
    'retries-and-errors',
    'assistants',
  ],
}

export const escapedHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const linkTo = ({ name, title }: GuideLink, current: string): string =>
  `<li><a href="/docs/${name}"${name === current ? ' aria-current="page"' : ''}>${escapedHtml(shortTitle(title))}</a></li>`

/** A title in the list omits what the name of its group says. */
export const shortTitle = (title: string): string =>
  title.replace(/^Recipe: (.)/, (_whole, first: string) => first.toUpperCase())

/** Groups every page, in the order of the list; the reference comes last. */
export function groupsOf(guides: readonly GuideLink[]): Record<string, readonly GuideLink[]> {
  const named = new Map(guides.map((guide) => [guide.name.replace('guide/', ''), guide]))
  const listed = new Set(Object.values(groups).flat())
  const others = [...named.keys()].filter((name) => !listed.has(name))
  const operations = others.filter((name) => name.startsWith('operations/'))
  const more = others.filter((name) => !operations.includes(name))
  const found = Object.entries({ ...groups, Operations: operations, More: more }).map(
    ([group, names]) => [group, names.flatMap((name) => named.get(name) ?? [])] as const,
  )
  return { ...Object.fromEntries(found.filter(([, links]) => links.length > 0)), Reference: reference }
}

const reference: readonly GuideLink[] = [
  {
    name: 'reference',
    title: 'API reference',
    lead: 'Every operation of agents, calls, batches, numbers and webhooks, with samples.',
  },
  {
    name: 'reference/speech',
    title: 'Speech-to-text reference',
    lead: 'Every operation of transcripts, with samples.',
  },
  { name: 'errors', title: 'Error codes', lead: 'Every code, its cause and what to do about it.' },
  {
    name: 'agent-fields',
    title: 'Agent fields',
    lead: 'What each setting of an agent does, vendor by vendor.',
  },
  { name: 'configuration', title: 'Settings', lead: 'Every setting of the service and its default.' },
  { name: 'glossary', title: 'Glossary', lead: 'The words that are ours.' },
]

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

// The style is composed once. An installation without the sources of the dashboard has its light colours.
const style = Promise.all([
  read('../../../../dashboard/src/style/colours.css').catch(
    () =>
      ':root{--canvas:#fff;--rail:#f8f8fa;--surface:#fff;--hover:#f3f3f6;--line:#e9e9ee;--edge:#d3d3dc;--ink:#1b1b22;--muted:#646471;--accent:#5753c6;--accent-ink:#4a46b4;--accent-soft:#efeffc}',
  ),
  read('../../../assets/docs/pages.css'),
]).then((parts) => parts.join(''))

export const headOf = async (title: string): Promise<string> =>
  `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escapedHtml(title)} · Parley</title><link rel="icon" href="data:,"><style>${await style}</style></head>`

export const searchForm = (query: string): string =>
  `<form action="/docs/search" role="search"><input name="q" type="search" aria-label="Search the documentation" placeholder="Search" value="${escapedHtml(query)}"><button>Search</button></form>`

export interface GuidePage {
  readonly name: string
  readonly title: string
  /** The text of the page, as HTML. */
  readonly body: string
  /** What was searched for. */
  readonly query?: string
}

export async function guidePageOf(page: GuidePage, guides: readonly GuideLink[]): Promise<string> {
  const { name, title, body, query = '' } = page
  const lists = Object.entries(groupsOf(guides)).map(
    ([group, links]) => `<h2>${group}</h2><ul>${links.map((link) => linkTo(link, name)).join('')}</ul>`,
  )
  return `<!doctype html>
<html lang="en">
${await headOf(title)}
<body><div class="page"><nav class="side" aria-label="Documentation"><a class="brand" href="/docs">Parley documentation</a>
${name === '' ? '' : searchForm(query)}
${lists.join('')}
<h2>Parley</h2><ul><li><a href="/dashboard/">Dashboard</a></li></ul></nav>
<main>${body}</main></div></body>
</html>
`
}
