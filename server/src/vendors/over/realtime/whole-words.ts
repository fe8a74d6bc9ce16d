// Words of which nothing is missing: a model sends its words in pieces, and may break off in the middle of one.

// Writing without spaces shows no end of a word, and is cut anywhere.
const letter = String.raw`(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{M}\p{N}'’])`
const lastWord = new RegExp(`(?<!${letter})${letter}+$`, 'u')

/** A text without its last word if that may go on. */
export const wholeWordsOf = (text: string): string => text.replace(lastWord, '')
