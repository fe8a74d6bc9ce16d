// Browser pages: the API reference, the guides, the dashboard and the talk page, all served locally.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { mountPaths, sharedPath } from '@parley/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { originOf } from '../doors/voice-door.ts'
import { sampleOrigin } from '../openapi/openapi-curl.ts'
import { fastifyPath } from '../path.ts'
import { headOf } from './guide-layout.ts'
import { guidePages } from './guide-pages.ts'

const built = fileURLToPath(new URL('../../../../dashboard/dist/', import.meta.url))
// An older build may contain only some of them.
const isBuilt = ['index.html', 'talk.html', 'shared.html'].every((page) => existsSync(`${built}${page}`))

const guarded = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

// Pages load from the same origin only. Redoc and React set inline styles; Redoc searches in a blob worker.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; media-src 'self'; worker-src blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const html = (reply: FastifyReply, page: string | Buffer, more: Record<string, string> = {}) =>
  reply
    .headers({ ...guarded, 'content-security-policy': policy, ...more })
    .type('text/html; charset=utf-8')
    .send(page)

const missing =
  '<!doctype html><title>Parley</title><p>The dashboard is not built. Run <code>make build</code>, then start again.</p>'

/** For pages that call an agent: the sockets of the call workers, and the microphone. */
const callingHeaders = (browserUrl: string | undefined) => ({
  'content-security-policy': `${policy.replace("connect-src 'self'", `connect-src 'self' ${socketsOf(browserUrl)}`)}`,
  'permissions-policy': 'microphone=(self)',
})

const socketsOf = (url: string | undefined) => (url ? new URL(url).origin.replace(/^http/, 'ws') : '')

// Anybody can send this header, so it may hold nothing that ends a JSON string or the quotation marks of a shell.
const plainOrigin = /^https?:\/\/([\w.-]+|\[[0-9a-f:]+\])(:\d+)?$/i

/**
 * The document is public, like the API reference. Its samples and links name the address that it was requested at. It
 * is composed on the first request, because that takes as long as the rest of the start.
 */
export const mountDocument = (app: FastifyInstance, prefix: string, compose: () => object): void => {
  let text: string | undefined
  app.get(`${prefix}/openapi.json`, (request, reply) => {
    text ??= JSON.stringify(compose())
    const origin = originOf(request)
    return reply
      .type('application/json; charset=utf-8')
      .send(plainOrigin.test(origin) ? text.replaceAll(sampleOrigin, origin) : text)
  })
}

function mountDocumentation(app: FastifyInstance): void {
  const guides = guidePages()
  app.get('/docs', async (_request, reply) => html(reply, await guides.home()))
  for (const path of referencePaths)
    app.get(path, async (_request, reply) => html(reply, await referencePageOf(path)))
  // The addresses that these pages had before there was a home page.
  app.get('/docs/speech', (_request, reply) => reply.redirect('/docs/reference/speech', 301))
  app.get('/docs/guide', (_request, reply) => reply.redirect('/docs', 301))
  app.get<{ Querystring: { q?: unknown } }>('/docs/search', async ({ query: { q } }, reply) =>
    html(reply, await guides.search(typeof q === 'string' ? q.slice(0, 200) : '')),
  )
  app.get<{ Params: { '*': string } }>('/docs/*', async ({ params }, reply) =>
    html(reply, await guides.read(params['*'])),
  )
  mountScripts(app)
}

export function mountPages(app: FastifyInstance, browserUrl: string | undefined): void {
  mountDocumentation(app)
  app.get('/', (_request, reply) => reply.redirect('/dashboard/'))
  if (!isBuilt) {
    app.get('/dashboard', (_request, reply) => html(reply, missing))
    app.get('/talk', (_request, reply) => html(reply, missing))
    return
  }
  app.register(fastifyStatic, {
    root: `${built}assets`,
    prefix: '/dashboard/assets/',
    immutable: true,
    maxAge: '365d',
  })
  const calling = callingHeaders(browserUrl)
  const talk = readFile(`${built}talk.html`)
  app.get('/talk', async (_request, reply) => html(reply, await talk, calling))
  // The page is served for any link; its data says whether the link is valid.
  const shared = readFile(`${built}shared.html`)
  app.get(fastifyPath(sharedPath), async (_request, reply) => html(reply, await shared))
  // Every dashboard page is the same document; the browser does the routing.
  const page = readFile(`${built}index.html`)
  app.get('/dashboard', async (_request, reply) => html(reply, await page, calling))
  app.get('/dashboard/*', async (_request, reply) => html(reply, await page, calling))
}

// The API reference by Redoc, and the files that the documentation loads. All of it is served from here.

const redoc = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js')
const assets = new URL('../../../assets/docs/', import.meta.url)

/** By path: the title, and the document that is shown. */
const references = {
  '/docs/reference': { title: 'API reference', document: `${mountPaths.voice}/openapi.json` },
  '/docs/reference/speech': {
    title: 'Speech-to-text reference',
    document: `${mountPaths.transcripts}/openapi.json`,
  },
}

type ReferencePath = keyof typeof references
const referencePaths = Object.keys(references) as ReferencePath[]

async function referencePageOf(path: ReferencePath): Promise<string> {
  const { title, document } = references[path]
  const links = referencePaths.map(
    (at) => `<a href="${at}"${at === path ? ' aria-current="page"' : ''}>${references[at].title}</a>`,
  )
  return `<!doctype html>
<html lang="en">
${await headOf(title)}
<body><nav class="bar" aria-label="Documentation"><a class="brand" href="/docs">Parley documentation</a>
${links.join('\n')}
<a href="/dashboard/">Dashboard</a></nav>
<main style="max-width:none;padding:0"><div id="reference" data-document="${document}"></div></main>
<script src="/docs/redoc.js"></script><script src="/docs/reference.js"></script></body>
</html>
`
}

async function redocBundle(): Promise<string> {
  const bundle = await readFile(redoc, 'utf8')
  // Redoc would load its vendor's logo; without the URL it leaves the image out.
  return bundle.replaceAll(/https:\/\/cdn\.redoc\.ly\/[^"]*/g, 'data:,')
}

const scripts: Readonly<Record<string, () => Promise<string>>> = {
  '/docs/redoc.js': redocBundle,
  '/docs/reference.js': () => readFile(new URL('reference.js', assets), 'utf8'),
  '/docs/old-anchors.js': () => readFile(new URL('old-anchors.js', assets), 'utf8'),
}

function mountScripts(app: FastifyInstance): void {
  for (const [path, read] of Object.entries(scripts))
    app.get(path, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=86400')
        .type('text/javascript; charset=utf-8')
        .send(await read()),
    )
}
