// What Gladia has besides what agents ask of every vendor, by @gladiaio/sdk 2.1, as of 2026-11.
import { z } from 'zod'
import {
  between,
  choice,
  leavesParley,
  ownOptions,
  parleySets,
  setBy,
  shaped,
  text,
  yesOrNo,
} from '../over/own-options.ts'

const Vocabulary = z.array(
  z.union([
    z.string(),
    z.strictObject({
      value: z.string(),
      intensity: z.number().min(0).max(1).optional(),
      pronunciations: z.array(z.string()).optional(),
      language: z.string().optional(),
    }),
  ]),
)
const Spellings = z.record(z.string(), z.array(z.string()))
const Metadata = z.record(z.string(), z.unknown())

export const hearsOptions = ownOptions(
  {
    session: {
      custom_metadata: shaped(Metadata, 'an object', 'what the session is marked with at Gladia'),
      maximum_duration_without_endpointing: between(5, 60, 'seconds after which an utterance is cut'),
      'language_config.code_switching': yesOrNo('the language is found out anew for each utterance'),
      'pre_processing.audio_enhancer': yesOrNo('the sound is made clearer first'),
      'pre_processing.speech_threshold': between(0, 1, 'how sure it has to be that there is speech'),
      'realtime_processing.custom_vocabulary': yesOrNo('whether the vocabulary is used'),
      'realtime_processing.custom_vocabulary_config.vocabulary': shaped(
        Vocabulary,
        'a list of texts or of {value, intensity, pronunciations, language}',
        'words to expect, in place of `transcriber.keywords`',
      ),
      'realtime_processing.custom_vocabulary_config.default_intensity': between(
        0,
        1,
        'how much words to expect are preferred',
      ),
      'realtime_processing.custom_spelling': yesOrNo('whether the spellings are used'),
      'realtime_processing.custom_spelling_config.spelling_dictionary': shaped(
        Spellings,
        'an object of lists of texts',
        'what is written instead of other spellings',
      ),
      'realtime_processing.translation_config.model': choice(
        ['base', 'batch', 'enhanced'],
        'who translates, where `transcriber.task` is `translate`',
      ),
      'realtime_processing.translation_config.context': text('what the call is about, for the translation'),
      'realtime_processing.translation_config.informal': yesOrNo('the translation speaks as among friends'),
      'realtime_processing.named_entity_recognition': yesOrNo('names are marked at Gladia'),
      'realtime_processing.sentiment_analysis': yesOrNo('moods are marked at Gladia'),
    },
  },
  {
    callback: leavesParley,
    callback_config: leavesParley,
    messages_config: parleySets,
    bit_depth: parleySets,
    sample_rate: parleySets,
    channels: parleySets,
    'language_config.languages': setBy('transcriber.language'),
    'realtime_processing.translation': setBy('transcriber.task'),
    'realtime_processing.translation_config.target_languages': setBy('transcriber.task'),
  },
)
