// The oldest Node that the client library supports. Downloaded once, like the other tools of this folder.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('../../../.toolchain/node-18', import.meta.url))
const program = `${folder}/node_modules/node/bin/node`

/** The path of its executable. */
export async function node18(): Promise<string> {
  if (!existsSync(program)) {
    const options = ['--no-save', '--ignore-scripts=false', '--loglevel=error']
    await promisify(execFile)('npm', ['install', '--prefix', folder, ...options, 'node@18'])
  }
  return program
}
