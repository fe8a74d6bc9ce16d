// Kokoro's symbols for languages other than English, and their ids.
const runs: readonly (readonly [first: number, symbols: string])[] = [
  [1, ';:,.!?'],
  [9, '—…"()“” \u0303ʣʥʦʨᵝꭧ'],
  [24, 'AI'],
  [43, 'abcdef'],
  [50, 'hijklmnopqrstuvwxyzɑɐɒæ'],
  [75, 'βɔɕç'],
  [80, 'ɖðʤə'],
  [85, 'ɚɛɜ'],
  [101, 'ɨɪʝ'],
  [110, 'ɯɰŋɳɲɴø'],
  [118, 'ɸθœ'],
  [128, 'ʁɽʂʃʈʧ'],
  [135, 'ʊʋ'],
  [138, 'ʌɣɤ'],
  [142, 'χʎ'],
  [147, 'ʒʔ'],
  [156, 'ˈˌː'],
  [171, '→↗↘'],
]
const single: Readonly<Record<string, number>> = {
  // Diphthongs, and a long s, are one symbol each.
  O: 31,
  S: 35,
  W: 39,
  Y: 41,
  ɟ: 90,
  ɡ: 92,
  ɥ: 99,
  ɹ: 123,
  ɾ: 125,
  ɻ: 126,
  ʰ: 162,
  ʲ: 164,
  '↓': 169,
}

export const symbolIds: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    runs.flatMap(([first, symbols]) => [...symbols].map((symbol, place) => [symbol, first + place])),
  ),
  ...single,
}
