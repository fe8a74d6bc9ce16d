// What Soniox has besides what agents ask of every vendor, by @soniox/node 2.3, as of 2026-11.
import { z } from 'zod'
import {
  between,
  integer,
  ownOptions,
  parleySets,
  setBy,
  shaped,
  text,
  texts,
  yesOrNo,
} from '../over/own-options.ts'

const Facts = z.array(z.strictObject({ key: z.string(), value: z.string() }))
const Terms = z.array(z.strictObject({ source: z.string(), target: z.string() }))
const Reference = z.string().min(1).max(256)

export const hearsOptions = ownOptions(
  {
    session: {
      endpoint_sensitivity: between(-1, 1, 'how readily an utterance is taken to be over'),
      endpoint_latency_adjustment_level: integer(0, 3, 'how much sooner an utterance is ended'),
      max_endpoint_delay_ms: integer(500, 3_000, 'the longest wait for the end of an utterance'),
      language_hints: texts('languages to expect, as codes'),
      language_hints_strict: yesOrNo('no others are expected'),
      enable_speaker_diarization: yesOrNo('words are told apart by speaker in the answer'),
      'context.general': shaped(Facts, 'a list of {key, value}', 'facts about the call'),
      'context.text': text('what the call is about'),
      'context.translation_terms': shaped(Terms, 'a list of {source, target}', 'how terms are translated'),
      client_reference_id: shaped(
        Reference,
        'a text of at most 256 characters',
        'what the session is marked with at Soniox',
      ),
    },
  },
  {
    'context.terms': setBy('transcriber.keywords'),
    translation: setBy('transcriber.task'),
    enable_language_identification: setBy('transcriber.language'),
    audio_format: parleySets,
    sample_rate: parleySets,
    num_channels: parleySets,
    enable_endpoint_detection: parleySets,
  },
)
