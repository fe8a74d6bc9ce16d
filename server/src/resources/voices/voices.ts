// The voices that agents can speak with here, with signed addresses of their samples.
import type { Voice } from '@parley/contract'
import type { SignedLinks } from '../../http/doors/signed-links.ts'
import { fail } from '../../http/failure.ts'
import type { VoiceSamples } from '../../ports/synthesizer.ts'

export function voices(samples: VoiceSamples, links: SignedLinks) {
  return {
    async list(): Promise<Voice[]> {
      const known = await samples.voices()
      return known.map(({ name, language, gender, engine, isDefault }) => ({
        name,
        language,
        gender,
        engine,
        is_default: isDefault,
        sample: links.link(`/voices/${name}/sample.wav`, name),
      }))
    },

    /** Fails if the query does not come from the list, or is too old. */
    async sample(name: string, query: unknown): Promise<Uint8Array> {
      if (!links.isValid(name, query)) fail('VOICE_SAMPLE_LINK_INVALID')
      const voice = (await samples.voices()).find((known) => known.name === name) ?? fail('VOICE_NOT_FOUND')
      return samples.sampleOf(voice)
    },
  }
}

export type Voices = ReturnType<typeof voices>
