// flite, where Debian's package is installed: the small offline voice that everybody knows, as a yardstick.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseWav } from '../server/src/media/wav-parse.ts'

const run = promisify(execFile)

/** Speaks at 16 kHz. */
export type Flite = (text: string, voice: 'slt' | 'rms') => Promise<Int16Array>

/** Finds flite; undefined where it is not installed. */
export async function findFlite(): Promise<Flite | undefined> {
  const isThere = await run('flite', ['-lv']).then(
    () => true,
    () => false,
  )
  return isThere ? speak : undefined
}

async function speak(text: string, voice: string): Promise<Int16Array> {
  const folder = await mkdtemp(join(tmpdir(), 'flite-'))
  try {
    const file = join(folder, 'said.wav')
    await run('flite', ['-voice', voice, '-t', text, '-o', file])
    return parseWav(await readFile(file)).channels[0] ?? new Int16Array()
  } finally {
    await rm(folder, { recursive: true })
  }
}
