// Function words, as the voices expect them inside a sentence and before a pause.
//
// The voices have learned from sentences in which most of these carry no stress. A few do: without it "I" and "our" are
// swallowed.

const pairs = (written: string) =>
  Object.fromEntries(written.split(/\s+/).map((pair) => pair.split('=') as [string, string]))

const inside: Readonly<Record<string, string>> = pairs(
  `a=ə an=ən the=ðə to=tə and=ænd or=ɔɹ but=bˌʌt of=ʌv in=ɪn on=ˌɔn at=æt for=fɔɹ from=fɹʌm by=bI with=wɪð as=æz
  if=ɪf than=ðən so=sˌO per=pɜɹ through=θɹu up=ˌʌp into=ˈɪntu
  is=ɪz are=ɑɹ was=wʌz were=wɜɹ be=bi been=bɪn am=æm do=dˈu does=dˈʌz has=hæz have=hæv had=hæd will=wɪl would=wʊd
  can=kæn could=kʊd should=ʃˌʊd shall=ʃˌæl may=mˈA might=mˌIt must=mˈʌst get=ɡˌɛt got=ɡˌɑt
  this=ðɪs these=ðiz those=ðOz it=ɪt its=ɪts i=ˌI you=ju he=hi she=ʃi we=wi they=ðA me=mˌi him=hˌɪm her=hɜɹ
  us=ˌʌs them=ðˌɛm my=mI your=jʊɹ his=hɪz our=ˌWəɹ their=ðɛɹ there=ðɛɹ
  what=wˌʌt when=wˌɛn where=wˌɛɹ who=hˌu whose=hˌuz how=hˌW why=wˌI which=wˌɪʧ while=wˌIl some=sˌʌm not=nˌɑt
  i'm=ˌIm i'll=ˌIl i've=ˌIv i'd=ˌId it's=ɪts you're=jʊɹ you'll=jul you've=juv you'd=jud we're=wɪɹ we'll=wil
  we've=wiv we'd=wid they're=ðɛɹ they'll=ðAl they've=ðAv they'd=ðAd he's=hiz he'll=hil he'd=hid she's=ʃiz she'll=ʃil
  she'd=ʃid that's=ðæts there's=ðɛɹz what's=wˌʌts where's=wˌɛɹz who's=hˌuz how's=hˌWz won't=wˌOnt aren't=ˌɑɹnt
  weren't=wˌɜɹnt couldn't=kˌʊdənt`,
)

// Before a pause, these words keep more of their weight.
const beforePause: Readonly<Record<string, string>> = pairs(
  `to=tu in=ˈɪn on=ˈɔn by=bˈI up=ˈʌp for=fˈɔɹ from=fɹˈʌm with=wˈɪð of=ˈʌv at=ˈæt through=θɹˈu so=sˈO
  is=ˈɪz are=ˈɑɹ was=wˈʌz were=wˈɜɹ be=bˈi been=bˈɪn am=ˈæm has=hˈæz have=hˈæv had=hˈæd will=wˈɪl would=wˈʊd can=kˈæn
  could=kˈʊd should=ʃˈʊd might=mˈIt get=ɡˈɛt got=ɡˈɑt
  this=ðˈɪs these=ðˈiz those=ðˈOz i=ˈI you=ju me=mˌi her=hˌɜɹ his=hˈɪz my=mˈI your=jˈʊɹ our=ˈWəɹ there=ðˈɛɹ
  what=wˈʌt when=wˈɛn where=wˈɛɹ who=hˈu how=hˈW why=wˈI which=wˈɪʧ some=sˈʌm not=nˈɑt there's=ðˈɛɹz won't=wˈOnt
  aren't=ˈɑɹnt weren't=wˈɜɹnt couldn't=kˈʊdənt`,
)

const beforeVowel: Readonly<Record<string, string>> = { the: 'ði', to: 'tʊ' }

const lookup = (table: Readonly<Record<string, string>>, word: string) =>
  Object.hasOwn(table, word) ? table[word] : undefined

export interface WordSurroundings {
  /** The phonemes of the next word; empty before a pause. */
  readonly next: string
  readonly wordBefore: string
  readonly wordAfter: string
}

const startsWithVowel = (phonemes: string) => /^[ˈˌ]?[AIOWYiuɑæɔəɛɜɪʊʌ]/.test(phonemes)

/** The phonemes of a function word; undefined for other words. */
export function functionWord(word: string, around: WordSurroundings): string | undefined {
  if (word === 'that') return isConjunction(around) ? 'ðæt' : 'ðˈæt'
  const weak = lookup(inside, word)
  if (weak === undefined) return undefined
  if (around.next === '') return lookup(beforePause, word) ?? weak
  return (startsWithVowel(around.next) && lookup(beforeVowel, word)) || weak
}

export const isFunctionWord = (word: string): boolean => lookup(inside, word) !== undefined || word === 'that'

const subjects = new Set('i you we he she it they there the a an my your our their his this these'.split(' '))
const verbs = new Set('is was are were has have had will would can could should may might must'.split(' '))

/** Whether "that" is a conjunction: "I know that you called", "the one that is"; not "that is all", "that call". */
const isConjunction = ({ wordBefore, wordAfter }: WordSurroundings) =>
  wordBefore !== '' && (subjects.has(wordAfter.replace(/'.*/, '')) || verbs.has(wordAfter))
