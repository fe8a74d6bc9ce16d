#!/usr/bin/env node
// Runs the command line with a Node that can: this one, or the one that `make` keeps in .toolchain.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const major = Number(process.versions.node.split('.')[0])
if (major >= 24) {
  // Half the time of a command is compiling TypeScript; the Makefile uses the same folder.
  module.enableCompileCache(fileURLToPath(new URL('../../.toolchain/compile-cache', import.meta.url)))
  const { runParley } = await import('../src/cli/parley.ts')
  await runParley(process.argv.slice(2), process)
} else {
  const newer = fileURLToPath(new URL('../../.toolchain/node_modules/node/bin/node', import.meta.url))
  if (!existsSync(newer)) {
    process.stderr.write(
      `Parley needs Node 24 or newer; this is ${process.version}. Run make build once: it brings one along.\n`,
    )
    process.exit(1)
  }
  const { status } = spawnSync(newer, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  process.exit(status ?? 1)
}
