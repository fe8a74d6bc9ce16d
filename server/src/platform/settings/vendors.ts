// For all workspaces that have stored none of their own.
import { z } from 'zod'
import { free, set, speechKey, vendorKey, wordList } from './kinds.ts'

export const vendors = {
  PARLEY_OPENAI_API_KEY: vendorKey('OpenAI'),
  PARLEY_ANTHROPIC_API_KEY: vendorKey('Anthropic'),
  PARLEY_GEMINI_API_KEY: vendorKey('Gemini'),
  PARLEY_GROQ_API_KEY: vendorKey('Groq'),
  PARLEY_TOGETHER_API_KEY: vendorKey('Together AI'),
  PARLEY_OPENROUTER_API_KEY: vendorKey('OpenRouter'),
  PARLEY_MISTRAL_API_KEY: vendorKey('Mistral'),
  PARLEY_DEEPSEEK_API_KEY: vendorKey('DeepSeek'),
  PARLEY_DEEPGRAM_API_KEY: speechKey('Deepgram'),
  PARLEY_ELEVENLABS_API_KEY: speechKey('ElevenLabs'),
  PARLEY_AZURE_SPEECH_KEY: speechKey('Azure Speech'),
  PARLEY_AZURE_SPEECH_REGION: free(
    z.string().regex(/^[a-z0-9-]+$/, 'a region, as in westeurope'),
    'The region of that key, as in `westeurope`.',
  ),
  PARLEY_GOOGLE_SERVICE_ACCOUNT: free(
    z.string(),
    'The key file of a service account of Google Cloud, as JSON, for the voices and the recognition of Google.',
  ),
  PARLEY_POLLY_ACCESS_KEY_ID: speechKey('Amazon Polly, its id'),
  PARLEY_POLLY_SECRET_ACCESS_KEY: speechKey('Amazon Polly'),
  PARLEY_POLLY_REGION: free(
    z.string().regex(/^[a-z0-9-]+$/, 'a region, as in eu-central-1'),
    'The region of Amazon Polly, as in `eu-central-1`.',
  ),
  PARLEY_CARTESIA_API_KEY: speechKey('Cartesia'),
  PARLEY_RIME_API_KEY: speechKey('Rime'),
  PARLEY_SMALLEST_API_KEY: speechKey('Smallest AI'),
  PARLEY_SARVAM_API_KEY: speechKey('Sarvam AI'),
  PARLEY_PIXA_API_KEY: speechKey('Pixa'),
  PARLEY_ASSEMBLY_API_KEY: speechKey('AssemblyAI'),
  PARLEY_GLADIA_API_KEY: speechKey('Gladia'),
  PARLEY_SONIOX_API_KEY: speechKey('Soniox'),
  PARLEY_WHISPER_API_KEY: speechKey('a server that speaks OpenAI’s transcription'),
  PARLEY_VENDOR_BASE_URLS: set(
    wordList(),
    '',
    'Where vendors of speech are instead of at their own hosts: `name=address`, comma-separated, as in `whisper=http://localhost:8000,deepgram=https://api.eu.deepgram.com`. The keys above are sent there.',
  ),
}
