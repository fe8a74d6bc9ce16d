// Italian: spelling determines nearly all sounds; the stress is written on the last syllable only, and elsewhere
// follows from the ending or a list.
import { italianNumbers } from '../spoken-form/italian-numbers.ts'
import { writtenForms } from '../spoken-form/written-forms.ts'
import { pronounceWords, rewriter, type SpokenLanguage, stressOn } from './language.ts'

// A stressed vowel is written in upper case while the rules run.
const vowel = '[aeiouAEIOUÀÈÉÌÒÙ]'
// The vowels before which an i that only softens c and g is silent.
const back = '[aouAOUÀÒÙ]'
const front = '[eiEIÈÉÌ]'
const rules = rewriter([
  ['gli(?=[aeouAEOUÀÈÉÒÙ])', 'ʎ'],
  ['gl(?=[iIÌ])', 'ʎ'],
  ['gn', 'ɲ'],
  ['sci(?=[aeouAEOUÀÈÉÒÙ])', 'ʃ'],
  [`sc(?=${front})`, 'ʃ'],
  [`cci(?=${back})`, 'ʧː'],
  [`cc(?=${front})`, 'ʧː'],
  [`ggi(?=${back})`, 'ʤː'],
  [`gg(?=${front})`, 'ʤː'],
  [`ci(?=${back})`, 'ʧ'],
  [`c(?=${front})`, 'ʧ'],
  [`gi(?=${back})`, 'ʤ'],
  [`g(?=${front})`, 'ʤ'],
  ['cch', 'kː'],
  ['ggh', 'ɡː'],
  ['c?qu', 'kw'],
  ['ch', 'k'],
  ['gh', 'ɡ'],
  ['h', ''],
  // z is voiceless after l and before -io, -ia, -ie, and voiced at the beginning of most words.
  ['(?<=m[eE]|g[aA]|^a)zz', 'ʣː'],
  ['zz', 'ʦː'],
  ['z(?<=^z)', 'ʣ'],
  ['z', 'ʦ'],
  // The voice knows a long s as a symbol of its own, stops with a mark, and other long sounds twice.
  ['ss', 'S'],
  [`(?<=${vowel})s(?=${vowel})`, 'z'],
  ['s(?=[bdglmnrv])', 'z'],
  ['([bdkpt])\\1', '$1ː'],
  ['rr', 'rɾ'],
  ['cc', 'kː'],
  ['gg', 'ɡː'],
  ['c', 'k'],
  ['g', 'ɡ'],
  ['q', 'k'],
  ['x', 'ks'],
  ['j', 'j'],
  ['y', 'i'],
  ['w', 'v'],
  [`n(?=[cg](?!${front})|[qk])`, 'ŋ'],
  ['u(?=[aeioAEIOÀÈÉÌÒ])', 'w'],
  ['i(?=[aeouAEOUÀÈÉÒÙ])', 'j'],
  ['(?<=[aA])i', 'j'],
  ['(?<=[aeoAEO])u', 'ʊ'],
  ['À', 'ˈa'],
  ['È', 'ˈɛ'],
  ['É', 'ˈe'],
  ['Ì', 'ˈi'],
  ['Ò', 'ˈɔ'],
  ['Ù', 'ˈu'],
  ['A', 'ˈa'],
  // In a stressed closed syllable, and before two vowels, mostly open.
  ['(?<=i)E', 'ˈɛ'],
  ['(?<=u)O', 'ˈɔ'],
  ['E(?=ndo|nte|nza|ll|rso|rto|sto$|tto$)', 'ˈɛ'],
  ['E', 'ˈe'],
  ['I', 'ˈi'],
  ['O', 'ˈo'],
  ['U', 'ˈu'],
  // Unstressed at the end, and u anywhere, a little less close.
  ['i$', 'ɪ'],
  ['u', 'ʊ'],
  ['[aeiobdfklmnprstv]', '$&'],
])

const unstressed = new Set(
  (
    'a ad al alla alle ai agli allo che chi ci con col da dal dalla dalle dai dagli dallo de del della delle dei degli dello di e ed ' +
    'gli i il in la le lo li l ma mi ne nel nella nelle nei negli nello non o per se si su sul sulla sulle sui sugli ti tra fra ' +
    'un una uno vi d c s un'
  ).split(' '),
)

// Endings that move the stress back to the last syllable but two.
const sdrucciola =
  /(?:abile|ibile|evole|issim[oaie]|ic[oaie]|ichi|iche|ologo|grafo|metro|fono|ulo|[cgptv]ola|olo|ero|assero|essero|avano|evano|ivano|arono|erono|irono|ebbero|aceo|ide|igine|udine|aggine|ifero|esim[oa]|iscono)$/

const lastButTwo = `
  numero telefono subito prossimo prossima ultimo ultima possono devono vogliono sabato domenica
  medico clinica tavolo musica pratica pratico essere vivere prendere scrivere leggere chiedere
  rispondere chiudere perdere vendere mettere ricevere credere correre decidere spendere attendere
  conoscere nascere crescere vincere dipendere richiedere comprendere permettere promettere
  trasmettere confermano chiamano parlano aspettano arrivano mandano pagano chiamami scrivimi dimmi
  mandami codice ordine indirizzano giovane facile difficile utile simile semplice macchina camera
  lettera opera pagina regola tavola favola isola epoca piccolo piccola secolo articolo veicolo titolo
  angolo spettacolo ostacolo cinema albero povero libero genere cenere polvere tenero zucchero numeri
  camere lettere undici dodici tredici quattordici quindici sedici modulo credito debito limite
  termine margine origine immagine uomini giovani ordini codici medici clinici tecnico tecnica
  pubblico pubblica politico economico grafico traffico carico scarico storico storica fisico fisica
  logico unico unica elettrico automatico domestico rapido rapida valido valida solido liquido umido
  timido stupido splendido comodo metodo periodo episodio anima massimo massima minimo minima ottimo
  ottima pessimo settimo decimo centesimo vengono tengono rimangono salgono dicono fanno leggono
  scrivono prendono mettono chiedono vivono sentono partono aprono dormono offrono desidera desiderano
  desidero telefona telefonano visita visitano abita abitano abito ordina ordinano ordino prenota
  prenotano modifica modificano modifico verifica verificano verifico indica indicano indico comunica
  comunicano comunico spedizione edicola napoli genova modena padova taranto bergamo trapani cagliari
  rimini monaco ridere compiere giudice vertice indice millesimo tessera attimo popolo circolo
  miracolo calcolo pericolo bussola pillola cellula formula merito spirito solito gomito recapito
  compito domicilio esercito deposito transito visibile accessibile possibile impossibile disponibile
  responsabile flessibile terribile incredibile automobile stabile portatile fragile agile docile
  vincolo manica fabbrica repubblica america africa occupa occupi occupo occupano preoccupa preoccupi
  preoccupo preoccupano
`
const lastButOne = `
  amico amica amici amiche antico antica nemico fatico capire farmacia allergia energia economia
  compagnia garanzia tecnologia geografia democrazia simpatia pizzeria trattoria segreteria libreria
  avere sapere potere dovere volere vedere tenere rimanere piacere bere cadere sedere godere invito
  vestito ferito tramonto sincero intero leggero mistero sentiero pensiero straniero davvero vero nero
  zero spero ero europeo museo liceo torneo trofeo corteo idea marea sapone medicina cugino strano
  romano italiano
`
const wordsOf = (list: string) => list.trim().split(/\s+/)
/** Words that do not follow their ending: the syllable of the stress, counted from the end. */
const listed: ReadonlyMap<string, number> = new Map([
  ...wordsOf(lastButTwo).map((word) => [word, 3] as const),
  ...wordsOf(lastButOne).map((word) => [word, 2] as const),
])

// One match per syllable. The i of "ciao" and "foglio" is silent, and that of "piano" a glide.
const nuclei = /(?:(?<=[cgq])i(?=[aou])|i(?=[aeou])|u(?=[aeio]))?[aeo](?:[iu](?![aeo])(?=$|[^aeiou]))?|[iu]/g

function withStress(word: string): string {
  if (/[àèéìòù]/.test(word))
    return word.replace(/[àèéìòù]/g, (vowelWithAccent) => vowelWithAccent.toUpperCase())
  if (unstressed.has(word)) return word
  const known = listed.get(word)
  // Two syllables, not a glide: mio, sua, due, farmacia.
  if (/^[^aeiou]*[iu][aeo]$/.test(word) || (known === 2 && /ia$/.test(word)))
    return word.replace(/[iu](?=[aeo]$)/, (weak) => weak.toUpperCase())
  return stressOn(word, known ?? (sdrucciola.test(word) ? 3 : 2), nuclei)
}

const phonemesOf = (word: string) =>
  word
    .split(/['’]/)
    .filter(Boolean)
    .map((part) => rules(withStress(part)))
    .join('')

export const spokenItalian: SpokenLanguage = {
  normalise: writtenForms(italianNumbers),
  pronounce: (words) => pronounceWords(words, phonemesOf, /[a-zàèéìòù]+(?:['’][a-zàèéìòù]*)*/),
}
