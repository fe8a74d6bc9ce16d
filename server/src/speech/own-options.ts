// Reads the options of a vendor's own that an agent gives in a `provider_config`: the ones that the vendor has, and a
// sentence for each of the others. `provider_config` is free-form, so nothing is refused.
import { nearestName } from '../platform/nearest-name.ts'
import type {
  OptionOwner,
  OptionProblem,
  OptionsPart,
  OwnOptions,
  OwnOptionsWish,
  OwnValues,
} from '../ports/own-options.ts'
import { voiceWishes } from '../ports/voice-wishes.ts'

export interface ReadOptions {
  /** Undefined: none. */
  readonly own: OwnValues | undefined
  readonly problems: readonly OptionProblem[]
}

interface PartSettings {
  /** Names that Parley reads for every vendor. */
  readonly wishes: Readonly<Record<string, 'text' | 'number'>>
  /** The settings beside `provider_config`, which people look for in it. */
  readonly settings: Readonly<Record<string, string>>
}

const settingsOf = (part: string, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, `${part}.${name}`]))

const parts = {
  synthesizer: {
    wishes: voiceWishes,
    settings: settingsOf('synthesizer', ['provider', 'stream', 'buffer_size', 'audio_format', 'caching']),
  },
  transcriber: {
    wishes: {},
    settings: settingsOf('transcriber', [
      ...['provider', 'model', 'language', 'stream', 'sampling_rate', 'encoding', 'endpointing'],
      ...['keywords', 'task'],
    ]),
  },
} satisfies Readonly<Record<OptionsPart, PartSettings>>

// An agent has a few options; whoever sends thousands that are unknown is told of the first ones.
const mostProblems = 50

/** `wish`: the model and the voice, for vendors whose options depend on them. */
export function readOwnOptions(
  part: OptionsPart,
  owner: OptionOwner,
  config: Readonly<Record<string, unknown>> | undefined,
  wish: OwnOptionsWish,
): ReadOptions {
  const { wishes, settings }: PartSettings = parts[part]
  const own: Record<string, unknown> = {}
  const problems: OptionProblem[] = []
  for (const [name, value] of leavesOf(config ?? {}, owner.ownOptions)) {
    const kind = entryOf(wishes, name)
    const known = kind === undefined ? knownName(name, owner.ownOptions) : undefined
    if (known === undefined && problems.length >= mostProblems) continue
    const message =
      kind !== undefined
        ? wrongWish(name, value, kind)
        : known === undefined
          ? unknown(name, { wishes, settings }, owner)
          : wrongOption(known, value, owner, wish)
    if (message !== undefined) problems.push({ name, message })
    else if (known !== undefined) own[known] = value
  }
  return { own: Object.keys(own).length > 0 ? own : undefined, problems }
}

/** The offline engines have no options but those that Parley reads. */
export const offlineOwner = (part: OptionsPart): OptionOwner => ({
  label: part === 'synthesizer' ? 'The offline voice' : 'The offline recognizer',
  ownOptions: { known: {}, withheld: {} },
})

/** The values by their names, with those of objects that the vendor has. Empty ones are not asked for. */
function leavesOf(
  config: Readonly<Record<string, unknown>>,
  options: OwnOptions,
  around = '',
): readonly (readonly [string, unknown])[] {
  const names = [...Object.keys(options.known), ...Object.keys(options.withheld)]
  return Object.entries(config).flatMap(([key, value]) => {
    if (value === null || value === undefined || value === '') return []
    const name = `${around}${key}`
    const isGroup = names.some((other) => other.startsWith(`${name}.`)) && !Object.hasOwn(options.known, name)
    return isGroup && typeof value === 'object' && !Array.isArray(value)
      ? leavesOf(value as Readonly<Record<string, unknown>>, options, `${name}.`)
      : [[name, value] as const]
  })
}

/** Names are what people write, which may be one that every object has. */
const entryOf = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** The vendor's name for it: `voice_settings.style` of `style` as well. */
function knownName(name: string, { known }: OwnOptions): string | undefined {
  if (Object.hasOwn(known, name)) return name
  const inner = Object.keys(known).filter((path) => path.endsWith(`.${name}`))
  return inner.length === 1 ? inner[0] : undefined
}

const isSecret = (name: string): boolean =>
  /(^|[._-])(api_?key|(access_|auth_)?token|secret|password|authorization)$/i.test(name)

function unknown(
  name: string,
  { wishes, settings }: PartSettings,
  { label, ownOptions: { known, withheld } }: OptionOwner,
): string {
  if (isSecret(name)) return `Secrets are not settings: store "${name}" as the credentials of ${label}.`
  const setting = entryOf(settings, name)
  if (setting !== undefined) return `"${name}" belongs elsewhere: set ${setting} instead.`
  const reason = entryOf(withheld, name)
  if (reason !== undefined) return `"${name}" is not passed on to ${label}: ${reason}.`
  const names = [...Object.keys(wishes), ...Object.keys(known)]
  const nearest = nearestName([...names, ...names.map((path) => path.split('.').at(-1) ?? '')], name)
  return `${label} has no setting "${name}". ${nearest === undefined ? 'It is not sent.' : `Did you mean "${nearest}"?`}`
}

const wrongWish = (name: string, value: unknown, kind: 'text' | 'number'): string | undefined =>
  typeof value === (kind === 'number' ? 'number' : 'string')
    ? undefined
    : `"${name}" must be a ${kind}; it is not sent.`

function wrongOption(
  name: string,
  value: unknown,
  { label, ownOptions: { known, placesFor } }: OptionOwner,
  wish: OwnOptionsWish,
): string | undefined {
  const option = known[name]
  if (!option?.schema.safeParse(value).success)
    return `"${name}" of ${label} must be ${option?.form}; it is not sent.`
  const isTaken = placesFor?.(wish).includes(option.place) ?? true
  return isTaken
    ? undefined
    : `${label} does not take "${name}" with the model or the voice of this agent; it is not sent.`
}
