// Where secrets occur in an agent's configuration, and which host each is sent to.
//
//   llm_agent                             every `api_key`, sent to the nearest enclosing `base_url`, or to the `provider`
//   synthesizer, transcriber              every `api_key`, sent to the nearest enclosing `base_url`
//   api_tools                             every `api_token`, `api_key` and value of `headers`, sent to the tool's `url`
//
// `api_tools` and its parts may be strings that contain JSON, as forms send them: they are read the same way and stay
// strings.

export interface SecretPlace {
  /** From the root of the configuration: ['llm_agent', 'llm_config', 'api_key']. */
  readonly path: readonly string[]
  readonly value: string
  /** Scheme, host and port that the secret is sent to; null if the configuration names none. */
  readonly origin: string | null
}

/** Returns the replacement value; undefined removes the key. */
export type SecretsChange = (place: SecretPlace) => string | undefined

export type Tree = Readonly<Record<string, unknown>>

interface Kind {
  readonly names: readonly string[]
  readonly addressKey: string
  /** The keys that name the company whose host it is where there is no address. */
  readonly vendorKeys: readonly string[]
  readonly isTools: boolean
}

interface Around {
  readonly origin: string | null
  /** True if the origin is that of a named tool; addresses further inside do not change it. */
  readonly isFixed?: boolean
  readonly inHeaders?: boolean
}

const vendor: Kind = { names: ['api_key'], addressKey: 'base_url', vendorKeys: [], isTools: false }
const model: Kind = { ...vendor, vendorKeys: ['provider', 'family'] }
const tools: Kind = { names: ['api_key', 'api_token'], addressKey: 'url', vendorKeys: [], isTools: true }
const kinds: Readonly<Record<string, Kind>> = {
  llm_agent: model,
  synthesizer: vendor,
  transcriber: vendor,
  api_tools: tools,
}

// Headers that are never secret. Every other header may be.
const openHeaders = ['accept', 'accept-language', 'cache-control', 'content-type', 'user-agent']

// A value that consists of placeholders only: `{token}`, `%(token)s`, `Bearer {token}`.
const onlyPlaceholders = /^((basic|bearer|token|apikey)\s+)?((%\(\w+\)[sdif]|\{\w+\})\s*)+$/i

export function mapSecrets<Config extends object>(config: Config, change: SecretsChange): Config {
  const mapped = Object.entries(config).map(([name, item]) => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    return [name, kind ? new Walk(kind, item, change).go([name]) : item]
  })
  return Object.fromEntries(mapped)
}

class Walk {
  readonly #kind: Kind
  readonly #root: unknown
  readonly #change: SecretsChange
  readonly #originOfTool: (name: unknown) => string | null | undefined

  constructor(kind: Kind, root: unknown, change: SecretsChange) {
    this.#kind = kind
    this.#root = root
    this.#change = change
    this.#originOfTool = kind.isTools ? toolOrigins(treeIn(root)) : () => undefined
  }

  go(path: readonly string[]): unknown {
    return this.#walk(this.#root, path, { origin: null })
  }

  #walk(value: unknown, path: readonly string[], around: Around): unknown {
    if (Array.isArray(value)) {
      return value.map((item, place) => this.#walk(item, [...path, String(place)], around))
    }
    if (isTree(value)) return this.#walkObject(value, path, this.#inside(value, path, around))
    const inner = this.#kind.isTools && typeof value === 'string' ? parsed(value) : undefined
    if (inner === undefined) return value
    const walked = this.#walk(inner, path, around)
    return JSON.stringify(walked) === JSON.stringify(inner) ? value : JSON.stringify(walked)
  }

  #walkObject(object: Tree, path: readonly string[], around: Around): Tree {
    const entries = Object.entries(object).flatMap(([name, item]): [string, unknown][] => {
      const itemPath = [...path, name]
      const isHeaders = this.#kind.isTools && name.toLowerCase() === 'headers'
      if (!this.#isSecret(name, item, around.inHeaders || isHeaders)) {
        return [[name, this.#walk(item, itemPath, isHeaders ? { ...around, inHeaders: true } : around)]]
      }
      const changed = this.#change({ path: itemPath, value: String(item), origin: around.origin })
      return changed === undefined ? [] : [[name, changed]]
    })
    return Object.fromEntries(entries)
  }

  #isSecret(name: string, item: unknown, inHeaders = false): boolean {
    if (typeof item !== 'string' && !(inHeaders && typeof item === 'number')) return false
    const lower = name.toLowerCase()
    const isNamed = this.#kind.names.includes(lower)
    if (!isNamed && (!inHeaders || openHeaders.includes(lower) || parsed(item) !== undefined)) return false
    return !(this.#kind.isTools && onlyPlaceholders.test(String(item).trim()))
  }

  #inside(object: Tree, path: readonly string[], around: Around): Around {
    const [, list, place] = path
    if (this.#kind.isTools && path.length === 3) {
      const name = list === 'tools_params' ? place : nameOf(object)
      const origin = list === 'tools_params' || list === 'tools' ? this.#originOfTool(name) : undefined
      if (origin !== undefined) return { origin, isFixed: true }
    }
    if (around.isFixed) return around
    const address = object[this.#kind.addressKey]
    if (isText(address)) return { ...around, origin: originOf(address) }
    const named = this.#kind.vendorKeys.map((key) => object[key]).find(isText)
    return named ? { ...around, origin: named.trim().toLowerCase() } : around
  }
}

/** A tool is called at the address in its `tools_params`, or else at the one in its `value`. */
function toolOrigins(apiTools: Tree): (name: unknown) => string | null | undefined {
  const params = treeIn(apiTools.tools_params)
  const list = Array.isArray(apiTools.tools) ? apiTools.tools : listIn(apiTools.tools)
  const values = new Map(list.map((tool) => [nameOf(treeIn(tool)), treeIn(targetOf(treeIn(tool)))]))
  return (name) => {
    if (typeof name !== 'string') return undefined
    const given = Object.hasOwn(params, name) ? treeIn(params[name]) : {}
    const url = Object.hasOwn(given, 'url') ? given.url : values.get(name)?.url
    return typeof url === 'string' && url !== '' ? originOf(url) : null
  }
}

/** Also inside `function`, as in OpenAI's tool format. */
const nameOf = (tool: Tree): unknown => treeIn(tool.function).name ?? tool.name
const targetOf = (tool: Tree): unknown => treeIn(tool.function).value ?? tool.value

/** An address that cannot be parsed is its own origin: different text counts as a different host. */
const originOf = (address: string): string => {
  const url = URL.parse(address.trim())
  return url && url.origin !== 'null' ? url.origin : address.trim()
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const treeIn = (value: unknown): Tree => {
  const inner = typeof value === 'string' ? parsed(value) : value
  return isTree(inner) ? inner : {}
}

const listIn = (value: unknown): readonly unknown[] => {
  const inner = typeof value === 'string' ? parsed(value) : undefined
  return Array.isArray(inner) ? inner : []
}

/** Parses JSON that holds an object or a list. */
function parsed(text: unknown): object | undefined {
  if (typeof text !== 'string' || !/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
