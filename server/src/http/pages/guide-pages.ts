// The guides, the pages beside them and a search over all of it: rendered from docs/ on first use.
import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { marked } from 'marked'
import { fail } from '../failure.ts'
import { escapedHtml, type GuideLink, groupsOf, guidePageOf, searchForm, shortTitle } from './guide-layout.ts'

const folder = new URL('../../../../docs/', import.meta.url)

/** A document of the folder. */
interface Guide extends GuideLink {
  readonly markdown: string
}

export function guidePages() {
  const pages = new Map<string, Promise<string>>()
  let all: Promise<readonly Guide[]> | undefined
  const guides = () => (all ??= readGuides())
  return {
    async home(): Promise<string> {
      const listed = onlyGuides(await guides())
      return guidePageOf({ name: '', title: 'Documentation', body: homeOf(listed) }, listed)
    },
    /** The page at /docs/<name>, such as `errors` or `guide/calls`. */
    read(name: string): Promise<string> {
      const page = pages.get(name) ?? render(name, guides())
      // Only pages that exist are kept, so that the map does not grow with requests.
      page.then(
        () => pages.set(name, page),
        () => {},
      )
      return page
    },
    async search(query: string): Promise<string> {
      const title = query ? `Search: ${query}` : 'Search'
      const body = `<h1>${escapedHtml(title)}</h1>${listFound(await guides(), query)}`
      return guidePageOf({ name: 'search', title, body, query }, onlyGuides(await guides()))
    },
  }
}

// A name has no dots and no other folders, so that nothing else of the file system can be named.
const servable =
  /^(errors|configuration|agent-fields|glossary|operations\/[a-z-]+|guide\/(recipes\/)?[a-z-]+)$/
const beside = ['errors', 'configuration', 'agent-fields', 'glossary']

async function readGuides(): Promise<Guide[]> {
  const names = (await Promise.all(['guide', 'operations'].map(namesIn))).flat()
  return Promise.all(
    [...names.sort(), ...beside].map(async (name) => {
      const markdown = await readFile(new URL(`${name}.md`, folder), 'utf8')
      return { name, markdown, title: titleOf(markdown) ?? name, ...leadsOf(markdown) }
    }),
  )
}

async function namesIn(part: string): Promise<string[]> {
  const files = await readdir(new URL(`${part}/`, folder), { recursive: true })
  return files.filter((file) => file.endsWith('.md')).map((file) => `${part}/${file.slice(0, -3)}`)
}

function leadsOf(markdown: string): Pick<Guide, 'lead'> {
  const lead = leadOf(markdown)
  return lead ? { lead } : {}
}

const onlyGuides = (guides: readonly Guide[]) => guides.filter(({ name }) => !beside.includes(name))

const titleOf = (markdown: string): string | undefined => /^# (.*)$/m.exec(markdown)?.[1]

async function render(name: string, reading: Promise<readonly Guide[]>): Promise<string> {
  if (!servable.test(name)) fail('ROUTE_NOT_FOUND')
  const guides = await reading
  const guide = guides.find((one) => one.name === name)
  if (!guide) fail('ROUTE_NOT_FOUND')
  const body = marked.parse(relinked(guide.markdown, guide.name), { headerIds: true, mangle: false })
  return guidePageOf({ name: guide.name, title: guide.title, body }, onlyGuides(guides))
}

const relativeLink = /\[([^[\]]+)\]\((?![a-z]+:|[#/])([^)#]+)(#[^)]*)?\)/g

/** Links to other documents lead to their pages; source files are not served, so only their names stay. */
const relinked = (markdown: string, from: string): string =>
  markdown.replace(relativeLink, (_, text: string, path: string, anchor = '') => {
    const name = posix.normalize(`${posix.dirname(from)}/${path}`).replace(/\.md$/, '')
    return servable.test(name) ? `[${text}](/docs/${name}${anchor})` : text
  })

const mostFound = 20
const shownCharacters = 220

/** Pages that have every word, those with most of them first. */
function listFound(guides: readonly Guide[], query: string): string {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return '<p>Type what you are looking for.</p>'
  const matches = guides
    .map((guide) => {
      const text = guide.markdown.toLowerCase()
      const counts = words.map((word) => text.split(word).length - 1)
      const inTitle = words.filter((word) => guide.title.toLowerCase().includes(word)).length
      return { guide, isMatch: counts.every(Boolean), score: inTitle * 100 + Math.min(...counts) }
    })
    .filter(({ isMatch }) => isMatch)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostFound)
  if (matches.length === 0) return '<p>No page has all of these words.</p>'
  const items = matches.map(
    ({ guide }) =>
      `<li><a href="/docs/${guide.name}">${escapedHtml(guide.title)}</a><p>${excerpt(guide.markdown, words)}</p></li>`,
  )
  return `<ul class="found">${items.join('')}</ul>`
}

function excerpt(markdown: string, words: readonly string[]): string {
  const plain = markdown
    .replace(/^# .*$/m, '')
    .replace(/[`*|#]|\]\([^)]*\)|\[/g, ' ')
    .replace(/\s+/g, ' ')
  const at = Math.max(0, plain.toLowerCase().indexOf(words[0] ?? '') - 60)
  const marked = new RegExp(
    `(${words.map((word) => escapedHtml(word).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`,
    'gi',
  )
  return escapedHtml(plain.slice(at, at + shownCharacters)).replace(marked, '<mark>$1</mark>')
}

// The home page of the documentation: a search, and every page with a sentence of what it is about.

const cardOf = ({ name, title, lead }: GuideLink): string =>
  `<li><a href="/docs/${name}">${escapedHtml(shortTitle(title))}${lead ? `<span>${escapedHtml(lead)}</span>` : ''}</a></li>`

function homeOf(guides: readonly GuideLink[]): string {
  const groups = Object.entries(groupsOf(guides)).map(
    ([group, links]) => `<h2>${group}</h2><ul class="cards">${links.map(cardOf).join('')}</ul>`,
  )
  return `<div class="home"><h1>Documentation</h1>
<p>Guides, recipes and the reference of this installation. New here? Begin with <a href="/docs/guide/recipes/reception">a reception on a number</a>,
or <a href="/talk">talk to an agent</a>.</p>
${searchForm('')}
${groups.join('')}</div><script src="/docs/old-anchors.js"></script>`
}

const longest = 130

/** The first sentence of a document, as plain text. */
function leadOf(markdown: string): string | undefined {
  const paragraph = markdown
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .find((block) => /^[A-Za-z`*[]/.test(block) && !block.startsWith('```'))
  if (!paragraph) return undefined
  const plain = paragraph
    .replace(/!?\[([^[\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|<(?=http)|(?<=\S)>/g, '')
    .replace(/\s+/g, ' ')
  const sentence = /^.{20,}?\.(?=\s|$)/.exec(plain)?.[0] ?? plain
  if (sentence.length <= longest) return sentence
  return `${sentence.slice(0, sentence.lastIndexOf(' ', longest))} …`
}
