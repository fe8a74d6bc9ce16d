// The manual that the benchmarks of the knowledge base ask: the Debian Administrator's Handbook, 540 pages, from
// Debian's package debian-handbook. The package is unpacked into a temporary folder; nothing of it is installed or kept.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { htmlBlocks } from '../../server/src/engines/knowledge/parse/html-blocks.ts'
import type { ParsedDocument } from '../../server/src/ports/document-parser.ts'

const run = promisify(execFile)
const inPackage = 'usr/share/doc/debian-handbook/html/en-US'

export interface ManualPage {
  readonly name: string
  readonly html: string
  readonly parsed: ParsedDocument
}

/** Reads the manual; undefined where there is no apt. `only`: the names of the pages that are wanted. */
export async function readManual(only?: readonly string[]): Promise<ManualPage[] | undefined> {
  const installed = join('/', inPackage)
  if (existsSync(installed)) return pagesIn(installed, only)
  const folder = await mkdtemp(join(tmpdir(), 'parley-manual-'))
  try {
    await run('apt-get', ['download', 'debian-handbook'], { cwd: folder })
    const [archive = ''] = await readdir(folder)
    await run('dpkg', ['-x', archive, 'unpacked'], { cwd: folder })
    return await pagesIn(join(folder, 'unpacked', inPackage), only)
  } catch {
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function pagesIn(folder: string, only: readonly string[] | undefined): Promise<ManualPage[]> {
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith('.html') && (only?.includes(name) ?? true),
  )
  return Promise.all(
    names.sort().map(async (name) => {
      const html = await readFile(join(folder, name), 'utf8')
      return { name, html, parsed: htmlBlocks(html) }
    }),
  )
}

export interface Questions {
  readonly answered: readonly {
    readonly half: 'A' | 'B'
    readonly question: string
    readonly passage: string
    readonly page: string
  }[]
  readonly unanswered: readonly { readonly half: 'A' | 'B'; readonly question: string }[]
}

export const readQuestions = async (): Promise<Questions> =>
  JSON.parse(await readFile(new URL('./questions.json', import.meta.url), 'utf8')) as Questions
