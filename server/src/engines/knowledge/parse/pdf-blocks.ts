// The text of a PDF: lines put together from the positions of their letters, headings found by the size of their type.
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Block, ParsedDocument } from '../../../ports/document-parser.ts'
import { UnreadableDocument } from './document-type.ts'

interface Line {
  readonly text: string
  readonly heightPoints: number
  /** The distance from the bottom of the page. */
  readonly y: number
}

// No manual has more pages; a file with more is a mistake or an attack.
const mostPages = 5_000

export async function pdfBlocks(content: Uint8Array): Promise<ParsedDocument> {
  const task = getDocument({
    data: content,
    // The reader executes, loads and draws nothing.
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    verbosity: VerbosityLevel.ERRORS,
  })
  const pdf = await task.promise.catch((error: Error) => {
    throw new UnreadableDocument(
      error.name === 'PasswordException'
        ? 'The PDF is protected by a password; remove it and send the file again.'
        : 'The file is a damaged PDF, or none.',
    )
  })
  if (pdf.numPages > mostPages)
    throw new UnreadableDocument(
      `The PDF has ${pdf.numPages} pages; ${mostPages} are the most, so split it into parts.`,
    )
  const pages: Line[][] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(linesOf(items.filter((item) => 'str' in item)))
    page.cleanup()
  }
  const { info } = (await pdf.getMetadata().catch(() => ({ info: {} }))) as { info: { Title?: unknown } }
  await task.destroy()
  const blocks = blocksOf(withoutRunningHeads(pages))
  if (blocks.length === 0)
    throw new UnreadableDocument(
      'The PDF has no text, only pictures of it; make the text searchable (OCR) and send it again.',
    )
  const title = typeof info.Title === 'string' ? info.Title.trim() : ''
  return { title: title || null, blocks, links: [] }
}

interface Item {
  readonly str: string
  readonly transform: readonly number[]
  readonly height: number
  readonly hasEOL: boolean
}

function linesOf(items: readonly Item[]): Line[] {
  const lines: Line[] = []
  let text = ''
  let heightPoints = 0
  let y = 0
  const end = () => {
    const whole = text.replace(/\s+/g, ' ').trim()
    if (whole) lines.push({ text: whole, heightPoints, y })
    text = ''
    heightPoints = 0
  }
  for (const { str, transform, height, hasEOL } of items) {
    const at = transform[5] ?? 0
    if (text && Math.abs(at - y) > Math.max(2, heightPoints / 2)) end()
    y = at
    if (str.trim()) heightPoints = Math.max(heightPoints, height)
    text += str
    if (hasEOL) end()
  }
  end()
  return lines
}

/** Removes page numbers and lines that are at the same place of many pages. */
function withoutRunningHeads(pages: readonly Line[][]): Line[][] {
  const seen = new Map<string, number>()
  const keyOf = ({ text, y }: Line) => `${Math.round(y)} ${text.replaceAll(/\d+/g, '#')}`
  for (const page of pages)
    for (const key of new Set(page.map(keyOf))) seen.set(key, (seen.get(key) ?? 0) + 1)
  const often = Math.max(3, pages.length / 4)
  return pages.map((page) => page.filter((line) => (seen.get(keyOf(line)) ?? 0) < often))
}

// Body text varies a little; a heading stands out.
const headingRatio = 1.15
const longestHeading = 120

function blocksOf(pages: readonly Line[][]): Block[] {
  const lines = pages.flat()
  const usual = usualHeight(lines)
  const isHeading = ({ heightPoints, text }: Line) =>
    heightPoints > usual * headingRatio && text.length <= longestHeading && /\p{L}/u.test(text)
  const sizes = [...new Set(lines.filter(isHeading).map(({ heightPoints }) => Math.round(heightPoints)))]
    .sort((one, other) => other - one)
    .slice(0, 6)
  const blocks: Block[] = []
  let paragraph = ''
  let before: Line | undefined
  const end = () => {
    if (paragraph) blocks.push({ of: 'text', text: paragraph })
    paragraph = ''
  }
  for (const line of lines) {
    if (isHeading(line)) {
      end()
      const level = sizes.indexOf(Math.round(line.heightPoints)) + 1 || 6
      const last = blocks.at(-1)
      // A heading over two lines is one.
      if (last?.of === 'heading' && last.level === level && before && isHeading(before))
        blocks[blocks.length - 1] = { ...last, text: `${last.text} ${line.text}` }
      else blocks.push({ of: 'heading', level, text: line.text })
    } else {
      const gap = before ? before.y - line.y : 0
      if (gap > usual * 1.9 || (gap < 0 && /[.!?:]$/.test(paragraph))) end()
      paragraph = joined(paragraph, line.text)
    }
    before = line
  }
  end()
  return blocks
}

/** Joins two lines, and puts a word together that was divided between them. */
const joined = (paragraph: string, line: string): string => {
  if (!paragraph) return line
  if (/\p{Ll}-$/u.test(paragraph) && /^\p{Ll}/u.test(line)) return paragraph.slice(0, -1) + line
  return `${paragraph} ${line}`
}

/** The size of type that most letters have. */
function usualHeight(lines: readonly Line[]): number {
  const letters = new Map<number, number>()
  for (const { heightPoints, text } of lines) {
    const size = Math.round(heightPoints * 2) / 2
    letters.set(size, (letters.get(size) ?? 0) + text.length)
  }
  return [...letters].toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? 0
}
