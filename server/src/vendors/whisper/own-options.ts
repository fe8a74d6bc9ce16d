// What servers with OpenAI's transcription have besides what agents ask of every vendor: OpenAI itself by openai 7.53, and
// speaches and vLLM by their documents, as of 2026-11.
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
    form: {
      temperature: between(0, 1, 'how freely it guesses'),
      prompt: text('what the call is about, in place of `transcriber.keywords`'),
      chunking_strategy: choice(['auto'], 'how long sound is cut, of OpenAI'),
      hotwords: text('words to expect, of servers such as speaches'),
      vad_filter: yesOrNo('silence is cut out first, of servers such as speaches'),
      seed: integer(0, 4_294_967_295, 'the same one hears the same, of vLLM'),
      top_p: between(0, 1, 'the share of probability to choose from, of vLLM'),
      repetition_penalty: between(0, 2, 'against words that repeat, of vLLM'),
    },
  },
  {
    file: parleySets,
    response_format: parleySets,
    timestamp_granularities: parleySets,
    keywords: setBy('transcriber.keywords'),
  },
)
