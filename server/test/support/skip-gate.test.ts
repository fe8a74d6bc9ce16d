// The gate itself: a run of vitest over a fixture, with the reporter of every run.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

function run(skip: string, ci: string): Promise<{ code: number | null; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; output: string }>()
  const args = ['run', '--config', 'server/test/props/skips/vitest.config.ts', '--root', root]
  const child = spawn(process.execPath, [`${root}node_modules/vitest/vitest.mjs`, ...args], {
    cwd: root,
    // Without the marks by which a worker of vitest knows itself.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, SKIP: skip, CI: ci },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  child.on('close', (code) => resolve({ code, output }))
  return promise
}

it('passes what is skipped for a reason on the list', async () => {
  const { code, output } = await run('', 'true')
  expect(output).toContain('1 passed, 0 failed, 1 skipped')
  expect(code).toBe(0)
})

it.each([
  ['unlisted', 'weights [skipped: the registry does not answer] is skipped for a reason that'],
  ['unnamed', 'unnamed is skipped without a reason.'],
  ['noted', 'noted is skipped for a reason that'],
])('fails a CI run with a skip that is %s', async (skip, sentence) => {
  const { code, output } = await run(skip, 'true')
  expect(output).toContain(sentence)
  expect(output).toContain('1 passed, 1 failed, 1 skipped')
  expect(code).toBe(1)
})

it('leaves a run at somebody’s desk alone', async () => {
  const { code, output } = await run('unlisted', '')
  expect(output).toContain('1 passed, 0 failed, 2 skipped')
  expect(code).toBe(0)
})
