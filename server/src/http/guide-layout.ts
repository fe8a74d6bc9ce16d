// The frame of a documentation page, in the colours of the dashboard: the list of pages, a search, and the text.
import { readFile } from 'node:fs/promises'

export interface GuideLink {
  /** Below /docs/, such as `guide/calls`. */
  readonly name: string
  readonly title: string
}

/** By what people want to do; a guide that is not listed comes last. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Recipes: [
    'recipes/reception',
    'recipes/reminders',
    'recipes/survey',
    'recipes/support-with-knowledge',
    'recipes/transfer-to-a-person',
    'recipes/bring-your-own-model',
    'recipes/twilio-trunk',
  ],
  Agents: [
    ...['language-models', 'mind', 'vendors', 'voices', 'languages', 'pronunciation', 'tools', 'knowledge'],
    ...['graphs', 'guard-rails', 'analysis', 'versions'],
  ],
  Calls: ['calls', 'browser', 'batches', 'callers', 'sandbox', 'speech-to-text', 'receiving-events'],
  Telephones: ['phone-numbers', 'telephones', 'on-the-telephone'],
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

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const linkTo = ({ name, title }: GuideLink, current: string): string =>
  `<li><a href="/docs/${name}"${name === current ? ' aria-current="page"' : ''}>${escaped(shortOf(title))}</a></li>`

/** In the list the group already says that it is one. */
const shortOf = (title: string): string =>
  title.replace(/^Recipe: (.)/, (_whole, first: string) => first.toUpperCase())

function listOf(guides: readonly GuideLink[], current: string): string {
  const named = new Map(guides.map((guide) => [guide.name.replace('guide/', ''), guide]))
  const listed = new Set(Object.values(groups).flat())
  const others = [...named.keys()].filter((name) => !listed.has(name))
  return Object.entries({ ...groups, More: others })
    .map(([group, names]) => {
      const links = names.flatMap((name) => named.get(name) ?? []).map((guide) => linkTo(guide, current))
      return links.length > 0 ? `<h2>${group}</h2><ul>${links.join('')}</ul>` : ''
    })
    .join('')
}

const reference: readonly GuideLink[] = [
  { name: '', title: 'API reference' },
  { name: 'speech', title: 'Speech-to-text reference' },
  { name: 'errors', title: 'Error codes' },
  { name: 'configuration', title: 'Settings' },
  { name: 'glossary', title: 'Glossary' },
]

const looks = `*{box-sizing:border-box}body{margin:0;font:16px/1.6 system-ui,sans-serif;background:var(--canvas);color:var(--ink)}
.page{display:grid;grid-template-columns:16rem minmax(0,1fr);min-height:100vh}
.side{background:var(--rail);border-right:1px solid var(--line);padding:1.25rem 1rem;font-size:.875rem}
.side h2{font-size:.75rem;font-weight:500;color:var(--muted);margin:1.1rem 0 .3rem}.side ul{list-style:none;margin:0;padding:0}
.side a{display:block;padding:.25rem .6rem;border-radius:6px;color:var(--muted);text-decoration:none}
.side a:hover{background:var(--hover);color:var(--ink)}.side a[aria-current]{background:var(--line);color:var(--ink);font-weight:500}
.side form{display:flex;gap:.4rem}.side input{flex:1;min-width:0;font:inherit;padding:.35rem .6rem;border:1px solid var(--edge);border-radius:6px;background:var(--surface);color:var(--ink)}
.side button{font:inherit;padding:.35rem .7rem;border:1px solid var(--edge);border-radius:6px;background:var(--surface);color:var(--ink)}
main{max-width:52rem;padding:2rem 2rem 4rem;overflow-wrap:anywhere}h1{font-size:1.6rem;letter-spacing:-.02em}
pre{background:var(--rail);border:1px solid var(--line);padding:.8rem 1rem;overflow-x:auto;border-radius:8px}code{font:.875em ui-monospace,monospace}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top}
main a{color:var(--accent-ink)}.found{list-style:none;padding:0}.found li{margin:1.2rem 0}.found p{margin:.2rem 0;color:var(--muted)}mark{background:var(--accent-soft);color:var(--ink)}
@media(max-width:48rem){.page{grid-template-columns:minmax(0,1fr)}.side{border-right:0;border-bottom:1px solid var(--line)}main{padding:1.25rem 1rem 3rem}.side details ul{columns:2}}`

const colours = readFile(new URL('../../../dashboard/src/style/colours.css', import.meta.url), 'utf8').catch(
  () =>
    ':root{--canvas:#fff;--rail:#f8f8fa;--surface:#fff;--hover:#f3f3f6;--line:#e9e9ee;--edge:#d3d3dc;--ink:#1b1b22;--muted:#646471;--accent-ink:#4a46b4;--accent-soft:#efeffc}',
)

export interface GuidePage {
  readonly name: string
  readonly title: string
  /** HTML. */
  readonly body: string
  /** What was searched for. */
  readonly query?: string
}

export async function guidePageOf(page: GuidePage, guides: readonly GuideLink[]): Promise<string> {
  const { name, title, body, query = '' } = page
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Parley</title><link rel="icon" href="data:,"><style>${await colours}${looks}</style></head>
<body><div class="page"><nav class="side" aria-label="Documentation">
<form action="/docs/search" role="search"><input name="q" type="search" aria-label="Search the documentation" placeholder="Search" value="${escaped(query)}"><button>Search</button></form>
${listOf(guides, name)}<h2>Reference</h2><ul>${reference.map((link) => linkTo(link, name)).join('')}</ul>
<h2>Parley</h2><ul><li><a href="/dashboard/">Dashboard</a></li></ul></nav>
<main>${body}</main></div></body>
</html>
`
}
