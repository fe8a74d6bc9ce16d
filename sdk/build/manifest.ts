// The package.json of the published package.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The entries of the package, each a module of src/. Only `index` runs in browsers. */
export const entries = ['index', 'webhooks', 'listen'] as const

export async function manifest(home: string) {
  const { name, version, description, license, engines } = JSON.parse(
    await readFile(join(home, 'package.json'), 'utf8'),
  )
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    sideEffects: false,
    exports: Object.fromEntries([...entries.map(exportOf), ['./package.json', './package.json']]),
    // These two fields are for tools that do not read `exports`.
    main: './index.cjs',
    module: './index.js',
    types: './index.d.ts',
    files: ['*.js', '*.cjs', '*.d.ts', '*.d.cts'],
  }
}

const exportOf = (entry: (typeof entries)[number]) => [
  entry === 'index' ? '.' : `./${entry}`,
  {
    import: { types: `./${entry}.d.ts`, default: `./${entry}.js` },
    require: { types: `./${entry}.d.cts`, default: `./${entry}.cjs` },
  },
]
