// From whisper's tokens to text: each stands for some bytes of UTF-8, written in letters that can be seen.

/** The bytes that are written as themselves; the others follow, in order, from 256 on. */
const visible = [
  { from: 0x21, to: 0x7e },
  { from: 0xa1, to: 0xac },
  { from: 0xae, to: 0xff },
]

const isVisible = (byte: number) => visible.some(({ from, to }) => byte >= from && byte <= to)

const byteOfLetter = new Map<string, number>()
for (let byte = 0, hidden = 256; byte < 256; byte++)
  byteOfLetter.set(String.fromCharCode(isVisible(byte) ? byte : hidden++), byte)

export class Spelling {
  readonly #bytes: readonly (Uint8Array | undefined)[]

  /** `vocabulary`: the number of each token by its letters. */
  constructor(vocabulary: Readonly<Record<string, number>>) {
    const bytes: Uint8Array[] = []
    for (const [letters, token] of Object.entries(vocabulary))
      bytes[token] = Uint8Array.from(letters, (letter) => byteOfLetter.get(letter) ?? 0x3f)
    this.#bytes = bytes
  }

  text(tokens: readonly number[]): string {
    return Buffer.concat(tokens.map((token) => this.#bytes[token] ?? new Uint8Array())).toString('utf8')
  }

  /** A space begins a word; where there are no spaces, every character that is whole does. */
  beginsWord(token: number, spaced: boolean): boolean {
    const first = this.#bytes[token]?.[0] ?? 0
    // In UTF-8 only the later bytes of a character look like 10xxxxxx.
    return spaced ? first === 0x20 : (first & 0xc0) !== 0x80
  }
}
