// The settings of how an agent speaks and hears.
import type { Setting } from '../setting.ts'

const voice = (key: string) => `synthesizer.provider_config.${key}`
const kept = 'Kept, and used by vendors that have it.'

export const speakingDetails: readonly Setting[] = [
  {
    is: 'text',
    path: voice('voice_id'),
    label: 'Voice ID',
    help: 'Where a vendor tells voices apart by an id. It comes before the name.',
  },
  {
    is: 'text',
    path: voice('model'),
    label: 'Voice model',
    usual: 'the vendor’s',
    help: 'The vendor’s model of speech.',
  },
  {
    is: 'text',
    path: 'synthesizer.language',
    label: 'Language of the voice',
    usual: 'the agent’s',
    help: 'What is spoken, as in en or pt-BR.',
  },
  {
    is: 'number',
    path: voice('temperature'),
    label: 'Variation',
    unit: '0 to 1',
    most: 1,
    fraction: true,
    help: kept,
  },
  {
    is: 'number',
    path: voice('similarity_boost'),
    label: 'Similarity',
    unit: '0 to 1',
    most: 1,
    fraction: true,
    help: kept,
  },
  { is: 'text', path: voice('engine'), label: 'Engine', blank: null, help: kept },
  { is: 'text', path: voice('language'), label: 'The vendor’s language code', help: kept },
  {
    is: 'choice',
    path: 'synthesizer.audio_format',
    label: 'Audio format',
    usual: 'what the line needs',
    blank: null,
    options: { wav: 'WAV', mp3: 'MP3', pcm: 'PCM', flac: 'FLAC', ogg: 'Ogg' },
    help: kept,
  },
  {
    is: 'number',
    path: 'synthesizer.buffer_size',
    label: 'Buffer',
    unit: 'characters',
    usual: 40,
    least: 1,
    help: 'Text to collect before speaking, where a vendor takes it in pieces.',
  },
  {
    is: 'flag',
    path: 'synthesizer.caching',
    label: 'Cache speech',
    usual: true,
    help: 'Repeated sentences, such as the greeting, are synthesised once and played again.',
  },
  {
    is: 'flag',
    path: 'synthesizer.stream',
    label: 'Stream speech',
    usual: false,
    help: 'Stored, but has no effect: speech is always streamed where the vendor supports it.',
  },
]

export const hearingBasics: readonly Setting[] = [
  {
    is: 'text',
    path: 'transcriber.keywords',
    label: 'Names and terms to expect',
    usual: 'none',
    blank: null,
    help: 'Separated by commas: they are recognised more often.',
  },
  {
    is: 'text',
    path: 'transcriber.language',
    label: 'Language of the caller',
    usual: 'the agent’s',
    blank: null,
    help: 'As in en or pt-BR.',
  },
]

export const hearingDetails: readonly Setting[] = [
  {
    is: 'text',
    path: 'transcriber.model',
    label: 'Recognition model',
    usual: 'nova-2',
    help: 'The vendor’s model; the offline recogniser has its own.',
  },
  {
    is: 'number',
    path: 'transcriber.sampling_rate',
    label: 'Sampling rate',
    unit: 'Hz',
    usual: 16_000,
    least: 1,
    help: 'Of the sound that is sent to the vendor.',
  },
  {
    is: 'choice',
    path: 'transcriber.encoding',
    label: 'Encoding',
    usual: 'linear16',
    options: {
      linear16: 'linear16',
      mulaw: 'mulaw',
      alaw: 'alaw',
      ogg_opus: 'ogg_opus',
      speex_with_header_byte: 'speex_with_header_byte',
    },
    help: 'Of the sound that is sent to the vendor.',
  },
  {
    is: 'text',
    path: 'transcriber.task',
    label: 'Task',
    usual: 'transcribe',
    help: 'Speech is transcribed; vendors that translate may be asked to.',
  },
  {
    is: 'flag',
    path: 'transcriber.stream',
    label: 'Stream recognition',
    usual: false,
    help: 'Stored, but has no effect: words are always recognised as they are spoken.',
  },
]
