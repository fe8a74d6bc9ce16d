// Warns of options in an agent's `provider_config`s that no vendor would be sent, while they can still be changed.
import { offlineName } from '@parley/contract'
import type { JudgeOptions, OptionsPart } from '../../ports/own-options.ts'
import type { Warning } from './agent-secrets.ts'
import { isTree, type Tree } from './secret-places.ts'

/** The fields that say who hears and speaks, as they may be in a stored configuration. */
export interface OptionFields {
  readonly synthesizer?: unknown
  readonly transcriber?: unknown
  readonly api_tools?: unknown
}

export function optionWarnings(
  { synthesizer, transcriber, api_tools }: OptionFields,
  judge: JudgeOptions,
): readonly Warning[] {
  const tools = treeIn(api_tools)
  const voice = treeIn(synthesizer)
  const fallbacks = treeIn(tools.fallbacks)
  const ears = {
    ...treeIn(transcriber),
    ...(isTree(transcriber) && transcriber.provider === undefined && { provider: 'deepgram' }),
    provider_config: treeIn(tools.transcriber).provider_config,
  }
  const warnings = (part: OptionsPart, place: string, asked: unknown) =>
    warningsAt(place, treeIn(asked), part, judge)
  return [
    ...warnings('synthesizer', 'synthesizer', { ...treeIn(voice.provider_config), ...voice }),
    ...warnings('transcriber', 'api_tools.transcriber', ears),
    ...listIn(fallbacks.synthesizer).flatMap((one, at) =>
      warnings('synthesizer', `api_tools.fallbacks.synthesizer.${at}`, one),
    ),
    ...listIn(fallbacks.transcriber).flatMap((one, at) =>
      warnings('transcriber', `api_tools.fallbacks.transcriber.${at}`, one),
    ),
  ]
}

/** `asked`: a vendor with its model, its voice and its `provider_config`. */
function warningsAt(place: string, asked: Tree, part: OptionsPart, judge: JudgeOptions): readonly Warning[] {
  const { provider, provider_config, model, voice, voice_id } = asked
  const isNamed = typeof provider === 'string' && provider !== offlineName
  return judge({
    part,
    asked: isNamed ? provider : null,
    config: treeIn(provider_config),
    wish: { model: textIn(model), voice: textIn(voice), voiceId: textIn(voice_id) },
  }).map(({ name, message }) => ({ path: `agent_config.${place}.provider_config.${name}`, message }))
}

const treeIn = (value: unknown): Tree => (isTree(value) ? value : {})

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
