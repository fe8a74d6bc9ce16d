// Static checks of the repository: lint, types, dependency rules, dead code, generated pages.
// `make check` runs the same tools without the tests.
import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { configurationDoc } from '../../../scripts/write-configuration-doc.ts'
import { withoutCollecting } from '../support/program.ts'

const rules: { readonly forbidden: readonly { readonly name: string }[] } = createRequire(import.meta.url)(
  '../../../.dependency-cruiser.cjs',
)

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Returns the tool's output; a failure has it in its message. */
async function run(tool: string, ...args: string[]): Promise<string> {
  const outcome = promisify(execFile)(`${root}node_modules/.bin/${tool}`, args, {
    cwd: root,
    env: { ...process.env, ...withoutCollecting },
    maxBuffer: 2 ** 26,
  })
  const { stdout, stderr } = await outcome.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${tool} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`)
  })
  return stdout + stderr
}

it('passes Biome', () => run('biome', 'check', '.'))

it.each([
  ['a spread of a literal', 'call({ ...{ a: 1 }, b: 2 })', 'no spread of a literal'],
  ['a spread of literal arguments', 'call(...[1, 2])', 'no spread of a literal'],
  ['a type named by a participle', 'export interface Found {}', 'no bare participle'],
])('Biome refuses %s', async (_what, text, sentence) => {
  const file = `${root}server/test/tree/lint-intruder-${process.pid}.ts`
  await writeFile(file, `${text}\n`)
  try {
    await expect(run('biome', 'lint', file)).rejects.toThrow(sentence)
  } finally {
    await rm(file)
  }
})

// Several checkers would each work out most of the types.
const typeCheck = (project: string) => run('tsc', '--noEmit', '--checkers', '1', '-p', project)

it('type-checks', () => typeCheck('.'))

it('type-checks the dashboard', () => typeCheck('dashboard'))

const nameOf = (place: number) => `addresses-intruder-${process.pid}-${place}.ts`

const intruders = [
  ['server/src/platform', `./${nameOf(1)}`, 'no-circles'],
  ['server/src/platform', `./${nameOf(0)}`, 'no-circles'],
  ['server/src/media', '../platform/ids.ts', 'media-stays-low'],
  ['server/src/ports', '../platform/ids.ts', 'ports-stays-low'],
  ['server/src/engines/analysis', '../../http/failure.ts', 'engines-stays-low'],
  ['server/src/vendors/deepgram', '../../engines/language-code.ts', 'vendors-stays-low'],
  ['server/src/carriers/sandbox', '../../engines/language-code.ts', 'carriers-stays-low'],
  ['server/src/speech', '../mind/semantic-routes.ts', 'speech-stays-low'],
  ['server/src/mind', '../http/failure.ts', 'mind-stays-low'],
  ['server/src/resources/keys', '../../engines/language-code.ts', 'resources-stays-low'],
  ['server/src/vendors/deepgram', '../rime/speaks.ts', 'companies-do-not-meet'],
  ['server/src/vendors/over/hears', '../../deepgram/hears.ts', 'shared-halves-know-no-company'],
  ['server/src/http', '../main/service.ts', 'main-is-a-root'],
  ['server/src/main', '../cli/parley.ts', 'cli-is-a-root'],
  ['server/src/call', '../../test/support/read-if-there.ts', 'product-without-props'],
  ['server/src/call', 'node:fs', 'no-io-in-the-engine'],
  ['contract/src', './agents/agent.ts', 'addresses-stand-alone'],
  ['server/src/platform', '../http/failure.ts', 'platform-stays-low'],
  ['server/src/platform', '../../../contract/src/agents/agent.ts', 'platform-stays-low'],
  ['server/src/http', '../resources/agents/agents.ts', 'http-stays-low'],
  ['server/src/resources/keys', '../agents/store.ts', 'resources-meet-at-the-front-door'],
  ['server/src/main', '../resources/agents/store.ts', 'processes-enter-at-a-door'],
  ['server/src/call', '@parley/contract', 'call-stays-low'],
  ['server/src/call/turn', '../../../../contract/src/agents/agent.ts', 'call-stays-low'],
  ['server/src/ports', '@parley/contract', 'engines-get-a-plan'],
  ['server/src/mind', '@parley/contract', 'engines-get-a-plan'],
  ['server/src/engines/analysis', '../../../../contract/src/agents/agent.ts', 'engines-get-a-plan'],
  ['server/src/vendors', '../../../contract/src/agents/agent.ts', 'engines-get-a-plan'],
  ['server/src/speech', '@parley/contract', 'engines-get-a-plan'],
  ['server/src/ports', 'node:worker_threads', 'arrivals-are-opaque'],
  ['server/src/resources/calls', 'node:worker_threads', 'arrivals-are-opaque'],
  ['server/src/carriers/sandbox', '../browser/line.ts', 'carriers-do-not-meet'],
  ['server/src/main', '../carriers/browser/line.ts', 'carriers-by-their-record'],
  ['server/src/carriers/sip/message', '../transport/timers.ts', 'sip-message-knows-no-later-step'],
  ['server/src/carriers/sip/transport', '../transactions/endpoint.ts', 'sip-transport-knows-no-later-step'],
  ['server/src/carriers/sip/transactions', '../auth/digest.ts', 'sip-transactions-knows-no-later-step'],
  ['server/src/carriers/sip/auth', '../call/causes.ts', 'sip-auth-knows-no-later-step'],
  ['server/src/carriers/sip/call', '../trunk/trunk-book.ts', 'sip-call-knows-no-later-step'],
  ['server/src/carriers/sip/trunk', '../sound/codecs.ts', 'sip-trunk-knows-no-later-step'],
  ['server/src/carriers/sip/sound', '../line/link.ts', 'sip-sound-knows-no-later-step'],
  ['server/src/carriers/sip/line', '../door/door.ts', 'sip-line-knows-no-later-step'],
  ['server/src/carriers/sip/door', '../index.ts', 'sip-door-knows-no-later-step'],
  ['contract/src', '../../server/src/platform/ids.ts', 'contract-is-words'],
  ['sdk/src', '../../server/src/platform/ids.ts', 'clients-stay-outside'],
  ['sdk/src', '../../contract/src/agents/agent.ts', 'sdk-ships-types-only'],
  ['dashboard/src/agents', '../../../contract/src/index.ts', 'dashboard-ships-no-schemas'],
  ['dashboard/src/batches', '../agents/agent-editor.tsx', 'features-meet-at-the-front-door'],
  ['dashboard/src/numbers', '../knowledge/knowledge-page.tsx', 'features-meet-at-the-front-door'],
  ['dashboard/src/ui', '../agents/agents.tsx', 'ui-knows-no-feature'],
  ['dashboard/src/ui/forms', '../../session/session.tsx', 'ui-knows-no-feature'],
  ['dashboard/src/agents', './agents-page.tsx', 'pages-are-loaded-when-shown'],
  ['dashboard/src/talk', '../ask.ts', 'api-is-the-only-door'],
] as const

interface Violation {
  readonly from: string
  readonly to: string
  readonly rule: { readonly name: string }
}

/** Planted all at once, because reading the tree takes the time. Each is found by its own rule. */
async function violationsWithIntruders(): Promise<Violation[]> {
  const planted = intruders.map(([folder, target], place) => ({
    file: `${root}${folder}/${nameOf(place)}`,
    text: `import '${target}'\n`,
  }))
  await Promise.all(planted.map(({ file, text }) => writeFile(file, text)))
  try {
    const folders = ['contract', 'server', 'sdk', 'dashboard/src']
    const found = await run(
      ...(['depcruise', '--output-type', 'json', '--config', '.dependency-cruiser.cjs'] as const),
      ...folders,
    )
    return JSON.parse(found).summary.violations
  } finally {
    await Promise.all(planted.map(({ file }) => rm(file)))
  }
}

describe('the dependency rules', () => {
  let violations: Violation[]
  beforeAll(async () => {
    violations = await violationsWithIntruders()
  })

  it('each have somebody who breaks them here', () => {
    const names = rules.forbidden.map(({ name }) => name)
    expect(new Set(intruders.map(([, , rule]) => rule))).toEqual(new Set(names))
  })

  it('are followed', () => {
    const own = violations.filter(({ from }) => !from.includes(`-intruder-${process.pid}-`))
    expect(own).toEqual([])
  })

  it.each(intruders.map((intruder, place) => [...intruder, place] as const))(
    'find a forbidden import from %s to %s',
    (folder, _, rule, place) => {
      const found = violations.filter(({ from, to }) => [from, to].includes(`${folder}/${nameOf(place)}`))
      expect(found.map(({ rule: { name } }) => name)).toContain(rule)
    },
  )
})

it('has no dead code', () => run('knip'))

it('has an up-to-date reference of the settings', async () => {
  expect(await readFile(`${root}docs/configuration.md`, 'utf8')).toBe(configurationDoc())
})
