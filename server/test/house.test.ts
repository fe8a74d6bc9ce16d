// The house itself: lint, types, who knows whom, dead code, generated pages. Each by the tool that knows.
import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { configurationDoc } from '../../scripts/write-configuration-doc.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What the tool prints; a failure carries it in its message. */
async function run(tool: string, ...args: string[]): Promise<string> {
  const outcome = promisify(execFile)(`${root}node_modules/.bin/${tool}`, args, {
    cwd: root,
    maxBuffer: 2 ** 26,
  })
  const { stdout, stderr } = await outcome.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${tool} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`)
  })
  return stdout + stderr
}

const slow = 180_000

it('reads well: Biome finds nothing', () => run('biome', 'check', '.'), slow)

it('type-checks', () => run('tsc', '--noEmit', '-p', '.'), slow)

it('type-checks in the browser too', () => run('tsc', '--noEmit', '-p', 'dashboard'), slow)

const cruise = () =>
  run('depcruise', '--config', '.dependency-cruiser.cjs', 'contract', 'server', 'sdk', 'dashboard/src')

it('keeps the rules of who may know whom', cruise, slow)

it.each([
  ['server/src/platform', '../http/failure.ts', 'platform-stays-low'],
  ['server/src/http', '../resources/agents/agents.ts', 'http-stays-low'],
  ['server/src/resources/keys', '../agents/store.ts', 'resources-meet-at-the-front-door'],
  ['server/src/call', '@parley/contract', 'call-stays-low'],
  ['server/src/call/turn', '../../../../contract/src/agent.ts', 'call-stays-low'],
  ['server/src/ports', '@parley/contract', 'engines-get-a-plan'],
  ['server/src/adapters/llm', '@parley/contract', 'engines-get-a-plan'],
  ['server/src/adapters/embedded/analysis', '../../../../../contract/src/agent.ts', 'engines-get-a-plan'],
  ['server/src/ports', 'node:worker_threads', 'arrivals-are-opaque'],
  ['server/src/resources/calls', 'node:worker_threads', 'arrivals-are-opaque'],
  ['server/src/adapters/carriers/sandbox', '../browser/line.ts', 'carriers-do-not-meet'],
  ['server/src/main', '../adapters/carriers/browser/line.ts', 'carriers-by-their-record'],
  ['contract/src', '../../server/src/platform/ids.ts', 'contract-is-words'],
  ['sdk/src', '../../server/src/platform/ids.ts', 'clients-stay-outside'],
  ['sdk/src', '../../contract/src/agent.ts', 'sdk-ships-types-only'],
  ['dashboard/src/agents', '../../../contract/src/index.ts', 'dashboard-ships-no-schemas'],
  ['dashboard/src/batches', '../agents/agent-editor.tsx', 'features-meet-at-the-front-door'],
  ['dashboard/src/ui', '../agents/agents.tsx', 'ui-knows-no-feature'],
  ['dashboard/src/talk', '../ask.ts', 'api-is-the-only-door'],
])(
  'would notice %s importing %s',
  async (folder, target, rule) => {
    const intruder = `${root}${folder}/intruder-${process.pid}.ts`
    await writeFile(intruder, `import '${target}'\n`)
    try {
      await expect(cruise()).rejects.toThrow(rule)
    } finally {
      await rm(intruder)
    }
  },
  slow,
)

it('carries no dead code', () => run('knip'), slow)

it('documents every setting as it is', async () => {
  expect(await readFile(`${root}docs/configuration.md`, 'utf8')).toBe(configurationDoc())
})
