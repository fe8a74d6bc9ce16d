// Every kind of document, and documents that are made to do harm: each fails alone, with a sentence.
import { describe, expect, it } from 'vitest'
import {
  docxOf,
  paragraph,
  pdfOf,
  slowMarkdown,
  zipBomb,
} from '../../../../test/props/knowledge/documents.ts'
import type { Block } from '../../../ports/document-parser.ts'
import { confinedParser } from './confined-parser.ts'

const parser = confinedParser()
const { signal } = new AbortController()

async function read(content: Buffer | string, filename: string) {
  const bytes = Buffer.from(content)
  const type = parser.typeOf(bytes, filename)
  if (!type) return 'not a document'
  const parsed = await parser.parse(bytes, type, signal)
  return parsed.ok ? parsed.document : parsed.reason
}

const heading = (level: number, text: string): Block => ({ of: 'heading', level, text })
const text = (words: string): Block => ({ of: 'text', text: words })

describe('a document', () => {
  it.each<[string, string, Buffer | string, Block[]]>([
    ['plain text', 'a.txt', 'One.\nStill one.\n\nTwo.', [text('One. Still one.'), text('Two.')]],
    [
      'Markdown',
      'a.md',
      '---\ntitle: x\n---\n# Fees\n\nA *visit* is [ten](https://a.example) euros.\n\n## Children\n- Nothing',
      [heading(1, 'Fees'), text('A visit is ten euros.'), heading(2, 'Children'), text('Nothing')],
    ],
    [
      'HTML',
      'a.html',
      '<title>T</title><nav>Menu</nav><main><h1>Hours</h1><p>Nine&nbsp;to six.<br>Always.</p><script>x()</script><table><tr><th>Day</th><td><p>Monday</p></td></tr></table></main><footer>F</footer>',
      [heading(1, 'Hours'), text('Nine to six. Always.'), text('Day | Monday')],
    ],
    [
      'CSV',
      'a.csv',
      'Service;Price\n"Cleaning; deep";90\nX-ray;40\n',
      [text('Service: Cleaning; deep; Price: 90.'), text('Service: X-ray; Price: 40.')],
    ],
    [
      'PDF',
      'a.pdf',
      pdfOf(['A visit is ten euros.', 'Bring (your) card.']),
      [text('A visit is ten euros. Bring (your) card.')],
    ],
    [
      'Word',
      'a.docx',
      docxOf(paragraph('A visit is ten euros.') + paragraph('Bring your card.')),
      [text('A visit is ten euros.'), text('Bring your card.')],
    ],
  ])('of %s is read', async (_kind, filename, content, blocks) => {
    expect(await read(content, filename)).toMatchObject({ blocks })
  })

  it.each([
    ['is not one', 'a.docx', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), 'not a document'],
    ['is empty', 'a.txt', '', 'not a document'],
    ['has no words', 'a.txt', ' \n ', 'The document has no text.'],
    ['is a damaged PDF', 'a.pdf', '%PDF-1.4\nnothing', 'The file is a damaged PDF, or none.'],
    [
      'is a scanned PDF',
      'a.pdf',
      pdfOf(['']),
      'The PDF has no text, only pictures of it; make the text searchable (OCR) and send it again.',
    ],
    [
      'is a damaged Word document',
      'a.docx',
      Buffer.from('PK\u0003\u0004 word/document.xml'),
      'The file is a damaged Word document, or none.',
    ],
  ])('that %s is refused with a sentence', async (_what, filename, content, reason) => {
    expect(await read(content, filename)).toBe(reason)
  })
})

describe('a hostile document', () => {
  it('that grows a thousandfold ends at the limit of memory', async () => {
    const small = confinedParser({ wallMs: 300_000, memoryMb: 200 })
    const bomb = zipBomb()
    expect(bomb.length).toBeLessThan(1024 ** 2)
    const type = small.typeOf(bomb, null)
    expect(type && (await small.parse(bomb, type, signal))).toEqual({
      ok: false,
      reason: 'The document could not be read with 200 MB of memory.',
    })
  })

  it('that takes forever ends at the limit of time', async () => {
    const quick = confinedParser({ wallMs: 2_500, memoryMb: 1_024 })
    expect(await quick.parse(slowMarkdown(), 'text/markdown', signal)).toEqual({
      ok: false,
      reason: 'The document could not be read within 2.5 seconds.',
    })
  })

  it('with ten thousand pages is refused before they are read', async () => {
    const book = pdfOf(Array<string>(10_000).fill('page'))
    expect(await read(book, 'a.pdf')).toBe(
      'The PDF has 10000 pages; 5000 are the most, so split it into parts.',
    )
  })

  it('that nests without end does not exhaust the stack', async () => {
    expect(await read(`${'<div>'.repeat(100_000)}deep`, 'a.html')).toBe('The document has no text.')
  })

  it('is left as soon as nobody waits for it', async () => {
    const leaving = new AbortController()
    const parsing = parser.parse(slowMarkdown(), 'text/markdown', leaving.signal)
    leaving.abort(new Error('deleted'))
    await expect(parsing).rejects.toThrow('deleted')
  })
})
