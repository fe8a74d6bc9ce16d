// Builds and serves the page of yardstick-page/, as the dashboard is built and served.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

export interface Yardstick {
  readonly url: string
  close(): Promise<void>
}

export async function openYardstick(): Promise<Yardstick> {
  const folder = await mkdtemp(join(tmpdir(), 'yardstick-'))
  const root = fileURLToPath(new URL('yardstick-page/', import.meta.url))
  const output = { outDir: folder, emptyOutDir: true }
  await build({ root, configFile: false, logLevel: 'error', build: output })
  const server = createServer(async ({ url = '/' }, response) => {
    const path = normalize(new URL(url, 'http://localhost').pathname)
    const file = path === '/' ? '/index.html' : path
    const content = await readFile(join(folder, file)).catch(() => undefined)
    response.writeHead(content ? 200 : 404, { 'content-type': types[extname(file)] ?? 'text/plain' })
    response.end(content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true })
    },
  }
}
