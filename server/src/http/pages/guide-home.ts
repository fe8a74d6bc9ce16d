// The home page of the documentation: a search, and every page with a sentence of what it is about.
import { escaped, type GuideLink, groupsOf, searchForm, shortOf } from './guide-layout.ts'

const cardOf = ({ name, title, lead }: GuideLink): string =>
  `<li><a href="/docs/${name}">${escaped(shortOf(title))}${lead ? `<span>${escaped(lead)}</span>` : ''}</a></li>`

export function homeOf(guides: readonly GuideLink[]): string {
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
export function leadOf(markdown: string): string | undefined {
  const paragraph = markdown
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .find((block) => /^[A-Za-z`*[]/.test(block) && !block.startsWith('```'))
  if (!paragraph) return undefined
  const plain = paragraph
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|<(?=http)|(?<=\S)>/g, '')
    .replace(/\s+/g, ' ')
  const sentence = /^.{20,}?\.(?=\s|$)/.exec(plain)?.[0] ?? plain
  if (sentence.length <= longest) return sentence
  return `${sentence.slice(0, sentence.lastIndexOf(' ', longest))} …`
}
