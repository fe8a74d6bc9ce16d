// What Google has besides what agents ask of every vendor, by @google-cloud/speech 8.1 and @google-cloud/text-to-speech 7.1,
// as of 2026-11.
import { z } from 'zod'
import type { OwnOptionsWish } from '../../ports/own-options.ts'
import { between, ownOptions, parleySets, setBy, shaped, text, texts, yesOrNo } from '../over/own-options.ts'

export const Replacements = z.array(
  z.strictObject({ search: z.string(), replace: z.string(), case_sensitive: z.boolean().optional() }),
)

export const hearsOptions = ownOptions(
  {
    config: {
      'features.profanity_filter': yesOrNo('swear words are masked'),
      'features.enable_spoken_punctuation': yesOrNo('spoken signs such as "comma" are written as signs'),
      'features.enable_spoken_emojis': yesOrNo('spoken emojis are written as such'),
      'features.custom_prompt_config.custom_prompt': text('what the call is about, of chirp_3'),
      'denoiser_config.denoise_audio': yesOrNo('noise is taken out first'),
      'transcript_normalization.entries': shaped(
        Replacements,
        'a list of {search, replace, case_sensitive}',
        'what is written instead of what was heard',
      ),
      'adaptation.phrase_sets': texts('phrase sets of your project, beside `transcriber.keywords`'),
    },
  },
  {
    recognizer: parleySets,
    language_codes: setBy('transcriber.language'),
    translation_config: setBy('transcriber.task'),
    endpointing_sensitivity: setBy('transcriber.endpointing'),
    explicit_decoding_config: parleySets,
  },
)

/** One word is a Chirp 3 HD voice, which streams, as those of Gemini models do. */
export const isStreamed = ({ model, voice, voiceId }: OwnOptionsWish): boolean => {
  const name = voiceId || voice || ''
  return Boolean(model) || !name.includes('-') || /chirp3?-hd/i.test(name)
}

export const speaksOptions = ownOptions(
  {
    streamed: {
      prompt: text('how it is said, in words, of Gemini voices'),
    },
    whole: {
      pitch: between(-20, 20, 'semitones above the usual pitch'),
      volume_gain_db: between(-96, 16, 'decibels above the usual loudness'),
      effects_profile_id: texts('what the sound is played by, as in `telephony-class-application`'),
    },
  },
  {
    audio_encoding: parleySets,
    sample_rate_hertz: parleySets,
    speaking_rate: setBy('synthesizer.provider_config.speed'),
  },
  (wish) => [isStreamed(wish) ? 'streamed' : 'whole'],
)
