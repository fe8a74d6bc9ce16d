// The foreign imports of a built package. The published client library imports only Node's own modules.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const specifiers = /(?:\bfrom\s*|\bimport\s*|\bimport\(\s*|\brequire\(\s*)(["'])([^"'\n]+)\1/g

/** The imports of a built package, as in ["index.d.ts: zod"], without those of its own files and of Node. */
export async function foreignImports(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => /\.(js|cjs|d\.ts|d\.cts)$/.test(name))
  const imports = files.map(async (name) => {
    const imported = [...(await readFile(join(folder, name), 'utf8')).matchAll(specifiers)]
    return imported
      .map(([, , specifier = '']) => specifier)
      .filter((specifier) => !specifier.startsWith('node:'))
      .filter((specifier) => !files.includes(ownFile(specifier, name)))
      .map((specifier) => `${name}: ${specifier}`)
  })
  return (await Promise.all(imports)).flat()
}

/** The file of the package that an import means. Declarations refer to JavaScript: ./shared.js stands for ./shared.d.ts. */
const ownFile = (specifier: string, importer: string): string => {
  const own = specifier.startsWith('./') ? specifier.slice(2) : ''
  return /\.d\.c?ts$/.test(importer) ? own.replace(/\.(c?)js$/, '.d.$1ts') : own
}
