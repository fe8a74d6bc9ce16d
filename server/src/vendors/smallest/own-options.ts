// What Smallest has besides what agents ask of every vendor, by waves-docs.smallest.ai and clients of others, as of 2026-11.
import { between, integer, ownOptions, parleySets, setBy, text, texts, yesOrNo } from '../over/own-options.ts'

export const hearsOptions = ownOptions(
  {
    query: {
      redact_pii: yesOrNo('names and addresses are masked'),
      redact_pci: yesOrNo('card and account numbers are masked'),
      numerals: text('whether numbers are written in figures: `true`, `false` or `auto`'),
      format: yesOrNo('punctuation and capitals'),
      punctuate: yesOrNo('punctuation'),
      capitalize: yesOrNo('capitals'),
      itn_normalize: yesOrNo('dates and sums are written as people write them'),
      diarize: yesOrNo('words are told apart by speaker in the answer'),
      finalize_on_words: yesOrNo('a final after so many words as `max_words` says'),
      max_words: integer(1, 1_000, 'the most words of a final'),
    },
  },
  {
    sample_rate: parleySets,
    word_timestamps: parleySets,
    sentence_timestamps: parleySets,
    full_transcript: parleySets,
    vad_events: parleySets,
    eou_timeout_ms: setBy('transcriber.endpointing'),
  },
)

export const speaksOptions = ownOptions(
  {
    request: {
      consistency: between(0, 1, 'against words that repeat or are skipped, of lightning-large'),
      similarity: between(0, 1, 'how close to the original speaker, of lightning-large'),
      enhancement: between(0, 2, 'how clear the sound is, of lightning-large'),
      pronunciation_dicts: texts('dictionaries of how words are said'),
      max_buffer_flush_ms: integer(0, 10_000, 'how long text is gathered'),
    },
  },
  {
    sample_rate: parleySets,
    output_format: parleySets,
    word_timestamps: parleySets,
    complete_backoff_ms: parleySets,
    continue: parleySets,
    flush: parleySets,
  },
)
