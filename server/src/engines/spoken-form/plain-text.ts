// Removes from a written text what only eyes can read: Markdown, tags, emoji, typographic variants of signs.

// Bounded repetitions keep the time linear in the length of the text.
const rules: readonly (readonly [written: RegExp, plain: string])[] = [
  [/[^\S\n]+/g, ' '],
  // Code fences and rules of Markdown, on lines of their own.
  [/^ {0,3}(?:```|~~~)[^\n]{0,40}$/gm, ''],
  [/^ {0,3}(?:-{3,80}|\*{3,80}|_{3,80}|={3,80})\s{0,9}$/gm, ''],
  // Images are not spoken, links are by their text.
  [/!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)/g, ''],
  [/\[([^\]\n]{1,200})\]\([^)\n]{0,500}\)/g, '$1'],
  [/^ {0,9}#{1,6} +/gm, '\n'],
  [/^ {0,9}(?:> ?){1,5}/gm, ''],
  // Each entry of a list is a sentence.
  [/^ {0,9}[-*+•‣◦] +/gm, '\n'],
  [/^ {0,9}(\d{1,3})[.)] +/gm, '\n$1, '],
  [/^\|?(?:[ :]{0,9}-{2,40}[ :]{0,9}\|){1,20}[-: ]{0,40}$/gm, ''],
  [/^ {0,9}\| {0,9}| {0,9}\| {0,9}$/gm, ''],
  [/ {0,9}\| {0,9}/g, ', '],
  [/<\/?[a-z][^<>\n]{0,200}>/gi, ' '],
  [/`{1,3}/g, ''],
  // Emphasis; a lone star is a key of the telephone.
  [/(?<![\w*])\*{1,3}(?=[\p{L}\d"'([])|(?<=[\p{L}\d"')\].,!?:;])\*{1,3}(?![\w*])/gu, ''],
  [/(?<![\w@.])_{1,3}(?=[\p{L}\d"'([])|(?<=[\p{L}\d"')\].,!?:;])_{1,3}(?![\w@])/gu, ''],
  [/~~/g, ''],
  [/[\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\u00ad]/g, ''],
  // A digit in a keycap stays a digit.
  [/\ufe0f?\u20e3/g, ''],
  [/(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\ufe0e\ufe0f])+/gu, ' '],
  [/(?<=^|\s)[:;=]-?[)(DPp/](?=\s|$)/g, ' '],
  [/[‘’‛ʼ`´]/g, "'"],
  [/["“”„«»]/g, ''],
  [/−/g, '-'],
  [/(?<=\d)\s?[–—‒]\s?(?=[\d$£€₹¥])/g, '-'],
  [/(?<=\w)–(?=\w)/g, '-'],
  [/ ?[–—] ?| --? /g, ', '],
  [/…/g, '...'],
]

// Letters with compatibility forms, such as ligatures and full-width digits; fractions are the business of a language.
const compatible = /[\uFB00-\uFB06\uFF01-\uFF5E]/g

/** The plain text of a text. Lines stay apart, as sentences do not continue over the end of a list's entry. */
export function plainText(text: string): string {
  // Signs that mean something stay, although they count as pictographs.
  const kept = text.replace(/[©®™]/g, '').replace(compatible, (sign) => sign.normalize('NFKC'))
  return rules.reduce((plain, [written, to]) => plain.replace(written, to), kept)
}
