// Brazilian Portuguese: spelling determines nearly all sounds; accents, or else the ending, determine the stress.

import { portugueseNumbers } from '../spoken-form/portuguese-numbers.ts'
import { writtenForms } from '../spoken-form/written-forms.ts'
import {
  joinedDiphthongs,
  pronounceWords,
  rewriter,
  type SpokenLanguage,
  soundTable,
  stressOn,
} from './language.ts'

const vowel = '[aeiouáéíóúâêôãõàAEIOUÁÉÍÓÚÂÊÔÃÕ]'
const front = '[eiéêíEIÉÊÍ]'

// A stressed vowel is written in upper case while the rules run.
const rules = rewriter([
  ['nh', 'ɲ'],
  ['lh', 'ʎ'],
  ['ch', 'ʃ'],
  ['rr', 'x'],
  ['ss', 's'],
  [`sc(?=${front})`, 's'],
  [`xc(?=${front})`, 's'],
  ['sç', 's'],
  [`qu(?=${front})`, 'k'],
  ['qü', 'kw'],
  ['qu', 'kw'],
  [`gu(?=${front})`, 'ɡ'],
  ['gü', 'ɡw'],
  ['gu(?=[aáoAÁO])', 'ɡw'],
  [`g(?=${front})`, 'ʒ'],
  [`c(?=${front})`, 's'],
  ['ç', 's'],
  ['j', 'ʒ'],
  ['h', ''],
  // Before a close front vowel, also an unstressed final e, t and d are palatal.
  ['t(?=[iíIÍ]|e$|es$)', 'ʧ'],
  ['d(?=[iíIÍ]|e$|es$)', 'ʤ'],
  [`(?<=${vowel})s(?=${vowel})`, 'z'],
  ['s(?=[bdgmnrv])', 'z'],
  ['z$', 's'],
  ['r(?<=^r|[nls]r)', 'x'],
  ['r', 'ɾ'],
  [`(?<=[eE])x(?=${vowel})(?<=^ex|^Ex)`, 'z'],
  ['x(?<=^x|[aeiou]ix|nx|ux|ax)', 'ʃ'],
  [`(?<=${vowel})x(?=[ctp])`, 's'],
  ['x', 'ʃ'],
  [`(?<=[uUÚ])l(?!${vowel})`, 'w'],
  [`l(?!${vowel})`, 'ʊ'],
  // Nasal vowels.
  ['[ãÃ]o', 'ˈɐ̃ʊ̃'],
  ['[ãÃ]e', 'ˈɐ̃ɪ̃'],
  ['[õÕ]e', 'ˈõɪ̃'],
  ['[ãÃ]', 'ˈɐ̃'],
  ['[õÕ]', 'ˈõ'],
  ['am$', 'ɐ̃ʊ̃'],
  [`[AÂ][mn](?!${vowel}|h)`, 'ˈɐ̃ŋ'],
  [`[EÊÉ][mn](?!${vowel}|h)`, 'ˈeɪŋ'],
  [`[IÍ][mn](?!${vowel}|h)`, 'ˈiŋ'],
  [`[OÔ][mn](?!${vowel}|h)`, 'ˈoŋ'],
  [`[UÚ][mn](?!${vowel}|h)`, 'ˈuŋ'],
  [`a[mn](?!${vowel}|h)`, 'ɐ̃ŋ'],
  [`e[mn](?!${vowel}|h)`, 'eɪŋ'],
  [`i[mn](?!${vowel}|h)`, 'iŋ'],
  [`o[mn](?!${vowel}|h)`, 'oŋ'],
  [`u[mn](?!${vowel}|h)`, 'uŋ'],
  // Diphthongs and glides.
  [`(?<=${vowel})i(?!nh)`, 'ɪ'],
  ['(?<=[oO])u', 'w'],
  [`(?<=${vowel})u`, 'ʊ'],
  ['i(?=[aeoáéóAEOÁÉÓ])', 'j'],
  ['u(?=[aeoáéóAEOÁÉÓ])', 'w'],
  ['(?<=^)e$', 'i'],
  ['(?<=^)a(?=s?$)', 'a'],
  // Unstressed at the end, vowels are closer.
  ['a(?=s?$)', 'æ'],
  ['e(?=s?$)', 'ɪ'],
  ['o(?=s?$)', 'ʊ'],
  ['Á|A', 'ˈa'],
  ['À', 'ˈa'],
  ['Â', 'ˈɐ'],
  ['É', 'ˈɛ'],
  ['Ê', 'ˈe'],
  ['E', 'ˈe'],
  ['Í|I', 'ˈi'],
  ['Ó', 'ˈɔ'],
  ['Ô|O', 'ˈo'],
  ['Ú|U', 'ˈu'],
  ['à', 'a'],
  ['c', 'k'],
  ['q', 'k'],
  ['g', 'ɡ'],
  ['w', 'w'],
  ['y', 'i'],
  ['[aeioubdfklmnpstvz]', '$&'],
])

const unstressed = new Set(
  (
    'a à ao aos as às o os e ou de do da dos das em no na nos nas um uma por pelo pela com sem que se me te lhe nos ' +
    'meu minha seu sua mas para'
  ).split(' '),
)

// Open e and o in stressed syllables are not written; these are the frequent words that have them.
const open = soundTable(`
  agora agÓra, hora hÓra, horas hÓras, nova nÓva, novas nÓvas, senhora senhÓra, resposta respÓsta, ela Éla,
  elas Élas, dela dÉla, aquela aquÉla, certo cÉrto, certa cÉrta, perto pÉrto, aberto abÉrto, aberta abÉrta,
  quer quÉr, sete sÉte, dez dÉz, terça tÉrça, janela janÉla, pode pÓde, posso pÓsso, podemos podEmos,
  nossa nÓssa, nosso nÓsso, melhor melhÓr, maior maiÓr, nove nÓve, volta vÓlta, porta pÓrta, forma fÓrma,
  conta cOnta, escola escÓla, sorte sÓrte, muito mUinto, muita mUinta, muitos mUintos, muitas mUintas,
  mulher mulhÉr, papel papÉl, mail mEil, cinquenta cinqüEnta, próximo prÓssimo, próxima prÓssima,
  próximos prÓssimos, táxi tÁcsi, tranquilo tranqüIlo, frequente freqüEnte, sequência seqüÊncia,
  máximo mÁssimo, trouxe trOusse, espera espÉra, servir servIr, vez vÊz, três trÊs, depois depOis, leva lÉva,
  escreve escrÉve,
`)

// One match per syllable, falling diphthongs included.
const nuclei = /(?:(?<![qg])u|i)?[aeo](?:[iu](?![aeo]|nh))?|[iu]/g

/**
 * Marks the stress: the written accent, or by rule the last but one after a, e, o, am, em, with or without s, else the
 * last.
 */
function withStress(word: string): string {
  if (Object.hasOwn(open, word)) return open[word] ?? word
  if (/[áéíóúâêô]/.test(word)) return word.replace(/[áéíóúâêô]/, (accented) => accented.toUpperCase())
  if (/[ãõ]/.test(word) || unstressed.has(word)) return word
  // Two syllables: sair, saiu, raiz.
  if (/[aou]i[rzu]$/.test(word)) return word.replace(/i(?=.$)/, 'I')
  // And dia, rua, padaria, tio.
  if (/(?:[^qgaeo]u|[^aeo]i)[ao]s?$/.test(word))
    return word.replace(/[iu](?=[ao]s?$)/, (weak) => weak.toUpperCase())
  return stressOn(word, /(?:[aeo]s?|[ae]m|ens)$/.test(word) ? 2 : 1, nuclei)
}

const phonemesOf = (word: string) => rules(withStress(word))

export const spokenPortuguese: SpokenLanguage = {
  normalise: writtenForms(portugueseNumbers),
  pronounce: (words) => joinedDiphthongs(pronounceWords(words, phonemesOf, /[a-záéíóúâêôãõàüç]+/)),
}
