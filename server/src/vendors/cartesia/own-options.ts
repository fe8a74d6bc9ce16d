// What Cartesia has besides what agents ask of every vendor, by @cartesia/cartesia-js 4.2, as of 2026-11.
import { between, integer, ownOptions, parleySets, setBy, text, yesOrNo } from '../over/own-options.ts'

export const speaksOptions = ownOptions(
  {
    request: {
      'generation_config.emotion': text(
        'how it is said: `calm`, `excited`, `sympathetic` and some fifty others',
      ),
      'generation_config.volume': between(0.5, 2, 'the loudness; 1 is the usual one'),
      'generation_config.speed': between(0.6, 1.5, 'the speed; 1 is the usual one'),
      pronunciation_dict_id: text('a dictionary of how words are said'),
      max_buffer_delay_ms: integer(0, 5_000, 'how long text is gathered'),
      normalization: text('`auto`, `off`, or the locale by whose customs numbers are read'),
      locale: text('the language with its region, as in `en-GB`, in place of the language'),
      use_normalized_timestamps: yesOrNo('times are those of the words as they are read'),
    },
  },
  {
    model_id: setBy('synthesizer.provider_config.model'),
    output_format: parleySets,
    add_timestamps: parleySets,
    add_phoneme_timestamps: parleySets,
    continue: parleySets,
    flush: parleySets,
    context_id: parleySets,
  },
)
