// The local npm client, which knows the configured registry, proxy and tokens.
import { execFile } from 'node:child_process'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Model } from './catalogue.ts'

const run = promisify(execFile)

// Long enough for a large tarball over a slow connection; npm itself gives up when a connection dies.
const packTimeoutMs = 20 * 60_000
const viewTimeoutMs = 60_000

// By default npm takes over a minute to report that there is no network.
const impatient = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=500']

const spec = (model: Model) => `${model.package}@${model.version}`

/** The tarball's URL at the configured registry. */
export async function tarballAddress(model: Model, signal?: AbortSignal): Promise<URL> {
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
export async function packTarball(model: Model, to: string, signal?: AbortSignal): Promise<void> {
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
