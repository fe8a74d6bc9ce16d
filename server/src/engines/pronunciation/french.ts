// French: silent endings, nasal vowels, liaison. The last vowel of a word carries the stress.
import { frenchNumbers } from '../spoken-form/french-numbers.ts'
import { writtenForms } from '../spoken-form/written-forms.ts'
import { pronounceWords, rewriter, type SpokenLanguage, soundTable } from './language.ts'

const frenchWords = soundTable(`
  le lə, je ʒə, de də, me mə, te tə, se sə, ce sə, ne nə, que kə, les le, des de, mes me, tes te,
  ses se, ces se, et e, est ɛ, es ɛ, à a, a a, as a, y i, où u, un œ̃, une yn, en ɑ̃, on ɔ̃, mon mɔ̃,
  ton tɔ̃, son sɔ̃, nos no, vos vo, aux o, au o, monsieur məsjø, messieurs mesjø, madame madam,
  femme fam, femmes fam, fils fis, sens sɑ̃s, tous tus, plus ply, six sis, dix dis, huit ɥit, sept sɛt,
  neuf nœf, cinq sɛ̃k, vingt vɛ̃, deux dø, trois tʁwa, cent sɑ̃, mille mil, million miljɔ̃,
  millions miljɔ̃, ville vil, villes vil, village vilaʒ, tranquille tʁɑ̃kil, seconde səɡɔ̃d,
  second səɡɔ̃, août ut, hier jɛʁ, mer mɛʁ, cher ʃɛʁ, fer fɛʁ, hiver ivɛʁ, merci mɛʁsi, eux ø, eu y,
  eue y, avez ave, avec avɛk, donc dɔ̃k, avril avʁil, mars maʁs, juin ʒɥɛ̃, juillet ʒɥijɛ, ours uʁs,
  bus bys, gaz ɡaz, net nɛt, ouest wɛst, sud syd, club klœb, sms ɛsɛmɛs, web wɛb, mail mɛl, email imɛl,
  oui wi, pays pei, paysage peizaʒ, examen ɛɡzamɛ̃, bien bjɛ̃, rien ʁjɛ̃, combien kɔ̃bjɛ̃,
  client klijɑ̃, clients klijɑ̃, patient pasjɑ̃, patients pasjɑ̃, patienter pasjɑ̃te, moment mɔmɑ̃,
  comment kɔmɑ̃, vient vjɛ̃, viens vjɛ̃, tient tjɛ̃, convient kɔ̃vjɛ̃, sont sɔ̃, ont ɔ̃, font fɔ̃,
  vont vɔ̃, notre nɔtʁ, votre vɔtʁ, quatre katʁ, autre otʁ, autres otʁ, peut pø, peux pø, veut vø,
  veux vø, temps tɑ̃, longtemps lɔ̃tɑ̃, corps kɔʁ, nombreux nɔ̃bʁø, doigt dwa, compte kɔ̃t,
  compter kɔ̃te, automne otɔn, condamner kɔ̃dane, sculpture skyltyʁ, baptême batɛm, septembre sɛptɑ̃bʁ,
  octobre ɔktɔbʁ, parce paʁs, lorsque lɔʁskə, puisque pɥiskə, quelque kɛlkə, quelques kɛlkə, chose ʃoz, choses ʃoz,
  faisons fəzɔ̃, faisait fəzɛ, aujourd oʒuʁd, hui ɥi, mesdames medam, tout tu, toute tut, toutes tut,
  il il, ils il, elle ɛl, elles ɛl, dès dɛ, très tʁɛ, après apʁɛ, chez ʃe, assez ase, nez ne, prix pʁi,
  voix vwa, choix ʃwa, paix pɛ, taxi taksi, index ɛ̃dɛks, sac sak, parc paʁk, banc bɑ̃, blanc blɑ̃,
  franc fʁɑ̃, tabac taba, estomac ɛstɔma, clef kle, oeuf œf, œufs ø, bœufs bø, outil uti, gentil ʒɑ̃ti,
  fusil fyzi, sourcil suʁsi, persil pɛʁsi, album albɔm, maximum maksimɔm, minimum minimɔm, forum fɔʁɔm,
  parfum paʁfœ̃, lundi lœ̃di, emmener ɑ̃mne, ennui ɑ̃nɥi, prochain pʁɔʃɛ̃, maintenant mɛ̃tnɑ̃,
  appelle apɛl, appeler aple, rappeler ʁaple, rappelle ʁapɛl, samedi samdi, mercredi mɛʁkʁədi,
  vendredi vɑ̃dʁədi, dimanche dimɑ̃ʃ, petit pəti, petite pətit, demain dəmɛ̃, besoin bəzwɛ̃,
  adresse adʁɛs, numéro nymeʁo, bonjour bɔ̃ʒuʁ, revoir ʁəvwaʁ, rendez ʁɑ̃de, vous vu, euro øʁo,
  euros øʁo, heureux øʁø, heureuse øʁøz, pied pje, pieds pje, parent paʁɑ̃, parents paʁɑ̃,
  restent ʁɛst, coûtent kut, arrivent aʁiv, peuvent pœv, doivent dwav, reçoivent ʁəswav, portent pɔʁt,
  nous nu, cet sɛt, cette sɛt, sur syʁ, pour puʁ, jour ʒuʁ, jours ʒuʁ, heure œʁ, heures œʁ,
`)

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
// Words that begin with a vowel or a silent h and are not linked to.
const unlinked = /^(?:et|ou|où|oui|onze|huit|haut|hauts|haute|héros|hors|hasard|honte|hall|y)$/
const beginsWithVowel = /^[haeiouyàâéèêëîïôùûœ]/

const unstressed = new Set(
  (
    'le la les un une des du de au aux à et ou en dans sur pour par avec sans je tu il elle on nous vous ils elles me te se ce ' +
    'ces mon ton son ma ta sa mes tes ses notre votre nos vos leur leurs que qui ne y est si'
  ).split(' '),
)

const lastVowel = /^(.*)([aeiouyøœɔɛɑ]̃?)/u

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

const stressed = (said: string): string =>
  lastVowel.test(said) ? said.replace(lastVowel, '$1ˈ$2') : said.replace('ə', 'ˈə')

function wordOf(word: string, next: string | undefined): string {
  const own = Object.hasOwn(frenchWords, word) ? (frenchWords[word] ?? '') : rules(word)
  const links = next !== undefined && beginsWithVowel.test(next) && !unlinked.test(next)
  // The s of six and dix sounds alone; before a vowel it is voiced, before a consonant it is silent.
  const bare = next !== undefined && /^(?:six|dix)$/.test(word) ? own.slice(0, -1) : own
  const said = links ? bare + (linking[word] ?? '') : bare
  // The silent e of le, je, de stays; elsewhere the last full vowel is stressed.
  return unstressed.has(word) ? said : stressed(said)
}

export const spokenFrench: SpokenLanguage = {
  normalise: writtenForms(frenchNumbers),
  pronounce: (words) =>
    pronounceWords(words, phonemesOf, /[a-zàâäéèêëîïôöùûüçœæ]+(?:['’][a-zàâäéèêëîïôöùûüçœæ]+)*['’]?/),
}
