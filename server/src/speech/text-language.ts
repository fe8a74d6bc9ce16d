// Guesses in which of the spoken languages a text is written: by its script, or by its most frequent words. A greeting
// needs no model for this: a sentence without any of these words is rare.

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const han = /\p{Script=Han}/u

const listed = (words: string): ReadonlySet<string> => new Set(words.split(' '))

// Articles, pronouns, prepositions, forms of "to be" and "to have", and what greetings are made of. A word that
// several languages have stands in all of them.
const frequent: Readonly<Record<string, ReadonlySet<string>>> = {
  en: listed(
    'the a an and or but of to in on at for from with by this that these it is are was were be been am i you he she we they my your his her our their do does did have has had can could will would may how what when where who which not no yes if as so about there here hello hi hey good morning afternoon evening thank thanks welcome please calling speaking help name today tomorrow sorry',
  ),
  es: listed(
    'el la los las un una unos unas y o pero de del a al en con por para sin sobre que como cómo qué cuándo dónde quién es son soy está están estoy ser estar ha he han tiene tengo puedo puede me te se le les lo nos su sus mi mis tu no sí si muy más ya este esta esto hola buenos buenas días tardes noches gracias favor habla hablo ayudarle ayudar bienvenido bienvenida usted señor señora llamar llamo',
  ),
  fr: listed(
    'le la les un une des du de d et ou mais à au aux en dans avec pour par sans sur que qui quoi comment quand où est sont suis êtes être a ai as avons avez ont je j tu il elle nous vous ils ce c cet cette ces mon ma mes votre vos notre nos son sa ses ne n pas oui non si très plus bien se s l qu bonjour bonsoir salut merci plaît appelle aider puis peut bienvenue madame monsieur',
  ),
  it: listed(
    'il lo la i gli le un uno una e o ma di del dello della dei delle a al allo alla in nel nella con per da dal dalla su che chi come cosa quando dove è sono sei siamo essere ho ha hai abbiamo posso può mi ti si ci vi suo sua suoi sue mio mia non sì più molto questo questa ciao salve buongiorno buonasera pronto grazie favore prego parlo aiutarla aiutare benvenuto benvenuta signore signora chiamo l',
  ),
  pt: listed(
    'o a os as um uma uns umas e ou mas de do da dos das em no na nos nas ao à aos com por para pelo pela sem sobre que quem como quando onde é são sou está estão estou ser estar tem tenho posso pode me te se lhe seu sua seus suas meu minha não sim muito mais já este esta isto isso olá oi bom boa dia tarde noite obrigado obrigada favor fala falo ajudar bem vindo vinda você senhor senhora ligo',
  ),
}

// Letters that are typical of one language. They decide where the words do not.
const typical: Readonly<Record<string, RegExp>> = {
  en: /th|wh|gh|ck|sh/gu,
  es: /[ñ¿¡íóú]|ción/gu,
  fr: /[çèêâîôûœë]|eau|oi[stx]|ez\b/gu,
  it: /[ìòù]|gli|zz|gg[io]|cc[hi]|ss[aeio]/gu,
  pt: /[ãõçâêô]|lh|nh/gu,
}
const wordWeight = 1
const letterWeight = 0.4

/** A code such as `es`; undefined if nothing tells the language. */
export function languageOfText(text: string): string | undefined {
  if (kana.test(text)) return 'ja'
  if (han.test(text)) return 'zh'
  const lower = text.toLowerCase()
  const words = lower.match(/\p{L}+/gu) ?? []
  const scores = Object.entries(frequent).map(([language, list]) => ({
    language,
    score:
      wordWeight * words.filter((word) => list.has(word)).length +
      letterWeight * (lower.match(typical[language] ?? /$^/g)?.length ?? 0),
  }))
  const [first, second] = scores.toSorted((one, other) => other.score - one.score)
  return first && first.score > (second?.score ?? 0) ? first.language : undefined
}
