// What OpenAI has besides what agents ask of every vendor, by openai 7.53, as of 2026-11.
import { choice, ownOptions, parleySets, setBy, text, texts } from '../over/own-options.ts'
import { takesKeywords, takesNames, transcriptionModelOf } from './transcription.ts'

export const hearsOptions = ownOptions(
  {
    input: {
      'noise_reduction.type': choice(
        ['near_field', 'far_field'],
        'against noise, by where the microphone is',
      ),
    },
    told: {
      'transcription.prompt': text('what the call is about, of models other than gpt-realtime-whisper'),
    },
    listed: {
      'transcription.keywords': texts('words to expect, of gpt-transcribe and gpt-live-transcribe'),
      'transcription.languages': texts('languages to expect, of gpt-transcribe and gpt-live-transcribe'),
    },
    whispered: {
      'transcription.delay': choice(
        ['minimal', 'low', 'medium', 'high', 'xhigh'],
        'how long words are held back to be right, of gpt-realtime-whisper',
      ),
    },
  },
  {
    format: parleySets,
    turn_detection: parleySets,
    'transcription.model': setBy('transcriber.model'),
    'transcription.language': setBy('transcriber.language'),
  },
  ({ model = '' }) => {
    const asked = transcriptionModelOf({ model })
    if (!takesNames(asked)) return ['input', 'whispered']
    return takesKeywords(asked) ? ['input', 'told', 'listed'] : ['input', 'told']
  },
)

export const speaksOptions = ownOptions(
  { request: { instructions: text('how it is said, in words: the mood, the accent, the pace') } },
  { response_format: parleySets, stream_format: parleySets },
)
