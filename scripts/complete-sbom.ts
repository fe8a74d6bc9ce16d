// Completes a list of contents (CycloneDX) that npm has written, in place: Node.js, the weights of the speech engines and, for an image,
// the packages of Debian in it.
//   node scripts/complete-sbom.ts sbom.json [--node version] [--models folder] [--debian]
// `--node`: of the one that is shipped, if it is not the one that runs this.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'

interface Component {
  readonly 'bom-ref': string
  readonly type: 'library' | 'platform' | 'machine-learning-model'
  readonly name: string
  readonly version?: string
  readonly purl?: string
  readonly hashes?: readonly { readonly alg: 'SHA-256'; readonly content: string }[]
}

const packaged = (type: Component['type'], name: string, version: string, purl: string): Component => ({
  'bom-ref': purl,
  type,
  name,
  version,
  purl,
})

const node = (version: string): Component =>
  packaged('platform', 'node', version, `pkg:generic/node@${version}`)

function debianPackages(): Component[] {
  const [, distribution] = /^VERSION_ID="?([\d.]+)/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? []
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg fills these in.
  const format = '${db:Status-Status}\t${Package}\t${Version}\t${Architecture}\n'
  const listed = execFileSync('dpkg-query', ['-W', '-f', format], { encoding: 'utf8' })
  return listed
    .split('\n')
    .filter((line) => line.startsWith('installed\t'))
    .map((line) => {
      const [, name = '', version = '', arch = ''] = line.split('\t')
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}&distro=debian-${distribution}`
      return packaged('library', name, version, purl)
    })
}

function weights(folder: string): Promise<Component[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return Promise.all(
    files.map(async ({ parentPath, name }): Promise<Component> => {
      const path = join(parentPath, name)
      const hash = createHash('sha256')
      await pipeline(createReadStream(path), hash)
      const hashes = [{ alg: 'SHA-256', content: hash.digest('hex') }] as const
      return { 'bom-ref': `weights ${path}`, type: 'machine-learning-model', name: path, hashes }
    }),
  )
}

const { values, positionals } = parseArgs({
  options: {
    node: { type: 'string', default: process.versions.node },
    models: { type: 'string' },
    debian: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const [file = 'sbom.json'] = positionals
const written = JSON.parse(readFileSync(file, 'utf8')) as { components: Component[] }
const components = [
  ...written.components,
  node(values.node),
  ...(values.debian ? debianPackages() : []),
  ...(values.models === undefined ? [] : await weights(values.models)),
]
writeFileSync(file, `${JSON.stringify({ ...written, components }, null, 2)}\n`)
