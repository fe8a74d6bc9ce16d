// The OpenAPI documents describe exactly what the service does, lead to pages that exist, and pass the linters.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Address,
  dashboardAddresses,
  mountPaths,
  transcriptAddresses,
  trialAddresses,
  voiceAddresses,
  voiceOperations,
} from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../support/program.ts'
import { linksIn } from '../support/requests/openapi-gaps.ts'
import { openService, type TestService } from '../support/service.ts'

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
/** Of both interfaces, as they are served. */
const texts: Record<string, string> = {}
let folder: string

beforeAll(async () => {
  subscribe('fastify.initialization', noteRoutes)
  service = await openService()
  unsubscribe('fastify.initialization', noteRoutes)
  folder = await mkdtemp(join(tmpdir(), 'parley-openapi-'))
  const reply = await service.bare('GET', documentPath)
  document = reply.body
  text = reply.text
  texts[mountPaths.voice] = text
  texts[mountPaths.transcripts] = (await service.bare('GET', `${mountPaths.transcripts}/openapi.json`)).text
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
        ...addressesOf(
          { ...voiceAddresses, ...transcriptAddresses, ...trialAddresses },
          mountPaths.workspace,
        ),
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

/** The smaller document, whose first operation lacks its id and its responses. */
const spoiled = (): string => {
  const copy: Document = JSON.parse(texts[mountPaths.transcripts] ?? '')
  const [item = {}] = Object.values(copy.paths)
  const [method = ''] = Object.keys(item)
  item[method] = { responses: {} } as never
  return JSON.stringify(copy)
}

describe('what the documents link to', () => {
  const pagesIn = (page: string) => [...page.matchAll(/href="(\/docs[^"#]*)"/g)].map(([, path = '']) => path)

  it('is served, and so is what those pages link to', async () => {
    const links = Object.values(texts).flatMap((each) => linksIn(JSON.parse(each)))
    const waiting = new Set(links.filter((link) => link.startsWith('/docs')))
    expect(waiting.size).toBeGreaterThan(5)
    for (const path of waiting) {
      const { status, headers, text: page } = await service.bare('GET', path)
      expect([status, headers.get('content-type')], path).toEqual([200, 'text/html; charset=utf-8'])
      for (const next of pagesIn(page)) waiting.add(next)
    }
    expect([...waiting]).toContain('/docs/guide/retries-and-errors')
  })

  it.each(['/docs/nothing', '/docs/guide/nothing', '/docs/guide/..%2f..%2fpackage', '/docs/architecture'])(
    '%s is not there',
    async (path) => {
      const { status, body } = await service.bare('GET', path)
      expect([status, body.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
    },
  )

  it('names the address under which the document was asked for', async () => {
    const { body } = await service.bare('GET', documentPath)
    expect(body.paths['/agents'].get['x-codeSamples'][0].source).toContain(`'${service.url}${prefix}/agents?`)
    expect(body.tags[0].externalDocs.url).toBe(`${service.url}/docs/guide/language-models`)
  })

  it('does not repeat an address that would break out of a string', async () => {
    const { port } = new URL(service.url)
    const hostile = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.end(`GET ${documentPath} HTTP/1.1\r\nHost: a"'$(id)b\r\nConnection: close\r\n\r\n`),
      )
      let received = ''
      socket.setEncoding('utf8')
      socket.on('data', (part) => (received += part))
      socket.on('error', reject)
      socket.on('close', () => resolve(received))
    })
    expect(hostile).not.toContain('$(id)b')
  })
})

/** The documents and an invalid one. A linter takes longer to start than to read: it gets all of them at once. */
const lintedFiles = async (): Promise<string[]> => {
  const contents = { ...texts, invalid: spoiled() }
  const files = Object.entries(contents).map(([name, content]) => ({ path: fileOf(name), content }))
  await Promise.all(files.map(({ path, content }) => writeFile(path, content)))
  return files.map(({ path }) => path)
}
const fileOf = (name: string) => join(folder, `${name.replaceAll('/', '-')}.json`)

describe('redocly', () => {
  const totals = new Map<string, { errors: number; warnings: number; ignored: number }>()
  let output: string
  beforeAll(async () => {
    const files = await lintedFiles()
    ;({ output } = await runProgram('redocly', [
      ...['lint', ...files],
      ...['--config=redocly.yaml', '--format=json'],
    ]))
    const found = [...output.matchAll(/"totals": (\{[^}]*\})/g)].map(([, text = '']) => JSON.parse(text))
    for (const [place, file] of files.entries()) totals.set(file, found[place])
  })

  it.each([mountPaths.voice, mountPaths.transcripts])('reports nothing about the document of %s', (mount) => {
    expect(totals.get(fileOf(mount)), output).toEqual({ errors: 0, warnings: 0, ignored: 0 })
  })

  it('reports an invalid document', () => {
    expect(totals.get(fileOf('invalid'))?.errors, output).toBeGreaterThan(0)
  })
})

describe('spectral', () => {
  let found: { source: string; code: string }[]
  beforeAll(async () => {
    const { output } = await runProgram('spectral', [
      ...['lint', '--ruleset=.spectral.yaml', '--fail-severity=hint', '--format=json'],
      ...(await lintedFiles()),
    ])
    found = JSON.parse(output)
  })

  it.each([mountPaths.voice, mountPaths.transcripts])(
    'reports nothing about the document of %s, not even hints, with the OpenAPI and OWASP rules',
    (mount) => {
      expect(found.filter(({ source }) => source === fileOf(mount))).toEqual([])
    },
  )

  it('reports an invalid document', () => {
    const codes = found.flatMap(({ source, code }) => (source === fileOf('invalid') ? [code] : []))
    expect(codes).toContain('owasp:api4:2023-rate-limit-responses-429')
  })
})
