// What Parley itself reads in `synthesizer.provider_config`, whoever speaks.
export const voiceWishes = {
  voice: 'text',
  voice_id: 'text',
  model: 'text',
  language: 'text',
  engine: 'text',
  temperature: 'number',
  similarity_boost: 'number',
  speed: 'number',
} as const
export type VoiceWishes = typeof voiceWishes
