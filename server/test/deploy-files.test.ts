// The files for operators: settings that exist, files that exist, units that systemd accepts.
import { execFile } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../src/platform/settings.ts'
import { itUnless } from './props/unless.ts'

const root = new URL('../../', import.meta.url)
const run = promisify(execFile)
const read = (path: string) => readFile(new URL(path, root), 'utf8')
const exists = (path: string | URL) =>
  access(path).then(
    () => true,
    () => false,
  )

const units = ['deploy/systemd/parley.service', 'deploy/systemd/parley@.service']

it.each([
  'deploy/container/Containerfile',
  'deploy/compose.yaml',
  'deploy/debian/parley.env',
  'scripts/test-deb',
  ...units,
])('%s names settings that there are', async (path) => {
  const named = (await read(path)).match(/\bPARLEY_[A-Z0-9_]+\b/g) ?? []
  expect(named.length).toBeGreaterThan(1)
  expect(named.filter((name) => !(name in settings))).toEqual([])
})

it('the image is made from files that there are', async () => {
  const text = await read('deploy/container/Containerfile')
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '))
  expect(copied.length).toBeGreaterThan(10)
  for (const path of copied) expect(await exists(new URL(path, root)), path).toBe(true)
  expect(text).toMatch(/^USER 10001$/m)
})

it('every variable of compose.yaml is explained or has a default', async () => {
  const text = await read('deploy/compose.yaml')
  const explained: string[] = (await read('deploy/example.env')).match(/^[A-Z0-9_]+(?==)/gm) ?? []
  const needed = [...text.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name = '']) => name)
  expect(needed.length).toBeGreaterThan(3)
  expect(needed.filter((name) => !explained.includes(name))).toEqual([])
  const { services } = parse(text, { merge: true })
  for (const role of ['api', 'worker', 'media'])
    expect(services[role]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
})

it('every variable of the edge is in edge.env, and used', async () => {
  const env = await read('deploy/edge/edge.env')
  const explained: string[] = env.match(/^EDGE_[A-Z0-9_]+(?==)/gm) ?? []
  const users = ['kamailio.cfg', 'systemd/kamailio.conf', 'systemd/rtpengine.conf', 'systemd/coturn.conf']
  const text = (await Promise.all(users.map((name) => read(`deploy/edge/${name}`)))).join('')
  const used = new Set(text.match(/\bEDGE_[A-Z0-9_]+\b/g))
  expect([...used].filter((name) => !explained.includes(name))).toEqual([])
  expect(explained.filter((name) => !used.has(name))).toEqual([])
  const named = (env + text).match(/\bPARLEY_[A-Z0-9_]+\b/g) ?? []
  expect(named.filter((name) => !(name in settings))).toEqual([])
})

it('the services of the edge read files that there are', async () => {
  for (const service of ['kamailio', 'rtpengine', 'coturn']) {
    const text = await read(`deploy/edge/systemd/${service}.conf`)
    const files = [...text.matchAll(/\/etc\/parley-edge\/(\S+)/g)].map(([, name = '']) => name)
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) expect(await exists(new URL(`deploy/edge/${file}`, root)), file).toBe(true)
  }
})

const analyze = '/usr/bin/systemd-analyze'

itUnless(
  (await exists(analyze)) ? undefined : 'systemd is not installed',
  'systemd accepts the units',
  async () => {
    for (const unit of units) {
      const { stderr } = await run(analyze, ['verify', fileURLToPath(new URL(unit, root))])
      expect(stderr.split('\n').filter((line) => line.includes('parley'))).toEqual([])
    }
  },
)

it('the units differ only in what is for one role', async () => {
  const [whole = '', role = ''] = await Promise.all(units.map(read))
  const linesOf = (text: string) => text.split('\n').filter((line) => !line.startsWith('#'))
  const ofOneRole = linesOf(role)
    .filter((line) => line !== 'EnvironmentFile=-/etc/parley/%i.env')
    .map((line) => line.replace(' (%i)', '').replace(' PARLEY_ROLES=%i', '').replace('/%i ', ' '))
  expect(ofOneRole).toEqual(linesOf(whole))
})

it('the package has everything that dpkg wants of it', async () => {
  const control = await read('deploy/debian/control')
  for (const field of ['Package', 'Version', 'Architecture', 'Maintainer', 'Depends', 'Description'])
    expect(control).toMatch(new RegExp(`^${field}: \\S`, 'm'))
  // What it is filled in with.
  const filled = (await read('scripts/build-deb')).match(/@[A-Z]+@/g)
  expect(new Set(control.match(/@[A-Z]+@/g))).toEqual(new Set(filled))
  for (const script of ['postinst', 'prerm', 'postrm', 'parley'])
    await run('sh', ['-n', fileURLToPath(new URL(`deploy/debian/${script}`, root))])
  expect(await read('deploy/debian/conffiles')).toBe('/etc/parley/parley.env\n')
})
