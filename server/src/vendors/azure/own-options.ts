// What Azure Speech has besides what agents ask of every vendor, by microsoft-cognitiveservices-speech-sdk 1.52 and the
// documents of its SSML, as of 2026-11.
import {
  between,
  choice,
  integer,
  ownOptions,
  parleySets,
  setBy,
  text,
  yesOrNo,
} from '../over/own-options.ts'

export const hearsOptions = ownOptions(
  {
    query: {
      storeAudio: yesOrNo('true: Microsoft keeps the sound and the words; it does not otherwise'),
      profanity: choice(['masked', 'removed', 'raw'], 'what becomes of swear words'),
      initialSilenceTimeoutMs: integer(100, 60_000, 'how long the first word is waited for'),
      stableIntermediateThreshold: integer(1, 10, 'how often a word is heard the same before it is told'),
      postprocessing: choice(['TrueText'], '"uh" and repetitions are left out'),
    },
    conversation: {
      'segmentation.mode': choice(
        ['Normal', 'Semantic', 'Custom'],
        'whether silence or sense ends an utterance',
      ),
      'segmentation.segmentationForcedTimeoutMs': integer(20_000, 70_000, 'the longest utterance'),
    },
  },
  {
    cid: setBy('transcriber.model'),
    format: parleySets,
    lidEnabled: setBy('transcriber.language'),
    segmentationSilenceTimeoutMs: setBy('transcriber.endpointing'),
    wordLevelTimestamps: parleySets,
  },
)

export const speaksOptions = ownOptions(
  {
    query: {
      deploymentId: text('the deployment of a voice of your own'),
    },
    ssml: {
      style: text('SSML `mstts:express-as`, as in `cheerful`, of voices that have styles'),
      styledegree: between(0.01, 2, 'how strong the style is; 1 is the usual one'),
      role: text('the part that the voice plays, as in `YoungAdultFemale`'),
      pitch: text('SSML `prosody`, as in `+10%`'),
      volume: text('SSML `prosody`, as in `+20%` or `soft`'),
      effect: choice(['eq_car', 'eq_telecomhp8k'], 'SSML `voice`: what the sound is played by'),
    },
  },
  { outputFormat: parleySets, metadataOptions: parleySets },
)
