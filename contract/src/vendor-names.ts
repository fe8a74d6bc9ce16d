// The speech vendors that an agent may name. Free of zod, for those who need the names and not the agent's shape.

export const synthesizerNames = [
  'polly',
  'elevenlabs',
  'openai',
  'deepgram',
  'azuretts',
  'cartesia',
  'smallest',
  'sarvam',
  'rime',
  'google',
  'pixa',
  'gemini',
] as const

export type SynthesizerName = (typeof synthesizerNames)[number]

export const transcriberNames = [
  'deepgram',
  'whisper',
  'assembly',
  'azure',
  'smallest',
  'sarvam',
  'google',
  'pixa',
  'gladia',
  'elevenlabs',
  'openai',
  'soniox',
] as const

export type TranscriberName = (typeof transcriberNames)[number]

/** Whose credentials a workspace can store: companies, whatever they are asked for. */
export const credentialNames = [
  'deepgram',
  'elevenlabs',
  'openai',
  'azure',
  'google',
  'polly',
  'cartesia',
  'rime',
  'smallest',
  'sarvam',
  'pixa',
  'assembly',
  'gladia',
  'soniox',
  'whisper',
  'anthropic',
  'gemini',
  'groq',
  'together',
  'openrouter',
  'mistral',
  'deepseek',
] as const

export type CredentialName = (typeof credentialNames)[number]

// As their vendors name them: gpt-realtime, gpt-4o-mini-realtime-preview; gemini-live-2.5-flash,
// gemini-2.5-flash-native-audio-preview-09-2025.
const realtimeModel = /(?:^|-)realtime(?:-|$)|^(?:models\/)?gemini-(?:[\w.-]*-)?(?:live|native-audio)(?:-|$)/i

/** Whether a language model hears and speaks itself. */
export const isRealtimeModel = (model: string): boolean => realtimeModel.test(model)
