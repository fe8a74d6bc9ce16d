// What brings each voice of Kokoro to -23 LUFS, measured on two sentences of its language. As they are, the loudest is
// 9 dB above the quietest, and a caller would notice when the language changes.
import type { AnyKokoroVoice } from './voices.ts'

export const kokoroGains: Readonly<Record<AnyKokoroVoice, number>> = {
  af_heart: 0.91,
  af_bella: 0.9,
  af_nicole: 0.82,
  af_kore: 0.58,
  af_sarah: 0.71,
  am_michael: 0.99,
  am_fenrir: 0.6,
  am_puck: 0.55,
  bf_emma: 0.66,
  bm_george: 0.82,
  ef_dora: 0.99,
  em_alex: 0.93,
  ff_siwis: 0.65,
  hf_alpha: 0.46,
  hf_beta: 0.53,
  hm_omega: 0.5,
  if_sara: 0.34,
  im_nicola: 0.63,
  jf_alpha: 0.7,
  jm_kumo: 0.74,
  pf_dora: 1.01,
  pm_alex: 0.93,
  zf_xiaobei: 0.72,
  zf_xiaoxiao: 0.45,
  zm_yunjian: 0.76,
}
