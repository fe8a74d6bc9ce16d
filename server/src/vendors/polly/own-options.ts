// What Amazon Polly has besides what agents ask of every vendor, by @aws-sdk/client-polly 3 and its SSML tags, as of 2026-11.
import { choice, ownOptions, parleySets, setBy, text, texts } from '../over/own-options.ts'

export const speaksOptions = ownOptions(
  {
    request: {
      LexiconNames: texts('dictionaries of how words are said'),
      LanguageCode: text('the language of a voice that has several'),
    },
    ssml: {
      pitch: text('SSML `prosody`, as in `+10%`, of standard voices'),
      volume: text('SSML `prosody`, as in `+6dB` or `soft`'),
      domain: choice(['news', 'conversational'], 'the style of speaking, of some neural voices'),
      drc: choice(['on'], 'louder middle tones, for noisy places; of standard and neural voices'),
    },
  },
  {
    Engine: setBy('synthesizer.provider_config.engine'),
    VoiceId: setBy('synthesizer.provider_config.voice'),
    OutputFormat: parleySets,
    SampleRate: parleySets,
    SpeechMarkTypes: parleySets,
    TextType: parleySets,
  },
)
