// The OpenAPI document describes exactly what the service does, and passes the linters.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Address,
  dashboardAddresses,
  mountPaths,
  transcriptAddresses,
  voiceAddresses,
  voiceOperations,
} from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from './support/program.ts'
import { openService, type TestService } from './support/service.ts'

const prefix = mountPaths.voice
const documentPath = `${prefix}/openapi.json`
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const stranger = '99999999-9999-4999-8999-999999999999'

interface Document {
  openapi: string
  info: { version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, { operationId: string }>>
}

/** Every route that was registered with the framework during the start, except HEAD, which is where GET is. */
const routes: string[] = []
const noteRoutes = (message: unknown) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat().filter((name) => name !== 'HEAD'))
      routes.push(`${each} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
  })
}

let service: TestService
let document: Document
let text: string
let folder: string

beforeAll(async () => {
  subscribe('fastify.initialization', noteRoutes)
  service = await openService()
  unsubscribe('fastify.initialization', noteRoutes)
  folder = await mkdtemp(join(tmpdir(), 'parley-openapi-'))
  const reply = await service.bare('GET', documentPath)
  document = reply.body
  text = reply.text
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const addressesOf = (table: Record<string, Address>, below = '') =>
  Object.values(table).map(({ method, path }) => [method, below + path])

const documented = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({ method: method.toUpperCase(), path })),
  )

describe('the document', () => {
  it('is OpenAPI 3.1, version 1.0.0, and needs no key', async () => {
    const { status, headers } = await service.bare('GET', documentPath)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info.version).toBe('1.0.0')
    expect(document.servers.map(({ url }) => url)).toEqual([prefix])
  })

  it('lists the operations of the contract, each under its own name', () => {
    expect(documented().map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(voiceOperations.map(({ method, path }) => `${method} ${path}`)),
    )
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(ids.toSorted()).toEqual(voiceOperations.map(({ id }) => id).toSorted())
  })

  it('lists every route of the API, and no other', () => {
    const mounted = routes.filter((route) => route.includes(` ${prefix}/`))
    const expected = documented().map(({ method, path }) => `${method} ${prefix}${path}`)
    expect(mounted.toSorted()).toEqual([...expected, `GET ${documentPath}`].toSorted())
  })

  it.each([
    ['speech-to-text', mountPaths.transcripts, addressesOf(transcriptAddresses)],
    [
      'the dashboard',
      mountPaths.dashboard,
      [
        ...addressesOf(dashboardAddresses),
        ...addressesOf({ ...voiceAddresses, ...transcriptAddresses }, mountPaths.workspace),
      ],
    ],
  ])('is beside %s, whose routes match its table of addresses', (_name, mount, addresses) => {
    const mounted = routes.filter((route) => route.includes(` ${mount}/`))
    const expected = addresses.map(([method, path]) => `${method} ${mount}${path}`)
    const own = mounted.filter((route) => route !== `GET ${mount}/openapi.json`)
    expect(own.toSorted()).toEqual(expected.toSorted())
  })

  it('lists the right methods for every path, as requests show', async () => {
    const listed = new Set(documented().map(({ method, path }) => `${method} ${path}`))
    const wrong: string[] = []
    for (const path of Object.keys(document.paths)) {
      for (const method of methods) {
        const reply = await service.ask(method, path.replaceAll(/\{\w+\}/g, stranger))
        const answered = reply.body.code !== 'ROUTE_NOT_FOUND'
        if (answered !== listed.has(`${method} ${path}`)) wrong.push(`${method} ${path}: ${reply.text}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('has no reference that is dangling, circular or external', () => {
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to)
    expect(references.length).toBeGreaterThan(0)
    for (const to of references) {
      expect(to).toMatch(/^#\//)
      const target = to
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)
      expect(target, to).toBeDefined()
      expect(target, to).not.toEqual({ $ref: to })
    }
  })
})

/** A copy whose first operation lacks its id and its responses. */
const spoiled = (): string => {
  const copy = structuredClone(document) as unknown as Document
  const [item = {}] = Object.values(copy.paths)
  const [method = ''] = Object.keys(item)
  item[method] = { responses: {} } as never
  return JSON.stringify(copy)
}

describe('redocly', () => {
  const lint = async (contents: string) => {
    const file = join(folder, 'openapi.json')
    await writeFile(file, contents)
    const { code, output } = await runProgram('redocly', [
      'lint',
      file,
      '--config=redocly.yaml',
      '--format=json',
    ])
    const totals = /"totals": (\{[^}]*\})/.exec(output)?.[1]
    return { code, totals: totals && JSON.parse(totals), output }
  }

  it('reports nothing with its recommended rules', async () => {
    const { code, totals, output } = await lint(text)
    expect([code, totals], output).toEqual([0, { errors: 0, warnings: 0, ignored: 0 }])
  })

  it('reports an invalid document', async () => {
    const { code, totals } = await lint(spoiled())
    expect(code).toBe(1)
    expect(totals.errors).toBeGreaterThan(0)
  })
})

describe('spectral', () => {
  const lint = (contents: string) =>
    runProgram(
      'spectral',
      // The name only selects the exceptions to the rules; nothing is read from there.
      ['lint', '--ruleset=.spectral.yaml', '--fail-severity=hint', '--stdin-filepath=openapi.json'],
      contents,
    )

  it('reports nothing, not even hints, with the OpenAPI and OWASP rules', async () => {
    const { code, output } = await lint(text)
    expect(code, output).toBe(0)
  })

  it('reports an invalid document', async () => {
    const { code, output } = await lint(spoiled())
    expect(code).toBe(1)
    expect(output).toContain('owasp:api4:2023-rate-limit')
  })
})
