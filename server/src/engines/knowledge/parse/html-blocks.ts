// The text of an HTML page, block by block: navigation, scripts and other furniture are left out.
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import type { Block, ParsedDocument } from '../../../ports/document-parser.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/** Elements that are not part of what a page says. */
const furniture = new Set([
  ...[
    'script',
    'style',
    'noscript',
    'template',
    'svg',
    'canvas',
    'iframe',
    'object',
    'head',
    'nav',
    'footer',
  ],
  ...['form', 'button', 'select', 'textarea', 'dialog', 'aside', 'menu'],
])
const furnitureRoles = new Set(['navigation', 'banner', 'contentinfo', 'search', 'complementary', 'menu'])
/** Elements that end a line of text. */
const lineEnds = new Set([
  ...[
    'address',
    'article',
    'blockquote',
    'body',
    'caption',
    'dd',
    'div',
    'dl',
    'dt',
    'fieldset',
    'figcaption',
  ],
  ...['figure', 'header', 'hr', 'html', 'li', 'main', 'ol', 'p', 'pre', 'section', 'table', 'tbody', 'tfoot'],
  ...['thead', 'tr', 'ul'],
])
// A document that is nested deeper is made to exhaust the stack.
const deepest = 500

export function htmlBlocks(html: string): ParsedDocument {
  const page = parse(html)
  const reader = new Reader()
  const root = mainPart(page.childNodes) ?? page
  reader.read(root.childNodes, 0)
  return { title: titleIn(page.childNodes), blocks: reader.end(), links: linksIn(page.childNodes, 0) }
}

const isElement = (node: Node): node is Element => 'tagName' in node

const attribute = ({ attrs }: Element, wanted: string): string | undefined =>
  attrs.find(({ name }) => name === wanted)?.value

/** The one element that a page marks as its content. */
function mainPart(nodes: readonly Node[], depth = 0): Element | undefined {
  const mainElements = elementsNamed(nodes, 'main', depth)
  if (mainElements.length > 0) return mainElements[0]
  const articles = elementsNamed(nodes, 'article', depth)
  return articles.length === 1 ? articles[0] : undefined
}

function elementsNamed(nodes: readonly Node[], name: string, depth: number): Element[] {
  if (depth > deepest) return []
  return nodes
    .filter(isElement)
    .flatMap((node) => (node.tagName === name ? [node] : elementsNamed(node.childNodes, name, depth + 1)))
}

function titleIn(nodes: readonly Node[]): string | null {
  const [title] = elementsNamed(nodes, 'title', 0)
  const text = title?.childNodes.map((node) => ('value' in node ? node.value : '')).join('')
  return text?.replace(/\s+/g, ' ').trim() || null
}

const linksIn = (nodes: readonly Node[], depth: number): string[] =>
  depth > deepest
    ? []
    : nodes.filter(isElement).flatMap((node) => {
        const href = node.tagName === 'a' ? attribute(node, 'href') : undefined
        const nofollow = /\bnofollow\b/.test(attribute(node, 'rel') ?? '')
        return [...(href && !nofollow ? [href] : []), ...linksIn(node.childNodes, depth + 1)]
      })

class Reader {
  readonly #blocks: Block[] = []
  #text = ''
  /** The elements around the text that is being read. */
  #rows = 0

  read(nodes: readonly Node[], depth: number): void {
    if (depth > deepest) return
    for (const node of nodes) {
      if (node.nodeName === '#text' && 'value' in node) this.#text += node.value
      else if (isElement(node) && !isFurniture(node)) this.#element(node, depth)
    }
  }

  end(): Block[] {
    this.#flush()
    return this.#blocks
  }

  #element(node: Element, depth: number): void {
    const { tagName, childNodes } = node
    const level = /^h([1-6])$/.exec(tagName)?.[1]
    if (level) {
      this.#heading(Number(level), childNodes, depth)
      return
    }
    if (tagName === 'br') this.#text += '\n'
    if (tagName === 'td' || tagName === 'th') this.#cell()
    const endsLine = lineEnds.has(tagName)
    if (endsLine) this.#endLine()
    if (tagName === 'tr') this.#rows++
    this.read(childNodes, depth + 1)
    if (tagName === 'tr') this.#rows--
    if (endsLine) this.#endLine()
  }

  /** A row of a table is one line, whatever is in its cells. */
  #endLine(): void {
    if (this.#rows > 0) this.#text += ' '
    else this.#flush()
  }

  #heading(level: number, children: readonly Node[], depth: number): void {
    this.#flush()
    this.read(children, depth + 1)
    const text = squeeze(this.#text)
    this.#text = ''
    if (text) this.#blocks.push({ of: 'heading', level, text })
  }

  #cell(): void {
    if (this.#text.trim()) this.#text += ' | '
  }

  #flush(): void {
    const text = squeeze(this.#text)
    this.#text = ''
    if (/[\p{L}\p{N}]/u.test(text)) this.#blocks.push({ of: 'text', text })
  }
}

const isFurniture = (node: Element): boolean =>
  furniture.has(node.tagName) ||
  furnitureRoles.has(attribute(node, 'role') ?? '') ||
  attribute(node, 'hidden') !== undefined ||
  attribute(node, 'aria-hidden') === 'true'

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()
