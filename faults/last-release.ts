// The last release, unpacked from this repository's history, on the dependencies that are installed.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onExit } from '../bench/cleanup-on-exit.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
// The newest tag or, where there is none, the commit of the last version that was installed.
const beforeTags = 'a6e844d0c51292926e9fbbff11808bea4d44b01c'

const git = (...args: string[]): string | undefined => {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}

const newest = git('describe', '--tags', '--abbrev=0', 'HEAD^') ?? beforeTags
const commit = git('rev-parse', '--verify', '--quiet', `${newest}^{commit}`)

/** What is missing to run the last release, in a sentence; undefined if nothing is. */
export const noLastRelease = commit === undefined ? 'the history of this repository is not here' : undefined

export interface LastRelease {
  readonly folder: string
  remove(): void
}

const workspaces = ['contract', 'dashboard', 'sdk', 'server']

export function unpackLastRelease(): LastRelease {
  const folder = mkdtempSync(join(tmpdir(), 'parley-last-release-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  const cleanup = onExit(remove)
  const archive = execFileSync(
    'git',
    ['archive', '--format=tar', commit ?? '', ...workspaces, 'package.json'],
    {
      cwd: root,
      maxBuffer: 2 ** 30,
    },
  )
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  // All dependencies are shared but the workspaces of this repository, which are those of the release.
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@parley'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@parley') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const name of workspaces) {
    symlinkSync(join(folder, name), join(modules, '@parley', name))
    const own = join(root, name, 'node_modules')
    if (readdirSync(join(root, name)).includes('node_modules'))
      symlinkSync(own, join(folder, name, 'node_modules'))
  }
  return {
    folder,
    remove() {
      cleanup.cancel()
      remove()
    },
  }
}
