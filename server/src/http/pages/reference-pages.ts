// The API reference by Redoc, and the files that the documentation loads. All of it is served from here.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { mountPaths } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { headOf } from './guide-layout.ts'

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

export type ReferencePath = keyof typeof references
export const referencePaths = Object.keys(references) as ReferencePath[]

export async function referencePageOf(path: ReferencePath): Promise<string> {
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

export function mountScripts(app: FastifyInstance): void {
  for (const [path, read] of Object.entries(scripts))
    app.get(path, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=86400')
        .type('text/javascript; charset=utf-8')
        .send(await read()),
    )
}
