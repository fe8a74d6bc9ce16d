// Builds the client library into dist/, a package by itself: JavaScript for Node 18 and browsers, as ES modules and as
// CommonJS, with types that need no other package. `node sdk/build/build.ts [folder]`
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { foreignImports } from './foreign-imports.ts'
import { entries, manifest } from './manifest.ts'
import { bundleTypes, checkedProgram } from './types.ts'

const home = fileURLToPath(new URL('..', import.meta.url))

/** Allowed in the package: the sources, and the contract's addresses without its schemas. */
const own = [join(home, 'src/'), join(home, '../contract/src/addresses.ts')]

const input = Object.fromEntries(entries.map((name) => [name, join(home, `src/${name}.ts`)]))

export async function buildSdk(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await bundleTypes(checkedProgram(home), home, folder)
  await bundleCode(folder)
  const foreign = await foreignImports(folder)
  if (foreign.length > 0) throw new Error(`The package would need others: ${foreign.join(', ')}`)
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifest(home), null, 2)}\n`)
  await copyFile(join(home, 'README.md'), join(folder, 'README.md'))
  await copyFile(join(home, '../LICENSE'), join(folder, 'LICENSE'))
}

async function bundleCode(folder: string): Promise<void> {
  const bundle = await rolldown({
    input,
    external: /^node:/,
    platform: 'neutral',
    transform: { target: 'es2022' },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  for (const [format, extension] of [
    ['esm', 'js'],
    ['cjs', 'cjs'],
  ] as const) {
    const { output } = await bundle.write({
      dir: folder,
      format,
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `shared-[hash].${extension}`,
    })
    const bundled = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    const foreign = bundled.filter((path) => !own.some((ours) => path.startsWith(ours)))
    if (foreign.length > 0) throw new Error(`Not for the client library: ${foreign.join(', ')}`)
  }
  await bundle.close()
}

if (import.meta.main) await buildSdk(argv[2] ?? join(home, 'dist'))
