// French: silent endings, nasal vowels, liaison. The last vowel of a word carries the stress.
import { frenchNumbers } from '../spoken-form/french-numbers.ts'
import { writtenForms } from '../spoken-form/written-forms.ts'
import { frenchWords } from './french-words.ts'
import { pronounceWords, rewriter, type SpokenLanguage } from './language.ts'

const vowel = '[aeiouyàâäéèêëîïôöùûüœæ]'
const consonant = '[bcdfghjklmnpqrstvwxzç]'
// n and m after a vowel make it nasal, unless a vowel, h or another n or m follows.
const nasal = `(?![aeiouyàâäéèêëîïôöùûüœæhmn])`

const rules = rewriter([
  // Endings.
  // Nouns, adjectives and adverbs; the same letters at the end of a verb are silent.
  ['(?<=^.+ag|[ao]ng)ent$', ''],
  ['(?<=m|id|ic|ig|ér|ul|éd|qu|g|cc|ès|és|éc|al|ar|v|t|c)ents?$', 'ɑ̃'],
  ['(?<=^.{2,})ent$', ''],
  ['(?<=^.{2,})er$', 'e'],
  ['(?<=^.{2,})ez$', 'e'],
  ['ets?$', 'ɛ'],
  ['ies?$', 'i'],
  ['(?<=^.{2,})ings?$', 'iŋ'],
  ['aies?$|ais$|aits?$|aient$', 'ɛ'],
  ['eaux?$', 'o'],
  ['euill?', 'œj'],
  ['ueill?', 'œj'],
  ['œil', 'œj'],
  ['ouill?', 'uj'],
  ['aill?(?=e|$|[^aou])(?<=aill|ail)', 'aj'],
  ['eill?(?<=eill|eil)', 'ɛj'],
  [`(?<=${consonant})ill(?=${vowel})`, 'ij'],
  ['(?<=s)tion', 'tjɔ̃'],
  ['tion', 'sjɔ̃'],
  ['tien', 'tjɛ̃'],
  ['ti(?=el|al|eux)', 'sj'],
  // Nasal vowels.
  [`(?:ain|aim|ein|eim)${nasal}`, 'ɛ̃'],
  [`oin${nasal}`, 'wɛ̃'],
  [`(?<=[iéy])en${nasal}`, 'ɛ̃'],
  [`(?:an|am|en|em|aon)${nasal}`, 'ɑ̃'],
  [`(?:in|im|yn|ym|în)${nasal}`, 'ɛ̃'],
  [`(?:on|om)${nasal}`, 'ɔ̃'],
  [`(?:un|um)${nasal}`, 'œ̃'],
  // Vowels of several letters.
  ['eau', 'o'],
  ['au', 'o'],
  ['oy(?=[aeiouéè])', 'waj'],
  ['o[iîy]', 'wa'],
  ['œu(?=[frlv])', 'œ'],
  ['œu', 'ø'],
  ['œ', 'ø'],
  [`eu(?=[rfl]|il|n|v|bl|pl)`, 'œ'],
  ['eu|eû', 'ø'],
  ['o[uùû](?=[aeiéè])', 'w'],
  ['o[uùû]', 'u'],
  ['ay(?=[aeiouéè])', 'ɛj'],
  ['a[iî]|e[iî]|ay|ey', 'ɛ'],
  // Consonants of several letters.
  ['ch(?=[rln])', 'k'],
  ['ch', 'ʃ'],
  ['ph', 'f'],
  ['th', 't'],
  ['gn', 'ɲ'],
  ['qu', 'k'],
  ['q', 'k'],
  ['gu(?=[eiéèêy])', 'ɡ'],
  ['ge(?=[aoâô])', 'ʒ'],
  ['sc(?=[eiéèêy])', 's'],
  ['ss', 's'],
  ['cc(?=[eiéèê])', 'ks'],
  ['c(?=[eiéèêëîy])', 's'],
  ['g(?=[eiéèêëîy])', 'ʒ'],
  ['ç', 's'],
  ['j', 'ʒ'],
  [`(?<=${vowel})s(?=${vowel}|h)`, 'z'],
  // Silent at the end of a word.
  ['(?:s|t|d|p|x|z|ts|ds|ps|g|gs)$', ''],
  ['e(?:s|nt)?$', ''],
  ['rs$|rt$|rts$|rd$|rds$', 'ʁ'],
  ['cts?$', 'kt'],
  ['rr', 'ʁ'],
  ['([bcdfgklmnpt])\\1', '$1'],
  // Single letters.
  ['x(?=[aeiouéèh])(?<=^[eé]x)', 'ɡz'],
  ['x', 'ks'],
  ['h', ''],
  ['c', 'k'],
  ['g', 'ɡ'],
  ['r', 'ʁ'],
  ['w', 'w'],
  [`y(?=${vowel})`, 'j'],
  ['y', 'i'],
  [`i(?=[aeoéèâôu])(?<!${consonant}[rl]i)`, 'j'],
  ['u(?=i)', 'ɥ'],
  ['[iîï]', 'i'],
  ['[uûüù]', 'y'],
  ['é', 'e'],
  ['[èêë]', 'ɛ'],
  ['[aàâ]', 'a'],
  ['[oôö](?=s$|t$|$)', 'o'],
  ['ô', 'o'],
  [`o(?=z|s${vowel})`, 'o'],
  ['o', 'ɔ'],
  // e: open before two consonants or a final one, else the one that hardly sounds.
  [`e(?=(?![cpt]h${vowel}|gn)${consonant}(?![rl])${consonant}|x|[cflr]$|lle|tte|nne|sse|mme|rr|ss|ff)`, 'ɛ'],
  [`(?<=${vowel}${consonant})e(?=${consonant}${vowel})`, ''],
  ['e', 'ə'],
  ['ä', 'ɛ'],
  ['æ', 'e'],
  ['[abdfklmnpstvz]', '$&'],
])

// Their silent last consonant sounds before a vowel.
const linking: Readonly<Record<string, string>> = {
  les: 'z',
  des: 'z',
  mes: 'z',
  tes: 'z',
  ses: 'z',
  ces: 'z',
  nos: 'z',
  vos: 'z',
  leurs: 'z',
  aux: 'z',
  nous: 'z',
  vous: 'z',
  ils: 'z',
  elles: 'z',
  deux: 'z',
  trois: 'z',
  six: 'z',
  dix: 'z',
  très: 'z',
  dans: 'z',
  sans: 'z',
  plus: 'z',
  chez: 'z',
  un: 'n',
  mon: 'n',
  ton: 'n',
  son: 'n',
  en: 'n',
  on: 'n',
  bien: 'n',
  aucun: 'n',
  est: 't',
  sont: 't',
  ont: 't',
  petit: 't',
  grand: 't',
  quand: 't',
  tout: 't',
  cet: 't',
  vingt: 't',
  cent: 't',
  avez: 'z',
  êtes: 'z',
  pouvez: 'z',
  allez: 'z',
  quels: 'z',
  quelques: 'z',
  quelles: 'z',
  autres: 'z',
  plusieurs: 'z',
  font: 't',
}
// No link to these, though they begin with a vowel or a silent h.
const unlinked = /^(?:et|ou|où|oui|onze|huit|haut|hauts|haute|héros|hors|hasard|honte|hall|y)$/
const beginsWithVowel = /^[haeiouyàâéèêëîïôùûœ]/

const unstressed = new Set(
  (
    'le la les un une des du de au aux à et ou en dans sur pour par avec sans je tu il elle on nous vous ils elles me te se ce ' +
    'ces mon ton son ma ta sa mes tes ses notre votre nos vos leur leurs que qui ne y est si'
  ).split(' '),
)

const sounds = /(?:[aeiouyøœɔɛɑə]̃?)(?=[^aeiouyøœɔɛɑ]*$)/u

function phonemesOf(written: string, next: string | undefined): string {
  return written
    .split(/(?<=['’])/)
    .map((part) => (/['’]$/.test(part) ? elided(part) : wordOf(part, next)))
    .join('')
}

const elided = (part: string) => {
  const letters = part.replace(/['’]/g, '')
  return frenchWords[letters] ?? (letters === 'qu' ? 'k' : letters === 'c' ? 's' : rules(`${letters}’`))
}

function wordOf(word: string, next: string | undefined): string {
  const own = Object.hasOwn(frenchWords, word) ? (frenchWords[word] ?? '') : rules(word)
  const links = next !== undefined && beginsWithVowel.test(next) && !unlinked.test(next)
  // The s of six and dix sounds alone; before a vowel it is voiced, before a consonant it is silent.
  const bare = next !== undefined && /^(?:six|dix)$/.test(word) ? own.slice(0, -1) : own
  const said = links ? bare + (linking[word] ?? '') : bare
  // The silent e of le, je, de stays; elsewhere the last full vowel is stressed.
  return unstressed.has(word) ? said : said.replace(sounds, 'ˈ$&')
}

export const french: SpokenLanguage = {
  normalise: writtenForms(frenchNumbers),
  pronounce: (words) =>
    pronounceWords(words, phonemesOf, /[a-zàâäéèêëîïôöùûüçœæ]+(?:['’][a-zàâäéèêëîïôöùûüçœæ]+)*['’]?/),
}
