// Files and folders that are named on the command line: whatever is wrong with one is told in a sentence.
import { createReadStream, type Stats } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { unreadable } from '../platform/refusal.ts'

export const readGiven = (path: string): Promise<Buffer> => told(path, readFile(path))

export const statGiven = (path: string): Promise<Stats> => told(path, stat(path))

export async function* streamGiven(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** The files below a folder, without hidden ones. The way to the folder itself may be hidden. */
export async function filesBelow(folder: string): Promise<string[]> {
  const names = await told(folder, readdir(folder, { recursive: true, withFileTypes: true }))
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.filter((file) => !/(^|\/)\./.test(relative(folder, file))).sort()
}

const told = <Answer>(path: string, asked: Promise<Answer>): Promise<Answer> =>
  asked.catch((error: unknown) => {
    throw unreadable(path, error)
  })
