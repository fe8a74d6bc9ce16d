// What Rime has besides what agents ask of every vendor, by docs.rime.ai, as of 2026-11.
import { between, integer, ownOptions, parleySets, setBy, text, yesOrNo } from '../over/own-options.ts'
import { usualModel } from './account.ts'

export const isMist = (model: string | undefined) => (model || usualModel).startsWith('mist')

export const speaksOptions = ownOptions(
  {
    generative: {
      top_p: between(0, 1, 'the share of probability to choose from'),
      repetition_penalty: between(1, 2, 'against sounds that repeat'),
      max_tokens: integer(1, 5_000, 'the most sound of one text'),
      timeScaleFactor: between(0.2, 5, 'the length of the sound: 2 is half as fast'),
    },
    mist: {
      speedAlpha: between(0.2, 5, 'the length of the sound: 2 is half as fast'),
      inlineSpeedAlpha: text('the lengths of what is in brackets, separated by commas'),
      pauseBetweenBrackets: yesOrNo('`<200>` is a pause of so many milliseconds'),
      phonemizeBetweenBrackets: yesOrNo('what is in braces is sounds'),
      noTextNormalization: yesOrNo('numbers and signs are not written out, which is sooner'),
      reduceLatency: yesOrNo('sooner, with less of a melody'),
      saveOovs: yesOrNo('words that it does not know are noted at Rime'),
    },
  },
  {
    speaker: setBy('synthesizer.provider_config.voice'),
    modelId: setBy('synthesizer.provider_config.model'),
    lang: setBy('synthesizer.language'),
    audioFormat: parleySets,
    samplingRate: parleySets,
    segment: parleySets,
  },
  ({ model }) => [isMist(model) ? 'mist' : 'generative'],
)
