// Tests of the gate itself: a vitest run over a fixture, with the usual reporter.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

interface GateOutcome {
  readonly code: number | null
  readonly output: string
}

const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  'server/test/props/skips/vitest.config.ts',
]
const run = (skip: string, ci: string) => node(vitest, { SKIP: skip, CI: ci })

function node(args: readonly string[], env: Record<string, string> = {}): Promise<GateOutcome> {
  const { promise, resolve } = Promise.withResolvers<GateOutcome>()
  const child = spawn(process.execPath, args, {
    cwd: root,
    // Without the variables that mark a vitest worker.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  child.on('close', (code) => resolve({ code, output }))
  return promise
}

it('passes a test that is skipped for a listed reason', async () => {
  const { code, output } = await run('', 'true')
  expect(output).toContain('1 passed, 0 failed, 1 skipped')
  expect(code).toBe(0)
})

it('fails a CI run for every skip that is not listed, or has no reason', async () => {
  const { code, output } = await run('forbidden', 'true')
  expect(output).toContain('weights [skipped: the registry does not answer] is skipped for a reason that')
  expect(output).toContain('unnamed is skipped without a reason.')
  expect(output).toContain('noted is skipped for a reason that')
  expect(output).toContain('1 passed, 3 failed, 1 skipped')
  expect(code).toBe(1)
})

it('does not fail a local run', async () => {
  const { code, output } = await run('forbidden', '')
  expect(output).toContain('1 passed, 0 failed, 4 skipped')
  expect(code).toBe(0)
})

it('weights that cannot be downloaded end `make test` before its first test', async () => {
  const { code, output } = await node(['scripts/fetch-models.ts', 'tests', '/dev/null/models'])
  expect(output).toContain('/dev/null/models')
  expect(code).toBe(1)
})
