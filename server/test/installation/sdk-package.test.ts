// The client library as its users get it: packed, installed in empty projects, and run by Node 18, by TypeScript and by
// a browser, against the real service.
import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSdk } from '../../../sdk/build/build.ts'
import { foreignImports } from '../../../sdk/build/foreign-imports.ts'
import { openBrowser, openContext } from '../support/browser.ts'
import { node18 } from '../support/node-18.ts'
import { runProgram } from '../support/program.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'

const run = promisify(execFile)
const sources = fileURLToPath(new URL('../support/sdk-package/', import.meta.url))

let folder: string
let tarball: string
let service: TestService
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-sdk-'))
  const built = join(folder, 'built')
  ;[service] = await Promise.all([openService(), buildSdk(built)])
  const { stdout } = await run('npm', ['pack', built, '--pack-destination', folder, '--json'])
  tarball = join(folder, JSON.parse(stdout)[0].filename)
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const installed = (project: string) => join(project, 'node_modules/@parley/sdk')

/** Offline: a package that needs another cannot be installed. Once, because npm takes longer than what is tested. */
let installing: Promise<string> | undefined
async function installOnce(): Promise<string> {
  const home = join(folder, 'installed')
  await mkdir(home)
  await writeFile(join(home, 'package.json'), '{}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: home })
  return home
}

/** A project with nothing but the package in it. */
async function project(name: string, manifest: object = {}): Promise<string> {
  const home = join(folder, name)
  installing ??= installOnce()
  await cp(await installing, home, { recursive: true })
  await writeFile(join(home, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...manifest }))
  await cp(sources, home, { recursive: true })
  return home
}

describe('the package', () => {
  it('needs no other package, private or public', async () => {
    const home = installed(await project('alone'))
    const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'private'])
      expect(manifest).not.toHaveProperty(kind)
    expect(manifest).toMatchObject({ engines: { node: '>=18' }, license: 'MIT', sideEffects: false })
    expect(await foreignImports(home)).toEqual([])
    for (const file of ['README.md', 'LICENSE', 'index.js', 'index.cjs', 'index.d.ts', 'index.d.cts'])
      expect((await stat(join(home, file))).size, file).toBeGreaterThan(500)
  })

  it.each([
    ['index.js', "import { z } from 'zod'"],
    ['index.cjs', "const contract = require('@parley/contract')"],
    ['index.d.ts', "import type { Agent as Other } from '@parley/contract'"],
    ['webhooks.d.cts', "export type Other = import('zod').ZodType"],
    ['index.js', "export * from './not-there.js'"],
  ])('is not built with a foreign import in its %s: %s', async (file, line) => {
    const spoiled = await mkdtemp(join(folder, 'spoiled-'))
    await cp(join(folder, 'built'), spoiled, { recursive: true })
    await appendFile(join(spoiled, file), `\n${line}\n`)
    expect(await foreignImports(spoiled)).toEqual([expect.stringContaining(`${file}: `)])
  })
})

describe('plain JavaScript on Node 18', () => {
  let home: string
  let node: string
  beforeAll(async () => {
    home = await project('plain')
    node = await node18()
  })

  it.each(['required.cjs', 'imported.mjs'])('talks to the service: %s', async (file) => {
    const { stdout } = await run(node, [file, service.url, boundKey], { cwd: home })
    expect(JSON.parse(stdout)).toEqual({
      node: expect.stringMatching(/^v18\./),
      listed: true,
      refused: 'VALIDATION_ERROR',
      events: ['status', 'ended'],
      recipients: 1,
      verified: 'e-1',
      forged: 'no-matching-signature',
      received: 200,
      escaped: true,
      callbackSecret: 'whsec_',
    })
  })

  it('fails if the package imports one that only this repository has', async () => {
    const other = await project('needy')
    await appendFile(join(installed(other), 'index.cjs'), "\nrequire('@parley/contract')\n")
    const outcome = run(node, ['required.cjs', service.url, boundKey], { cwd: other })
    await expect(outcome).rejects.toThrow("Cannot find module '@parley/contract'")
  })
})

describe('TypeScript', () => {
  const strict = {
    strict: true,
    noEmit: true,
    skipDefaultLibCheck: true,
    target: 'es2022',
    types: [],
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: false,
  }

  it.each([
    ['nodenext', 'module', { module: 'nodenext', moduleResolution: 'nodenext' }],
    ['node16', 'commonjs', { module: 'node16', moduleResolution: 'node16' }],
    ['bundler', 'module', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('checks a strict project that resolves like %s, with type %s', async (name, type, how) => {
    const home = await project(`typed-${name}`, { type })
    await writeFile(
      join(home, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...strict, ...how }, files: ['typed.ts'] }),
    )
    const { code, output } = await runProgram('tsc', ['-p', home])
    expect([code, output]).toEqual([0, ''])
  })
})

it('runs in a browser page', async () => {
  const home = installed(await project('page'))
  const browser = await openBrowser()
  try {
    const { context, complaints } = await openContext(browser)
    // A page of the service's own origin, with the files of the package beside it.
    await context.route(`${service.url}/page/**`, async (route) => {
      const name = new URL(route.request().url()).pathname.slice('/page/'.length)
      if (name === '')
        return route.fulfill({ contentType: 'text/html', body: '<script type=module src=page.mjs></script>' })
      const body = await readFile(join(name === 'page.mjs' ? sources : home, name), 'utf8')
      return route.fulfill({ contentType: 'text/javascript', body })
    })
    const page = await context.newPage()
    await page.goto(`${service.url}/page/#${boundKey}`)
    const outcome = await page.evaluate('outcome')
    expect([outcome, complaints]).toEqual([{ listed: true, events: ['status', 'ended'] }, []])
  } finally {
    await browser.close()
  }
})
