// What Sarvam has besides what agents ask of every vendor, by sarvamai 1.1, as of 2026-11.
import { between, integer, ownOptions, parleySets, setBy, text, yesOrNo } from '../over/own-options.ts'

/** Whose voices have pitch and loudness. */
export const oldModel = 'bulbul:v2'

export const hearsOptions = ownOptions(
  {
    query: {
      threshold: between(0, 1, 'how sure it has to be that there is speech'),
      prefix_padding_ms: integer(0, 5_000, 'how much sound before the speech belongs to it'),
      min_speech_duration_ms: integer(0, 5_000, 'shorter sounds are no speech'),
    },
  },
  {
    language_code: setBy('transcriber.language'),
    mode: setBy('transcriber.task'),
    prompt: setBy('transcriber.keywords'),
    keyterms: setBy('transcriber.keywords'),
    silence_duration_ms: setBy('transcriber.endpointing'),
    sample_rate: parleySets,
    stream_type: parleySets,
    return_timestamps: parleySets,
  },
)

export const speaksOptions = ownOptions(
  {
    config: {
      pace: between(0.3, 3, 'the speed; 1 is the usual one'),
      max_chunk_length: integer(1, 10_000, 'the longest piece that a text is cut into'),
      min_buffer_size: integer(30, 200, 'how many characters are waited for'),
    },
    old: {
      pitch: between(-0.75, 0.75, 'the pitch; 0 is the usual one'),
      loudness: between(0.3, 3, 'the loudness; 1 is the usual one'),
      enable_preprocessing: yesOrNo('English words and numbers are written out'),
    },
    new: {
      dict_id: text('a dictionary of how words are said'),
    },
  },
  {
    speaker: setBy('synthesizer.provider_config.voice'),
    language_code: setBy('synthesizer.language'),
    target_language_code: setBy('synthesizer.language'),
    speech_sample_rate: parleySets,
    output_audio_codec: parleySets,
    output_audio_bitrate: parleySets,
    send_completion_event: parleySets,
  },
  ({ model }) => ['config', model === oldModel ? 'old' : 'new'],
)
