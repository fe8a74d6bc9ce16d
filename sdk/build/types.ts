// The declarations of the published package, one file for each entry and format.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import ts from 'typescript'
import { entries } from './manifest.ts'
import { plainTypes } from './plain-types.ts'

/** Type-checks the sources against the library of Node 18: newer built-in methods are errors. */
export function checkedProgram(home: string): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(join(home, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: fail,
  })
  if (!config) throw new Error('sdk/tsconfig.json cannot be read.')
  const program = ts.createProgram(config.fileNames, config.options)
  ts.getPreEmitDiagnostics(program).forEach(fail)
  return program
}

function fail(diagnostic: ts.Diagnostic): never {
  const { file, start = 0, messageText } = diagnostic
  const line = file && file.getLineAndCharacterOfPosition(start).line + 1
  throw new Error(
    `${file?.fileName ?? ''}:${line ?? ''} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}

/** Bundles the declarations of a copy of the sources in which the wire types are plain TypeScript. */
export async function bundleTypes(program: ts.Program, home: string, folder: string): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'parley-sdk-types-'))
  try {
    await cp(join(home, 'src'), copy, { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
    await cp(join(home, '../contract/src/addresses.ts'), join(copy, 'addresses.ts'))
    await writeFile(join(copy, 'wire.ts'), plainWire(program))
    await bundle(copy, folder)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

function plainWire(program: ts.Program): string {
  const wire = program.getSourceFiles().find(({ fileName }) => fileName.endsWith('/sdk/src/wire.ts'))
  if (!wire) throw new Error('sdk/src/wire.ts is not among the sources.')
  return plainTypes(program.getTypeChecker(), wire)
}

async function bundle(copy: string, folder: string): Promise<void> {
  const bundled = await rollup({
    input: Object.fromEntries(entries.map((name) => [name, join(copy, `${name}.ts`)])),
    external: /^node:/,
    plugins: [
      dts({
        compilerOptions: {
          target: ts.ScriptTarget.ES2022,
          module: ts.ModuleKind.NodeNext,
          strict: true,
          moduleResolution: ts.ModuleResolutionKind.NodeNext,
          allowImportingTsExtensions: true,
          paths: { '@parley/contract/addresses': [join(copy, 'addresses.ts')] },
        },
      }),
    ],
    // An unresolved import would be left in the package, where it cannot be resolved.
    onwarn: ({ message }) => {
      throw new Error(message)
    },
  })
  // A CommonJS module cannot use the types of an ES module: each format has its own files.
  for (const extension of ['d.ts', 'd.cts']) {
    await bundled.write({
      dir: folder,
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `shared-[hash].${extension}`,
    })
  }
  await bundled.close()
}
