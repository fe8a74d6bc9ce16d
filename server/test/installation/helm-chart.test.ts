// The Helm chart: rendered by Go's template engine with Helm's functions, and checked against the schemas of Kubernetes.
import { execFile } from 'node:child_process'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { settings } from '../../src/platform/settings.ts'
import { describeUnless } from '../props/unless.ts'
import { faultsIn, validatorFor } from '../support/helm/kubernetes-schemas.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const chart = join(root, 'deploy/helm/parley')
const renderer = join(root, 'server/test/support/helm/render.go')
const sprig = '/usr/share/gocode/src/github.com/Masterminds/sprig'

// biome-ignore lint/suspicious/noExplicitAny: manifests have many shapes; the schemas are what checks them
type Manifest = any

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

let folder: string
let program: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-helm-'))
  program = join(folder, 'render')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function render(values: object): Promise<Manifest[]> {
  if (!(await isThere(program))) {
    // Debian's packages are on the path of sources, not in modules.
    const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', CGO_ENABLED: '0' }
    await run('go', ['build', '-o', program, renderer], { env })
  }
  const file = join(folder, 'values.yaml')
  await writeFile(file, stringify(values))
  const { stdout } = await run(program, [chart, 'parley', file])
  const files = Object.entries(JSON.parse(stdout) as Record<string, string>)
  return files
    .filter(([name]) => name.endsWith('.yaml'))
    .flatMap(([name, text]) => manifestsIn(name, text))
    .filter((manifest) => manifest !== null)
}

/** Strictly: a key that is there twice would hide the first one from the checks. */
const manifestsIn = (name: string, text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => {
    const [error] = [...document.errors, ...document.warnings]
    if (error) throw new Error(`${name}: ${error.message}`)
    return document.toJS({ mapAsMap: false })
  })

const small = { existingSecret: 'parley' }
const everything = {
  ...small,
  settings: { PARLEY_S3_BUCKET: 'recordings' },
  api: { settings: { PARLEY_LOG_LEVEL: 'debug' } },
  media: { autoscaling: { enabled: true }, sip: { enabled: true } },
  ingress: {
    enabled: true,
    className: 'nginx',
    tlsSecret: 'voice-tls',
    annotations: { 'example.com/a': 'b' },
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  image: { pullSecrets: [{ name: 'registry' }] },
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'calls', operator: 'Exists' }],
  podAnnotations: { 'example.com/c': 'd' },
}

const readSchema = async () => JSON.parse(await readFile(join(chart, 'values.schema.json'), 'utf8'))
const readDefaults = async () => parse(await readFile(join(chart, 'values.yaml'), 'utf8'))

it('values.schema.json accepts the defaults, and refuses what it does not know or cannot use', async () => {
  const isValid = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
    await readSchema(),
  )
  const defaults = await readDefaults()
  expect(isValid(defaults), JSON.stringify(isValid.errors)).toBe(true)
  expect(isValid({ ...defaults, replicas: 2 })).toBe(false)
  expect(isValid({ ...defaults, settings: { PARLEY_RATE_LIMIT: 10 } })).toBe(false)
  expect(isValid({ ...defaults, media: { ...defaults.media, capacity: 0 } })).toBe(false)
})

it('the schemas find what is wrong, and what would be ignored', async () => {
  const labels = { matchLabels: { a: 'b' } }
  const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'x' } }
  const faultsOf = async (spec: object) => faultsIn({ ...budget, spec }, await validatorFor(budget))
  expect(await faultsOf({ maxUnavailable: 1, selector: labels })).toEqual([])
  expect(await faultsOf({ maxUnavailabel: 1, selector: labels })).toEqual(['/spec/maxUnavailabel is unknown'])
  expect((await faultsOf({ maxUnavailable: 1, selector: 'a=b' })).join()).toContain('/spec/selector')
})

const lacking = (await isThere(sprig)) ? undefined : 'Go and sprig are not installed'

describeUnless(lacking, 'rendered', () => {
  it.each([
    ['with as little as possible', small],
    ['with everything', everything],
  ])('%s, it is what Kubernetes accepts, without a field that it would ignore', async (_, values) => {
    const manifests = await render(values)
    const faults: string[] = []
    for (const manifest of manifests) {
      const name = `${manifest.kind} ${manifest.metadata.name}`
      const validate = await validatorFor(manifest)
      faults.push(...faultsIn(manifest, validate).map((fault) => `${name}: ${fault}`))
    }
    expect(faults).toEqual([])
    expect(new Set(manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).size).toBe(
      manifests.length,
    )
  })

  it('has all kinds, a deployment for each role, and settings that there are', async () => {
    const manifests = await render(everything)
    expect([...new Set(manifests.map(({ kind }) => kind))].sort()).toEqual([
      ...['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Job', 'NetworkPolicy'],
      ...['PodDisruptionBudget', 'Service', 'ServiceAccount', 'ServiceMonitor'],
    ])
    const named = JSON.stringify(manifests).match(/\bPARLEY_[A-Z0-9_]+\b/g) ?? []
    expect(named.filter((name) => !(name in settings))).toEqual([])
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment')
    const roles = deployments.map(({ spec }) =>
      settingOf(spec.template.spec.containers[0].env, 'PARLEY_ROLES'),
    )
    expect(roles.sort()).toEqual(['api', 'media', 'speech', 'worker'])
    const media = deployments.find(({ metadata }) => metadata.name === 'parley-media')
    expect(media.spec.replicas).toBeUndefined()
    expect(media.spec.template.spec).toMatchObject({ hostNetwork: true, terminationGracePeriodSeconds: 630 })
    const [scaler] = manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')
    // server/test/installation/telemetry.test.ts sees that the service has it.
    expect(scaler.spec.metrics[0].pods.metric.name).toBe('parley_calls_live')
  })

  it('selects the pods that it makes', async () => {
    const manifests = await render(everything)
    const pods = manifests
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map(({ spec }) => spec.template.metadata.labels)
    const selectors = manifests.flatMap(({ kind, spec }) => {
      if (kind === 'Service') return [spec.selector]
      return kind === 'NetworkPolicy' ? [spec.podSelector.matchLabels] : (spec?.selector?.matchLabels ?? [])
    })
    expect(selectors.length).toBeGreaterThan(10)
    for (const selector of selectors.filter((one) => one['app.kubernetes.io/component'] !== 'metrics'))
      expect(
        pods.some((labels) => Object.entries(selector).every(([key, value]) => labels[key] === value)),
      ).toBe(true)
  })

  it('refuses to be installed without a Secret', async () => {
    await expect(render({})).rejects.toThrow('existingSecret is needed')
  })
})

const settingOf = (env: { name: string; value: string }[], name: string) =>
  env.find((one) => one.name === name)?.value
