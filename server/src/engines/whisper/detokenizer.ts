// Decodes whisper's tokens to text: byte-level BPE, with each byte mapped to a printable character.

/** Bytes that map to themselves; the others are numbered from 256 on, in order. */
const visible = [
  { from: 0x21, to: 0x7e },
  { from: 0xa1, to: 0xac },
  { from: 0xae, to: 0xff },
]

const isVisible = (byte: number) => visible.some(({ from, to }) => byte >= from && byte <= to)

const byteOfLetter = new Map<string, number>()
for (let byte = 0, hidden = 256; byte < 256; byte++)
  byteOfLetter.set(String.fromCharCode(isVisible(byte) ? byte : hidden++), byte)

export class Detokenizer {
  readonly #bytes: readonly (Uint8Array | undefined)[]

  /** `vocabulary`: token ids by their text. */
  constructor(vocabulary: Readonly<Record<string, number>>) {
    const bytes: Uint8Array[] = []
    for (const [letters, token] of Object.entries(vocabulary))
      bytes[token] = Uint8Array.from(letters, (letter) => byteOfLetter.get(letter) ?? 0x3f)
    this.#bytes = bytes
  }

  text(tokens: readonly number[]): string {
    return Buffer.concat(tokens.map((token) => this.#bytes[token] ?? new Uint8Array())).toString('utf8')
  }

  /** Whether a token begins a word: by its leading space; without spaces, every complete character does. */
  beginsWord(token: number, spaced: boolean): boolean {
    const first = this.#bytes[token]?.[0] ?? 0
    // UTF-8 continuation bytes are 10xxxxxx.
    return spaced ? first === 0x20 : (first & 0xc0) !== 0x80
  }
}
