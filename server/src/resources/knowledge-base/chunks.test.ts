import { describe, expect, it } from 'vitest'
import type { Block } from '../../ports/document-parser.ts'
import { chunksOf } from './chunks.ts'

const heading = (level: number, text: string): Block => ({ of: 'heading', level, text })
const text = (words: string): Block => ({ of: 'text', text: words })
const sizes = { chunkSize: 60, chunkOverlap: 25 }

describe('passages', () => {
  it('begin at headings and know the path to them', () => {
    const blocks = [
      text('Welcome.'),
      heading(1, 'Fees'),
      text('A visit is ten euros.'),
      heading(2, 'Children'),
      text('Children pay nothing.'),
      heading(1, 'Hours'),
      text('We open at nine.'),
    ]
    expect(chunksOf(blocks, sizes)).toEqual([
      { heading: null, text: 'Welcome.' },
      { heading: 'Fees', text: 'A visit is ten euros.' },
      { heading: 'Fees > Children', text: 'Children pay nothing.' },
      { heading: 'Hours', text: 'We open at nine.' },
    ])
  })

  it('end with a sentence and repeat the last one that fits into the overlap', () => {
    const blocks = [
      text('The first one is here. The second one too. It rains. The third one is a little longer.'),
    ]
    expect(chunksOf(blocks, sizes).map((chunk) => chunk.text)).toEqual([
      'The first one is here. The second one too. It rains.',
      'It rains. The third one is a little longer.',
    ])
  })

  it('are never longer than asked for, whatever the text', () => {
    const wild = `${'word '.repeat(200)}${'x'.repeat(500)} ${'A b. '.repeat(100)}`
    const chunks = chunksOf([text(wild)], sizes)
    expect(Math.max(...chunks.map((chunk) => chunk.text.length))).toBeLessThanOrEqual(60)
    const letters = (words: string) => words.replaceAll(/\s/g, '')
    for (const part of ['x'.repeat(60), 'word'])
      expect(chunks.some((chunk) => letters(chunk.text).includes(part))).toBe(true)
  })

  it('keep the ends of paragraphs', () => {
    expect(chunksOf([text('A title'), text('One. Two.')], sizes)).toEqual([
      { heading: null, text: 'A title\nOne. Two.' },
    ])
  })

  it('are not made of an overlap alone, nor of nothing', () => {
    expect(chunksOf([text('One short sentence.')], sizes)).toHaveLength(1)
    expect(chunksOf([heading(1, 'Empty')], sizes)).toEqual([])
  })
})
