// Labels for the settings of an agent. The compiler checks that the lists are complete.
import type { AgentConfig, AgentStatus } from '@parley/contract'
import type { Tone } from '../ui/words/badge.tsx'

type SynthesizerName = NonNullable<AgentConfig['synthesizer']>['provider']
type TranscriberName = NonNullable<AgentConfig['transcriber']>['provider']

export const statusTones: Record<AgentStatus, Tone> = { active: 'good', inactive: 'off', seeding: 'wait' }

export const statusWords: Record<AgentStatus, string> = {
  active: 'Active',
  inactive: 'Inactive',
  seeding: 'Seeding',
}

export const synthesizerWords: Record<SynthesizerName, string> = {
  azuretts: 'Azure',
  cartesia: 'Cartesia',
  deepgram: 'Deepgram',
  elevenlabs: 'ElevenLabs',
  gemini: 'Gemini',
  google: 'Google',
  openai: 'OpenAI',
  pixa: 'Pixa',
  polly: 'Amazon Polly',
  rime: 'Rime',
  sarvam: 'Sarvam',
  smallest: 'Smallest',
}

export const transcriberWords: Record<TranscriberName, string> = {
  assembly: 'AssemblyAI',
  azure: 'Azure',
  deepgram: 'Deepgram',
  elevenlabs: 'ElevenLabs',
  gladia: 'Gladia',
  google: 'Google',
  openai: 'OpenAI',
  pixa: 'Pixa',
  sarvam: 'Sarvam',
  smallest: 'Smallest',
  soniox: 'Soniox',
  whisper: 'Whisper',
}
