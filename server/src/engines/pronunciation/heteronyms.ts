// Words with two pronunciations, told apart by their neighbours. ARPAbet.
import { type Context, forms, isModal, type PartOfSpeech, partOfSpeech } from './part-of-speech.ts'

interface Heteronym {
  readonly noun: readonly string[]
  readonly verb: readonly string[]
  /** The part of speech where the neighbours do not tell. */
  readonly usual: PartOfSpeech
}

// word | noun or adjective | verb; a star marks the usual one where the neighbours do not tell, else it is the noun.
const table = `
abuse|AH0 B Y UW1 S|AH0 B Y UW1 Z
address|AE1 D R EH2 S|AH0 D R EH1 S
attribute|AE1 T R AH0 B Y UW2 T|AH0 T R IH1 B Y UW0 T
combine|K AA1 M B AY2 N|*K AH0 M B AY1 N
compact|K AA1 M P AE2 K T|K AH0 M P AE1 K T
compound|K AA1 M P AW2 N D|K AH0 M P AW1 N D
conduct|K AA1 N D AH2 K T|*K AH0 N D AH1 K T
conflict|K AA1 N F L IH2 K T|K AH0 N F L IH1 K T
console|K AA1 N S OW2 L|K AH0 N S OW1 L
construct|K AA1 N S T R AH2 K T|*K AH0 N S T R AH1 K T
contest|K AA1 N T EH2 S T|K AH0 N T EH1 S T
contract|K AA1 N T R AE2 K T|K AH0 N T R AE1 K T
contrast|K AA1 N T R AE2 S T|K AH0 N T R AE1 S T
convert|K AA1 N V ER2 T|*K AH0 N V ER1 T
convict|K AA1 N V IH2 K T|K AH0 N V IH1 K T
decrease|D IY1 K R IY2 S|D IH0 K R IY1 S
defect|D IY1 F EH2 K T|D IH0 F EH1 K T
desert|D EH1 Z ER0 T|D IH0 Z ER1 T
digest|D AY1 JH EH2 S T|*D AY0 JH EH1 S T
discount|D IH1 S K AW2 N T|D IH0 S K AW1 N T
discharge|D IH1 S CH AA2 R JH|*D IH0 S CH AA1 R JH
entrance|EH1 N T R AH0 N S|IH0 N T R AE1 N S
escort|EH1 S K AO2 R T|IH0 S K AO1 R T
excuse|IH0 K S K Y UW1 S|*IH0 K S K Y UW1 Z
exploit|EH1 K S P L OY2 T|*IH0 K S P L OY1 T
export|EH1 K S P AO2 R T|IH0 K S P AO1 R T
extract|EH1 K S T R AE2 K T|*IH0 K S T R AE1 K T
house|HH AW1 S|HH AW1 Z
implant|IH1 M P L AE2 N T|IH0 M P L AE1 N T
import|IH1 M P AO2 R T|IH0 M P AO1 R T
incline|IH1 N K L AY2 N|*IH0 N K L AY1 N
increase|IH1 N K R IY2 S|IH0 N K R IY1 S
insert|IH1 N S ER2 T|*IH0 N S ER1 T
insult|IH1 N S AH2 L T|IH0 N S AH1 L T
invite|IH1 N V AY2 T|*IH0 N V AY1 T
misuse|M IH0 S Y UW1 S|M IH0 S Y UW1 Z
object|AA1 B JH EH0 K T|AH0 B JH EH1 K T
offset|AO1 F S EH2 T|AO2 F S EH1 T
overlap|OW1 V ER0 L AE2 P|OW2 V ER0 L AE1 P
overcharge|OW1 V ER0 CH AA2 R JH|*OW2 V ER0 CH AA1 R JH
overlook|OW1 V ER0 L UH2 K|*OW2 V ER0 L UH1 K
perfect|P ER1 F IH0 K T|P ER0 F EH1 K T
permit|P ER1 M IH0 T|*P ER0 M IH1 T
present|P R EH1 Z AH0 N T|P R IH0 Z EH1 N T
produce|P R OW1 D UW2 S|*P R AH0 D UW1 S
progress|P R AA1 G R EH2 S|P R AH0 G R EH1 S
project|P R AA1 JH EH2 K T|P R AH0 JH EH1 K T
protest|P R OW1 T EH2 S T|P R AH0 T EH1 S T
rebel|R EH1 B AH0 L|R IH0 B EH1 L
recall|R IY1 K AO2 L|*R IH0 K AO1 L
recap|R IY1 K AE2 P|R IY1 K AE2 P
record|R EH1 K ER0 D|R IH0 K AO1 R D
redo|R IY1 D UW2|*R IY0 D UW1
refill|R IY1 F IH2 L|R IY0 F IH1 L
refund|R IY1 F AH2 N D|R IH0 F AH1 N D
refuse|R EH1 F Y UW2 S|*R IH0 F Y UW1 Z
reject|R IY1 JH EH2 K T|*R IH0 JH EH1 K T
relay|R IY1 L EY2|R IY0 L EY1
replay|R IY1 P L EY2|R IY0 P L EY1
reprint|R IY1 P R IH2 N T|R IY0 P R IH1 N T
research|R IY1 S ER0 CH|R IY1 S ER0 CH
retake|R IY1 T EY2 K|R IY0 T EY1 K
reuse|R IY0 Y UW1 S|*R IY0 Y UW1 Z
rewrite|R IY1 R AY2 T|*R IY0 R AY1 T
subject|S AH1 B JH EH0 K T|S AH0 B JH EH1 K T
survey|S ER1 V EY2|S ER0 V EY1
suspect|S AH1 S P EH2 K T|*S AH0 S P EH1 K T
transplant|T R AE1 N S P L AE2 N T|T R AE0 N S P L AE1 N T
transport|T R AE1 N S P AO2 R T|T R AE0 N S P AO1 R T
use|Y UW1 S|*Y UW1 Z
wind|W IH1 N D|W AY1 N D
`

const heteronyms: ReadonlyMap<string, Heteronym> = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [word = '', noun = '', verb = ''] = line.split('|')
      const usual = verb.startsWith('*') ? 'verb' : 'noun'
      return [word, { noun: noun.split(' '), verb: verb.replace('*', '').split(' '), usual }]
    }),
)

// Verbs in -ate with a noun or adjective of the same spelling, whose ending is weak: "a separate order".
const ending = new Set(
  (
    'advocate affiliate aggregate alternate appropriate approximate articulate associate coordinate delegate deliberate ' +
    'duplicate elaborate estimate graduate initiate intimate legitimate moderate separate subordinate'
  ).split(' '),
)
const withWeakEnding = (phones: readonly string[]) => [...phones.slice(0, -2), 'AH0', 'T']
const withFullEnding = (phones: readonly string[]) => [...phones.slice(0, -2), 'EY2', 'T']

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Words whose two readings need more than a part of speech. */
const special: Readonly<Record<string, (context: Context) => string>> = {
  close: (context) => {
    const { before, after } = context
    const isNear =
      set('to by enough together at').has(after(1)) && !isVerb(context)
        ? !set('at').has(after(1))
        : set('very so too pretty quite is are was were be get stay come that how really').has(before(1)) ||
          set(
            'friend friends family relative relatives relationship look contact attention match second',
          ).has(after(1))
    if (isNear && !isModal(before(1))) return 'K L OW1 S'
    return isVerb(context) || partOfSpeech(context) === 'noun' || before(1) === '' ? 'K L OW1 Z' : 'K L OW1 S'
  },
  // The forms in -s of the adjectives here are verbs or plain plurals.
  closes: () => 'K L OW1 Z IH0 Z',
  content: ({ before, after }) =>
    (forms.be.has(before(1)) || set('feel very quite').has(before(1))) && set('with to').has(after(1))
      ? 'K AH0 N T EH1 N T'
      : 'K AA1 N T EH2 N T',
  invalid: ({ before, after }) =>
    set('an').has(before(1)) && after(1) === '' ? 'IH1 N V AH0 L IH0 D' : 'IH0 N V AE1 L IH0 D',
  lead: ({ after }) =>
    set('pipe pipes paint poisoning acid pencil free').has(after(1)) ? 'L EH1 D' : 'L IY1 D',
  leads: () => 'L IY1 D Z',
  live: (context) =>
    isVerb(context) || set('in at near with here there alone together nearby on').has(context.after(1))
      ? forms.be.has(context.before(1)) || set('go goes going went').has(context.before(1))
        ? 'L AY1 V'
        : 'L IH1 V'
      : 'L AY1 V',
  lives: ({ before }) =>
    set('our their your save saved saves the many of two three all').has(before(1))
      ? 'L AY1 V Z'
      : 'L IH1 V Z',
  minute: ({ before, after }) =>
    set('very extremely so').has(before(1)) || set('detail details amount amounts').has(after(1))
      ? 'M AY0 N UW1 T'
      : 'M IH1 N AH0 T',
  reads: () => 'R IY1 D Z',
  read: (context) => (isPastRead(context) ? 'R EH1 D' : 'R IY1 D'),
  tear: (context) =>
    isVerb(context) || set('in down off up apart it').has(context.after(1)) || context.before(1) === 'and'
      ? 'T EH1 R'
      : 'T IH1 R',
  used: ({ before, after }) =>
    after(1) === 'to' && !forms.be.has(before(1)) && before(1) !== '' ? 'Y UW1 S T' : 'Y UW1 Z D',
  wound: (context) =>
    isVerb(context) || set('up down around').has(context.after(1)) ? 'W AW1 N D' : 'W UW1 N D',
}

const isVerb = (context: Context) => partOfSpeech(context) === 'verb'

const pastTimes = set('yesterday last ago already earlier before')

function isPastRead({ before, after }: Context): boolean {
  for (const steps of [1, 2, 3]) {
    if (before(steps) === '') break
    if (isModal(before(steps)) || before(steps) === 'to') return false
    if (forms.have.has(before(steps)) || forms.be.has(before(steps))) return true
  }
  if (set('usually often always every never please').has(before(1))) return false
  for (let steps = 1; steps <= 8; steps++) if (pastTimes.has(after(steps))) return true
  // "I read your message" is in the past: a habit would be said otherwise.
  return set('i we they he she').has(before(1))
}

/** The phones of a heteronym; undefined for a word with one pronunciation. `usual` is the dictionary's. */
export function heteronym(
  word: string,
  context: Context,
  usual: readonly string[] | undefined,
): readonly string[] | undefined {
  const rule = Object.hasOwn(special, word) ? special[word] : undefined
  if (rule) return rule(context).split(' ')
  const two = heteronyms.get(word)
  if (two) return two[partOfSpeech(context) ?? two.usual]
  if (!usual || !ending.has(word)) return undefined
  return isVerb(context) ? withFullEnding(usual) : withWeakEnding(usual)
}
