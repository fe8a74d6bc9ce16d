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
const read = (path: string) => readFile(new URL(path, root), 'utf8')
const exists = (path: string | URL) =>
  access(path).then(
    () => true,
    () => false,
  )

it.each(['deploy/container/Containerfile', 'deploy/compose.yaml', 'deploy/systemd/parley@.service'])(
  '%s names settings that there are',
  async (path) => {
    const named = (await read(path)).match(/\bPARLEY_[A-Z0-9_]+\b/g) ?? []
    expect(named.length).toBeGreaterThan(1)
    expect(named.filter((name) => !(name in settings))).toEqual([])
  },
)

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
  'systemd accepts the unit',
  async () => {
    const unit = fileURLToPath(new URL('deploy/systemd/parley@.service', root))
    const { stderr } = await promisify(execFile)(analyze, ['verify', unit])
    expect(stderr.split('\n').filter((line) => line.includes('parley@'))).toEqual([])
  },
)
