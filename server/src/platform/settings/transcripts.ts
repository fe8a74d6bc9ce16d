// Recordings and uploads.
import { recordingsNames } from '@parley/contract/companies'
import { z } from 'zod'
import { free, inCode, seconds, set, vendorKey, whole } from './kinds.ts'

export const transcriptSettings = {
  PARLEY_STT_PROTOCOL: free(
    z.enum(recordingsNames, `one of ${recordingsNames.join(', ')}`),
    `The vendor that transcribes recordings: ${inCode(recordingsNames.slice(0, -1))} or ${inCode(recordingsNames.slice(-1))}. \`openai\` is any server with \`POST /audio/transcriptions\`, and what is meant when only \`PARLEY_STT_BASE_URL\` is set. Both unset: the offline engine does.`,
  ),
  PARLEY_STT_BASE_URL: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    "Where that vendor is, as in `http://localhost:8000/v1`. Unset: the vendor's own address; `azure` has none, and needs that of your resource, as in `https://westeurope.api.cognitive.microsoft.com`.",
  ),
  PARLEY_STT_MODEL: free(
    z.string(),
    'The model that is asked for there. Unset: `gpt-transcribe` of `openai`, `whisper-1` of another server that speaks like it, `nova-3` of `deepgram`, `universal-3-5-pro,universal-2` of `assembly`, `scribe_v2` of `elevenlabs`, `solaria-1` of `gladia`, `stt-async-v5` of `soniox`, `saaras:v3` of `sarvam`; `azure` takes none.',
  ),
  PARLEY_STT_API_KEY: free(vendorKey(), 'The key for that vendor. It is sent to no other.'),
  PARLEY_SPEECH_CONCURRENCY: set(whole(1, 1000), '4', 'Recordings that this process transcribes at a time.'),
  PARLEY_SPEECH_MAX_HOURS: set(whole(1, 1000), '10', 'The longest recording that is transcribed.'),
  PARLEY_SPEECH_SYNC_SECONDS: set(
    seconds(),
    '300',
    'How long `POST /v1/transcripts/sync` waits. Then it answers with what there is, and the transcription goes on.',
  ),
  PARLEY_UPLOAD_MAX_MB: set(
    whole(1, 1_000_000),
    '2048',
    'The largest file that is taken in, or fetched from an `audio_url`.',
  ),
  PARLEY_UPLOAD_SECONDS: set(
    whole(1, 86_400),
    '3600',
    'How long an upload, or fetching an `audio_url`, may take.',
  ),
}
