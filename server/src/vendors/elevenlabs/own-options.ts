// What ElevenLabs has besides what agents ask of every vendor, by @elevenlabs/elevenlabs-js 2.73 and elevenlabs.io/docs, as
// of 2026-11.
import { z } from 'zod'
import {
  between,
  choice,
  integer,
  ownOptions,
  parleySets,
  setBy,
  shaped,
  text,
  texts,
  yesOrNo,
} from '../over/own-options.ts'

const logging = yesOrNo('false: zero retention, which is for enterprise plans')

const Locators = z
  .array(z.strictObject({ pronunciation_dictionary_id: z.string(), version_id: z.string().optional() }))
  .max(3)
const ChunkLengths = z.array(z.number().min(50).max(500)).max(10)

/** The models of the third generation, which are spoken over Text to Dialogue and have fewer options. */
export const isDialogue = (model: string | undefined): boolean => /^eleven_v3(_|$)/.test(model ?? '')

export const speaksOptions = ownOptions(
  {
    query: {
      enable_logging: logging,
      apply_text_normalization: choice(
        ['auto', 'on', 'off'],
        'whether numbers and dates are written out; of eleven_v3 models `auto` is the same as none given',
      ),
    },
    speech: {
      auto_mode: yesOrNo('false: text is gathered as `chunk_length_schedule` says'),
      enable_ssml_parsing: yesOrNo('SSML in the text is read as such'),
      inactivity_timeout: integer(1, 180, 'seconds of silence after which the connection is closed'),
      seed: integer(0, 4_294_967_295, 'the same one sounds the same, as far as it can'),
    },
    hello: {
      'voice_settings.stability': between(0, 1, 'how steady the voice is'),
      pronunciation_dictionary_locators: shaped(
        Locators,
        'a list of at most three {pronunciation_dictionary_id, version_id}',
        'dictionaries of how words are said',
      ),
    },
    settings: {
      'voice_settings.similarity_boost': between(0, 1, 'how close to the original speaker'),
      'voice_settings.style': between(0, 1, 'how much the style of the speaker is exaggerated'),
      'voice_settings.use_speaker_boost': yesOrNo('closer to the speaker, and later'),
      'voice_settings.speed': between(0.7, 1.2, 'the speed'),
      'generation_config.chunk_length_schedule': shaped(
        ChunkLengths,
        'a list of numbers from 50 to 500',
        'how many characters are waited for, piece by piece',
      ),
    },
  },
  {
    model_id: setBy('synthesizer.provider_config.model'),
    language_code: setBy('synthesizer.language'),
    output_format: parleySets,
    sync_alignment: parleySets,
  },
  ({ model }) => (isDialogue(model) ? ['query', 'hello'] : ['query', 'hello', 'speech', 'settings']),
)

export const hearsOptions = ownOptions(
  {
    query: {
      enable_logging: logging,
      no_verbatim: yesOrNo('"uh", false starts and repetitions are left out'),
      filter_background_audio: yesOrNo('speech in the background is left out'),
      secondary_languages: texts('further languages to expect, as codes'),
      entity_detection: texts('kinds of names and numbers that are marked: `pii`, `phi`, `pci` and others'),
      transcript_edit: text('an instruction by which a second text is written, at another price'),
      vad_threshold: between(0.1, 0.9, 'how sure it has to be that there is speech'),
      vad_silence_threshold_secs: between(0.3, 3, 'seconds of silence that end an utterance'),
      min_speech_duration_ms: integer(50, 2_000, 'shorter sounds are no speech'),
      min_silence_duration_ms: integer(50, 2_000, 'shorter pauses are no silence'),
    },
  },
  {
    model_id: setBy('transcriber.model'),
    language_code: setBy('transcriber.language'),
    keyterms: setBy('transcriber.keywords'),
    audio_format: parleySets,
    commit_strategy: parleySets,
    include_timestamps: parleySets,
    include_language_detection: parleySets,
  },
)
