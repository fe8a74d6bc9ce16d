// What Gemini's voices have besides what agents ask of every vendor, by @google/genai 2.32 and 3.1, as of 2026-11.
import { z } from 'zod'
import { between, integer, ownOptions, parleySets, setBy, shaped, text } from '../over/own-options.ts'

/** Models before 3.8 name voices in another place, and take no style. */
export const isOlder = (model: string | undefined): boolean =>
  /^(?:models\/)?gemini-(2|3\.[0-7]\b)/.test(model ?? '')

const Safety = z.array(z.strictObject({ category: z.string(), threshold: z.string() }))

export const speaksOptions = ownOptions(
  {
    request: {
      safetySettings: shaped(Safety, 'a list of {category, threshold}', 'what it refuses to say'),
      'generationConfig.seed': integer(0, 2_147_483_647, 'the same one sounds the same, as far as it can'),
      'generationConfig.topP': between(0, 1, 'the share of probability to choose from'),
      'generationConfig.topK': integer(1, 1_000, 'the number of tokens to choose from'),
      'generationConfig.presencePenalty': between(-2, 2, 'against sounds that were made before'),
      'generationConfig.frequencyPenalty': between(-2, 2, 'against sounds that were made often'),
    },
    part: { 'speechMetadata.style': text('how it is said, as in "excited, fast-paced"; since Gemini 3.8') },
  },
  {
    responseModalities: parleySets,
    speechConfig: setBy('synthesizer.provider_config.voice'),
    multiSpeakerVoiceConfig: parleySets,
  },
  ({ model }) => (isOlder(model) ? ['request'] : ['request', 'part']),
)
