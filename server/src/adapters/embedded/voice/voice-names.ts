// Maps the voice that an agent names to an available one.
import { fliteVoice, isFliteVoice } from '../flite/voices.ts'
import { findKokoroVoice, kokoroVoice, worldVoice } from '../kokoro/voices.ts'
import type { VoiceEngine } from './voice-choice.ts'

export interface AskedVoice {
  readonly voice?: string | undefined
  readonly voiceId?: string | undefined
  readonly language?: string | undefined
}

/**
 * The engine of a voice. Every name belongs to exactly one engine, so a name means the same voice all through a call.
 */
export const engineOf = (voice: string): VoiceEngine => (findKokoroVoice(voice) ? 'kokoro' : 'flite')

/** The first name that is known here, else the engine's default voice. */
export function pickVoice(engine: VoiceEngine, asked: AskedVoice): string {
  const names = [asked.voiceId, asked.voice].filter((name) => name !== undefined)
  const foreign = worldVoice(asked.language, names)
  if (foreign) return foreign
  const robot = names.find(isFliteVoice)
  if (robot) return fliteVoice(robot)
  const natural = names.map(findKokoroVoice).find((name) => name !== undefined)
  if (engine === 'kokoro') return kokoroVoice(natural ?? '')
  return natural ? sameSex(natural) : fliteVoice('')
}

/** The second letter of a natural voice's name is the speaker's sex: `am_michael`, `bf_emma`. */
const sameSex = (natural: string) => fliteVoice(natural[1] === 'm' ? 'rms' : 'slt')
