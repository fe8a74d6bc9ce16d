// The guides and the error codes as pages, so that the reference can link to them: rendered from docs/ on first use.
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { marked } from 'marked'
import { fail } from './failure.ts'

const folder = new URL('../../../docs/', import.meta.url)

export interface GuidePages {
  /** The page at /docs/<name>, such as `errors` or `guide/calls`. */
  read(name: string): Promise<string>
}

export function guidePages(): GuidePages {
  const pages = new Map<string, Promise<string>>()
  return {
    read(name) {
      const page = pages.get(name) ?? render(name)
      // Only pages that exist are kept, so that the map does not grow with requests.
      page.then(
        () => pages.set(name, page),
        () => {},
      )
      return page
    },
  }
}

// One path segment below each: nothing else of the file system can be named.
const servable = /^(errors|configuration|glossary|guide\/[a-z-]+)$/

async function render(name: string): Promise<string> {
  if (!servable.test(name)) fail('ROUTE_NOT_FOUND')
  const markdown = await readFile(new URL(`${name}.md`, folder), 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return fail('ROUTE_NOT_FOUND')
    throw error
  })
  const body = marked.parse(relinked(markdown, name), { headerIds: true, mangle: false })
  return pageOf(/^# (.*)$/m.exec(markdown)?.[1] ?? name, body)
}

const relativeLink = /\[([^\]]+)\]\((?![a-z]+:|[#/])([^)#]+)(#[^)]*)?\)/g

/** Links to other documents lead to their pages; source files are not served, so only their names stay. */
const relinked = (markdown: string, from: string): string =>
  markdown.replace(relativeLink, (_, text: string, path: string, anchor = '') => {
    const name = posix.normalize(`${posix.dirname(from)}/${path}`).replace(/\.md$/, '')
    return servable.test(name) ? `[${text}](/docs/${name}${anchor})` : text
  })

const style = `body{font:16px/1.55 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}
pre{background:#f4f5f7;padding:.8rem 1rem;overflow-x:auto;border-radius:6px}code{font:.9em ui-monospace,monospace}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid #d8dce1;padding:.35rem .6rem;text-align:left;vertical-align:top}
a{color:#0b62c1}nav{font-size:.9rem}`

const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replaceAll(/[<>&]/g, '')} · Parley</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><nav><a href="/docs">API reference</a> · <a href="/docs/speech">Speech-to-text reference</a> · <a href="/docs/errors">Error codes</a></nav>
${body}</body>
</html>
`
