// What speech vendors ask on their public price lists, as a table to begin with: what a workspace pays is in its own prices.
import type { PublicPrices } from '@parley/contract'

const perMinute = {
  assembly: 0.0025,
  azure: 0.0167,
  deepgram: 0.0077,
  elevenlabs: 0.0065,
  gladia: 0.0125,
  google: 0.016,
  openai: 0.006,
  soniox: 0.002,
  // Offline; a server of your own that speaks whisper's protocol costs what you say.
  moonshine: 0,
  whisper: 0,
}

const perMillionCharacters = {
  azuretts: 16,
  cartesia: 38,
  deepgram: 30,
  elevenlabs: 100,
  google: 30,
  openai: 15,
  polly: 16,
  sarvam: 18,
  // Offline.
  wren: 0,
  kokoro: 0,
}

export const publicPrices: PublicPrices = {
  currency: 'USD',
  as_of: '2025-06-30',
  source:
    'Written down from memory of the public price lists of the vendors, pay as you go, for their usual model; not read from them. Compare with your invoice before you rely on it. Vendors that are missing publish no price per minute or character, or it is not known here. The offline engines cost nothing.',
  rows: [
    ...Object.entries(perMinute).map(([name, price]) => ({
      ...{ part: 'transcriber' as const, name, per_minute: price },
    })),
    ...Object.entries(perMillionCharacters).map(([name, price]) => ({
      ...{ part: 'synthesizer' as const, name, per_million_characters: price },
    })),
  ],
}
