// Completes an installation whose folder will be read-only, as a package or an image: node scripts/finish-installation.ts.
// It must be the folder's own copy of this script: native libraries for other machines are deleted.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findBinaries } from '../server/src/platform/db/embedded-postgres.ts'

// Makes the links that the first start would make otherwise.
await findBinaries()

// <version of the interface>/<system>/<processor>; 200 MB are for other ones.
const runtimes = fileURLToPath(new URL('../node_modules/onnxruntime-node/bin/', import.meta.url))
const foldersIn = (path: string) =>
  existsSync(path) ? readdirSync(path).map((name) => `${path}/${name}`) : []
for (const machine of foldersIn(runtimes).flatMap(foldersIn).flatMap(foldersIn))
  if (!machine.endsWith(`/${process.platform}/${process.arch}`)) rmSync(machine, { recursive: true })
