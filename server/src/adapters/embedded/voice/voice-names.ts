// From the voice that an agent names to one that there is.
import { fliteVoice, isFliteVoice } from '../flite/voices.ts'
import { findKokoroVoice, kokoroVoice } from '../kokoro/voices.ts'
import type { VoiceEngine } from './voice-choice.ts'

export interface AskedVoice {
  readonly voice?: string | undefined
  readonly voiceId?: string | undefined
}

/** Whose voice it is; every name belongs to one engine only, so one name is one voice all through a call. */
export const engineOf = (voice: string): VoiceEngine => (findKokoroVoice(voice) ? 'kokoro' : 'flite')

/** The first name that means something here, else the engine's own voice. */
export function pickVoice(engine: VoiceEngine, asked: AskedVoice): string {
  const names = [asked.voiceId, asked.voice].filter((name) => name !== undefined)
  const robot = names.find(isFliteVoice)
  if (robot) return fliteVoice(robot)
  const natural = names.map(findKokoroVoice).find((name) => name !== undefined)
  if (engine === 'kokoro') return kokoroVoice(natural ?? '')
  return natural ? sameSex(natural) : fliteVoice('')
}

/** The second letter of a natural voice's name tells who speaks: `am_michael`, `bf_emma`. */
const sameSex = (natural: string) => fliteVoice(natural[1] === 'm' ? 'rms' : 'slt')
