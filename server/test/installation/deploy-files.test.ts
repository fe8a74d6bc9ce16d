// The files for operators: settings that exist, files that exist, units that systemd accepts.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { settings } from '../../src/platform/settings.ts'
import { itUnless } from '../props/unless.ts'

const root = new URL('../../../', import.meta.url)
const run = promisify(execFile)
const read = (path: string) => readFile(new URL(path, root), 'utf8')
const exists = (path: string | URL) =>
  access(path).then(
    () => true,
    () => false,
  )

const units = ['deploy/systemd/parley.service', 'deploy/systemd/parley@.service']
const dscpUnit = 'deploy/systemd/parley-dscp.service'

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

const noDpkg = (await exists('/usr/bin/dpkg-query')) ? undefined : 'dpkg is not installed'

itUnless(noDpkg, 'the image lists what npm, Debian and nobody has packaged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sbom-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'sbom.json')
  const ours = { name: 'zod', version: '4.0.0', type: 'library', purl: 'pkg:npm/zod@4.0.0' }
  await mkdir(join(folder, 'models'))
  await writeFile(join(folder, 'models', 'voice.onnx'), 'weights')
  await writeFile(file, JSON.stringify({ bomFormat: 'CycloneDX', components: [ours] }))
  const script = fileURLToPath(new URL('scripts/complete-sbom.ts', root))
  await run(process.execPath, [script, file, '--debian', '--models', join(folder, 'models')])
  const { bomFormat, components } = JSON.parse(await readFile(file, 'utf8'))
  expect(bomFormat).toBe('CycloneDX')
  const purls: string[] = components.map(({ purl = '' }) => purl)
  expect(purls).toContain(ours.purl)
  expect(purls).toContain(`pkg:generic/node@${process.versions.node}`)
  const [, version = ''] = (await run('dpkg-query', ['-W', 'libc6'])).stdout.trim().split('\t')
  const libc = `pkg:deb/debian/libc6@${encodeURIComponent(version)}?`
  expect(purls.some((purl) => purl.startsWith(libc))).toBe(true)
  const [voice] = components.filter(({ type }: { type: string }) => type === 'machine-learning-model')
  expect(voice.hashes[0].content).toBe(createHash('sha256').update('weights').digest('hex'))
  expect(new Set(components.map((one: object) => JSON.stringify(one))).size).toBe(components.length)
  // The Debian package ships a Node.js of its own, which is asked for its version.
  await writeFile(file, JSON.stringify({ components: [] }))
  await run(process.execPath, [script, file, '--node', '24.0.1'])
  const [shipped, ...more] = JSON.parse(await readFile(file, 'utf8')).components
  expect(shipped).toMatchObject({ name: 'node', version: '24.0.1', purl: 'pkg:generic/node@24.0.1' })
  expect(more).toEqual([])
  expect(await read('scripts/build-deb')).toMatch(
    /node_version=\$\("\$node_package\/bin\/node" [\s\S]*complete-sbom\.ts sbom\.json --node "\$node_version"/,
  )
  // After everything that it lists is there.
  const last = (await read('deploy/container/Containerfile')).split(/^FROM /m).at(-1) ?? ''
  expect(last.indexOf('apt-get install')).toBeGreaterThan(-1)
  expect(last.indexOf('complete-sbom.ts sbom.json --debian --models')).toBeGreaterThan(
    last.indexOf('COPY --from=build'),
  )
})

it('every variable of compose.yaml is explained or has a default', async () => {
  const text = await read('deploy/compose.yaml')
  const explained: string[] = (await read('deploy/example.env')).match(/^[A-Z0-9_]+(?==)/gm) ?? []
  const needed = [...text.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name = '']) => name)
  expect(needed.length).toBeGreaterThan(3)
  expect(needed.filter((name) => !explained.includes(name))).toEqual([])
  const { services } = parse(text, { merge: true })
  for (const role of ['api', 'worker', 'media'])
    expect(services[role]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      healthcheck: { test: ['CMD', 'node', 'scripts/is-ready.ts'] },
    })
})

it('the health check of the image says whether the service is ready', async () => {
  expect(await read('deploy/container/Containerfile')).toContain('CMD ["node", "scripts/is-ready.ts"]')
  for (const status of [200, 503]) {
    const server = createServer((request, response) =>
      response.writeHead(request.url === '/readyz' ? status : 404).end(),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect(await isReady(port), `answered ${status}`).toBe(status === 200)
    await new Promise((resolve) => server.close(resolve))
    expect(await isReady(port), 'not answered').toBe(false)
  }
})

const isReady = (port: number): Promise<boolean> =>
  run(process.execPath, [fileURLToPath(new URL('scripts/is-ready.ts', root))], {
    env: { ...process.env, PORT: String(port) },
  }).then(
    () => true,
    () => false,
  )

it('Prometheus reads every process of compose.yaml', async () => {
  const { services } = parse(await read('deploy/compose.yaml'), { merge: true })
  const { scrape_configs, rule_files } = parse(await read('deploy/observability/prometheus.yaml'))
  const ports = Object.values<ComposeService>(services)
    .filter(({ image }) => image === 'localhost/parley:latest')
    .map(({ ports: published, environment }) => published?.[0]?.split(':').at(-2) ?? environment.PORT)
  expect(ports).toHaveLength(3)
  expect(scrape_configs[0].static_configs[0].targets.toSorted()).toEqual(
    ports.map((port) => `localhost:${port}`).toSorted(),
  )
  for (const file of rule_files)
    expect(await exists(new URL(`deploy/observability/${file}`, root))).toBe(true)
})

interface ComposeService {
  readonly image: string
  readonly ports?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
  readonly labels?: { readonly severity: string }
}

it('every objective has a fast and a slow burn of its budget, each over two windows', async () => {
  const { groups } = parse(await read('deploy/observability/alerts.yaml'))
  const rules: readonly Rule[] = groups[0].rules
  const page = await read('docs/guide/observability.md')
  const objectives = [...page.matchAll(/^\| (99[.\d]*) % of .*`(\w+)FastBurn`, `\2SlowBurn` \|$/gm)]
  expect(objectives).toHaveLength(3)
  for (const [, percent, name] of objectives)
    for (const { speed, times, windows, severity } of [
      { speed: 'Fast', times: 14.4, windows: ['5m', '1h'], severity: 'page' },
      { speed: 'Slow', times: 6, windows: ['30m', '6h'], severity: 'ticket' },
    ]) {
      const rule = rules.find(({ alert }) => alert === `${name}${speed}Burn`)
      expect(rule?.labels?.severity).toBe(severity)
      const compared = [...(rule?.expr ?? '').matchAll(/(\S+:ratio)(\w+) > ([\d.]+)/g)]
      expect(compared.map(([, , window]) => window)).toEqual(windows)
      for (const [, ratio, window, bound] of compared) {
        expect(Number(bound)).toBeCloseTo((times * (100 - Number(percent))) / 100, 8)
        const recorded = rules.find(({ record }) => record === `${ratio}${window}`)
        expect(new Set(recorded?.expr.match(/\[\w+\]/g))).toEqual(new Set([`[${window}]`]))
      }
    }
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

it('Patroni keeps its lease where a primary that was cut off cannot take it back', async () => {
  expect(await read('deploy/database/node.env')).toMatch(/^PATRONI_ETCD_HOSTS=/m)
  const etcd = await read('deploy/database/etcd.env')
  for (const line of ['ETCD_ENABLE_V2=true', 'ETCD_PRE_VOTE=true']) expect(etcd.split('\n')).toContain(line)
})

const analyze = '/usr/bin/systemd-analyze'

itUnless(
  (await exists(analyze)) ? undefined : 'systemd is not installed',
  'systemd accepts the units',
  async () => {
    for (const unit of [...units, dscpUnit]) {
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
  // The values that the file is filled in with.
  const filled = (await read('scripts/build-deb')).match(/@[A-Z]+@/g)
  expect(new Set(control.match(/@[A-Z]+@/g))).toEqual(new Set(filled))
  for (const script of ['postinst', 'prerm', 'postrm', 'parley'])
    await run('sh', ['-n', fileURLToPath(new URL(`deploy/debian/${script}`, root))])
  expect(await read('deploy/debian/conffiles')).toBe('/etc/parley/parley.env\n')
})
