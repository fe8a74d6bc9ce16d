// Judges the options of vendors' own that an agent gives, when it is saved and can still be changed. Calls read them by the
// same lists (own-options.ts).
import { offlineName } from '@parley/contract'
import type { OptionOwner } from '../ports/own-options.ts'
import { sttVendors, ttsVendors } from '../vendors/index.ts'
import { type OptionsPartName, offlineOwner, readOwnOptions } from './own-options.ts'

type Tree = Readonly<Record<string, unknown>>

/** An agent's fields that say who hears and speaks, as they may be in a stored configuration. */
interface OptionFields {
  readonly synthesizer?: unknown
  readonly transcriber?: unknown
  readonly api_tools?: unknown
}

interface OptionWarning {
  readonly path: string
  readonly message: string
}

const owners: Readonly<Record<OptionsPartName, Readonly<Record<string, OptionOwner>>>> = {
  synthesizer: ttsVendors,
  transcriber: sttVendors,
}

/** One warning for each value that no vendor would be sent. */
export function judgeOptions({
  synthesizer,
  transcriber,
  api_tools,
}: OptionFields): readonly OptionWarning[] {
  const tools = treeIn(api_tools)
  const voice = treeIn(synthesizer)
  const ears = treeIn(transcriber)
  const fallbacks = treeIn(tools.fallbacks)
  return [
    ...warningsOn('synthesizer', 'synthesizer', { ...treeIn(voice.provider_config), ...voice }),
    ...warningsOn('transcriber', 'api_tools.transcriber', {
      ...ears,
      provider: transcriber == null ? undefined : (ears.provider ?? 'deepgram'),
      provider_config: treeIn(tools.transcriber).provider_config,
    }),
    ...listIn(fallbacks.synthesizer).flatMap((one, at) =>
      warningsOn('synthesizer', `api_tools.fallbacks.synthesizer.${at}`, treeIn(one)),
    ),
    ...listIn(fallbacks.transcriber).flatMap((one, at) =>
      warningsOn('transcriber', `api_tools.fallbacks.transcriber.${at}`, treeIn(one)),
    ),
  ]
}

/** `asked`: a vendor with its model, its voice and its `provider_config`. */
function warningsOn(part: OptionsPartName, place: string, asked: Tree): readonly OptionWarning[] {
  const owner = ownerOf(part, asked.provider)
  if (!owner) return []
  const wish = { model: textIn(asked.model), voice: textIn(asked.voice), voiceId: textIn(asked.voice_id) }
  return readOwnOptions(part, owner, treeIn(asked.provider_config), wish).problems.map(
    ({ name, message }) => ({ path: `agent_config.${place}.provider_config.${name}`, message }),
  )
}

/** Undefined: a name that was valid once. */
const ownerOf = (part: OptionsPartName, provider: unknown): OptionOwner | undefined =>
  provider === undefined || provider === null || provider === offlineName
    ? offlineOwner(part)
    : owners[part][`${provider}`]

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const treeIn = (value: unknown): Tree => (isTree(value) ? value : {})

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
