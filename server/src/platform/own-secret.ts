// The secret that the service makes for itself, in the data directory: `secret`, and `secret.previous` after a
// rotation.
import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileOf = (dataDir: string) => join(dataDir, 'secret')
const previousFileOf = (dataDir: string) => join(dataDir, 'secret.previous')

export interface OwnSecrets {
  readonly secret: string
  readonly previous: readonly string[]
}

/** Made on the first start. */
export async function readOwnSecrets(dataDir: string): Promise<OwnSecrets> {
  const secret = await readOwnSecret(dataDir)
  const previous = await read(previousFileOf(dataDir))
  if (secret) return { secret, previous: previous ? [previous] : [] }
  await write(fileOf(dataDir), freshSecret())
  return readOwnSecrets(dataDir)
}

/** Undefined: there is none yet. */
export const readOwnSecret = (dataDir: string): Promise<string | undefined> => read(fileOf(dataDir))

/** The present secret becomes the previous one. It is kept first, so that a kill in between loses nothing. */
export async function replaceOwnSecret(dataDir: string): Promise<string> {
  const { secret } = await readOwnSecrets(dataDir)
  const fresh = freshSecret()
  await write(previousFileOf(dataDir), secret)
  await write(fileOf(dataDir), fresh)
  return fresh
}

export const forgetPreviousSecret = (dataDir: string) => rm(previousFileOf(dataDir), { force: true })

const freshSecret = () => randomBytes(32).toString('base64')

async function read(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/** Writes the file beside its place and renames it, so that it is never incomplete. */
async function write(path: string, secret: string): Promise<void> {
  await writeFile(`${path}.new`, `${secret}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}
