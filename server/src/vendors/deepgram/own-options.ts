// What Deepgram has besides what agents ask of every vendor, by @deepgram/sdk 5.13 and developers.deepgram.com, as of 2026-11.
import {
  between,
  integer,
  leavesParley,
  ownOptions,
  parleySets,
  setBy,
  text,
  texts,
  yesOrNo,
} from '../over/own-options.ts'

const optOut = yesOrNo('nothing is kept for the improvement of models, at another price')

const tags = texts('labels of the request in the reports of usage')

export const isFlux = (model: string | undefined) => model?.startsWith('flux') ?? false

export const hearsOptions = ownOptions(
  {
    query: {
      mip_opt_out: optOut,
      tag: tags,
      numerals: yesOrNo('numbers are written in figures'),
      profanity_filter: yesOrNo('swear words are removed or replaced'),
      redact: texts('what is left out of the words: `pii`, `phi`, `pci`, `numbers`, `ssn` and others'),
    },
    nova: {
      smart_format: yesOrNo('dates, sums and addresses are written as people write them'),
      punctuate: yesOrNo('punctuation and capitals; on unless it is switched off'),
      dictation: yesOrNo('spoken signs such as "comma" are written as signs'),
      filler_words: yesOrNo('"uh" and "um" are kept'),
      measurements: yesOrNo('units are written short'),
      detect_entities: yesOrNo('names and numbers are marked in the answer'),
      diarize: yesOrNo('words are told apart by speaker in the answer'),
      diarize_model: text('the model that tells speakers apart'),
      replace: texts('terms that are written otherwise, each as `this:that`'),
      search: texts('terms to look for'),
      extra: texts('pairs that are repeated in the answer, each as `key:value`'),
      utterance_end_ms: integer(1_000, 5_000, 'the gap between words that ends an utterance'),
      vad_events: yesOrNo('where speech begins is told'),
      no_delay: yesOrNo('words are not held back until their form is certain'),
      version: text('the version of the model'),
    },
    flux: {
      eot_threshold: between(0.5, 0.9, 'how sure it has to be that the turn is over, where it ends turns'),
      eager_eot_threshold: between(
        0.3,
        0.9,
        'how sure it has to be for an early guess that the turn is over, where it ends turns',
      ),
    },
  },
  {
    callback: leavesParley,
    callback_method: leavesParley,
    channels: parleySets,
    multichannel: parleySets,
    interim_results: parleySets,
    sample_rate: parleySets,
    keyterm: setBy('transcriber.keywords'),
    eot_timeout_ms: setBy('transcriber.endpointing'),
    language_hint: setBy('transcriber.language'),
    detect_language: setBy('transcriber.language'),
  },
  ({ model }) => (isFlux(model) ? ['query', 'flux'] : ['query', 'nova']),
)

export const speaksOptions = ownOptions(
  {
    query: { mip_opt_out: optOut },
    flux: {
      expressivity: integer(-2, 2, 'how animated the voice is; 0 is the usual one'),
      tag: tags,
    },
  },
  {
    encoding: parleySets,
    container: parleySets,
    sample_rate: parleySets,
    bit_rate: parleySets,
    callback: leavesParley,
  },
  ({ model, voice, voiceId }) => {
    const name = (voiceId || voice || '').toLowerCase()
    const isFluxVoice = isFlux(name) || (isFlux(model) && !name.startsWith('aura'))
    return isFluxVoice ? ['query', 'flux'] : ['query']
  },
)
