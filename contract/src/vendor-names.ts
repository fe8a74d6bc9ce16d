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
