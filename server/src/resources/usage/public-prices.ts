// What speech vendors ask on their public price lists, as a table to begin with: what a workspace pays is in its own prices.
import type { PublicPrices } from '@parley/contract'
import type { SynthesizerName, TranscriberName } from '@parley/contract/companies'

/** Prices of the model that each vendor is asked for unless an agent names another. */
const perMinute: Partial<Record<TranscriberName | 'moonshine', number>> = {
  // universal-3-5-pro; universal-streaming is 0.0025.
  assembly: 0.0075,
  azure: 0.0167,
  // nova-3 of one language; flux is 0.0065.
  deepgram: 0.0048,
  elevenlabs: 0.0065,
  gladia: 0.0125,
  google: 0.016,
  // gpt-live-transcribe, by its page.
  openai: 0.017,
  soniox: 0.002,
  // Offline; a server of your own that speaks whisper's protocol costs what you say.
  moonshine: 0,
  whisper: 0,
}

const perMillionCharacters: Partial<Record<SynthesizerName | 'wren' | 'kokoro', number>> = {
  azuretts: 15,
  deepgram: 30,
  // Flash; other models are 100.
  elevenlabs: 50,
  google: 30,
  // Billed by tokens, which comes to about as much.
  openai: 15,
  // Neural voices.
  polly: 16,
  // bulbul:v3, converted from rupees.
  sarvam: 35,
  // Offline.
  wren: 0,
  kokoro: 0,
}

export const publicPrices: PublicPrices = {
  currency: 'USD',
  as_of: '2026-08-01',
  source:
    'The vendors’ public price lists, pay as you go, for the model that each is asked for unless an agent names another, as read on that day by the OpenGauntlet survey (github.com/D3velop-llc/open-gauntlet-leaderboard); of OpenAI’s transcriber, its page in November 2026. Compare with your invoice before you rely on it. Vendors that are missing publish no price per minute or character (Cartesia, Gemini, Pixa, Smallest), or none that is clear (Rime). The offline engines cost nothing.',
  rows: [
    ...Object.entries(perMinute).map(([name, price]) => ({
      part: 'transcriber' as const,
      name,
      per_minute: price,
    })),
    ...Object.entries(perMillionCharacters).map(([name, price]) => ({
      part: 'synthesizer' as const,
      name,
      per_million_characters: price,
    })),
  ],
}
