// The text of a Word document (.docx), by way of HTML.
import mammoth from 'mammoth'
import type { ParsedDocument } from '../../../ports/document-parser.ts'
import { UnreadableDocument } from './document-type.ts'
import { htmlBlocks } from './html-blocks.ts'

export async function wordBlocks(content: Buffer): Promise<ParsedDocument> {
  const options = {
    // Pictures say nothing, and would be copied into the text.
    convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"],
  }
  const converted = await mammoth.convertToHtml({ buffer: content }, options).catch((cause) => {
    throw new UnreadableDocument('The file is a damaged Word document, or none.', { cause })
  })
  return { ...htmlBlocks(converted.value), links: [] }
}
