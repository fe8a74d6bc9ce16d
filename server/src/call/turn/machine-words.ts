// What answering machines, screening services, menus and networks say when they pick up, and people hardly ever do.

export type MachineWords =
  | 'screening'
  | 'voicemail'
  | 'ivr'
  /** An announcement: the number is not in use. */
  | 'out-of-service'
  /** An announcement: nobody can be reached now. Often the beginning of a voicemail greeting. */
  | 'not-reachable'

const toCaller = "(?:i|me|i'll|i'd|like to|want to|wanted to|need to|wish to|trying to)(?: just| please)?"
const callee = '(?:person|party|customer|subscriber|number|user|mobile|phone|client)'
const digit = '(?:one|two|three|four|five|six|seven|eight|nine|zero|star|pound|hash|\\d|\\*|#)'

const patterns: Readonly<Record<MachineWords, readonly string[]>> = {
  screening: [
    '\\b(?:say|state|tell me|record|give) (?:me )?your name\\b.{0,30}\\b(?:why|reason|calling|purpose|connect|available|announce)\\b',
    '\\b(?:say|state|record) your name (?:after|at) the (?:tone|beep)\\b.{0,60}\\b(?:connect|available|accept|person|hold)\\b|\\bplease (?:say|state) your name\\b(?! and (?:phone |telephone )?number)',
    "\\b(?:say|tell me|know) (?:who (?:is|'s) calling|who you are)\\b.{0,20}\\b(?:why|and)\\b|\\bplease say who (?:is|'s) calling\\b",
    '\\bscreening (?:service|assistant|this call)\\b|\\bcall (?:is being |being )?screen(?:ed|ing)\\b|\\bcall assistant\\b',
    '\\b(?:name and|your) (?:the )?reason for (?:calling|your call)\\b',
    "\\bsee if (?:this person|they|he|she|the person)(?:'s| is| are|'re)? available\\b",
  ],
  'out-of-service': [
    '\\b(?:not|no longer) (?:in service|in use|active|a working number|assigned|valid)\\b',
    '\\b(?:has|have) been (?:disconnected|changed to|temporarily disconnected)\\b',
    "\\b(?:cannot|can not|could not|can't) be completed\\b",
    '\\b(?:has|have) not been recogni[sz]ed\\b|\\bdoes not exist\\b|\\bnot (?:a )?(?:valid|working) number\\b',
    '\\bcheck the number\\b|\\bdiall?ed (?:an )?(?:incorrect|wrong|invalid)\\b|\\binvalid number\\b',
  ],
  voicemail: [
    // Excludes a person who offers to leave one: "may I leave a message".
    `(?<!\\b${toCaller} )\\bleave (?:me |us )?(?:a|your|the) (?:\\w+ ){0,2}(?:message|name|number|details)\\b`,
    '\\b(?:after|at|following|wait for) the (?:tone|beep|signal)\\b',
    '\\brecord (?:a|your) (?:\\w+ )?message\\b',
    '\\b(?:voice ?mail|voice mail|mail ?box|answering (?:machine|service))\\b',
    "\\b(?:can't|cannot|can not|unable to|not able to|couldn't) (?:come to|take|answer|get to|pick up|make it to)\\b.{0,30}\\b(?:phone|calls?|telephone|right now)\\b",
    `\\b(?:you have|you've) reached\\b.{0,80}\\b(?:not available|unavailable|away|message|closed|not in|can't)\\b`,
    "\\b(?:we|i)(?:'ll| will) (?:get back to you|return your call|call you back|give you a call)\\b.{0,20}\\b(?:as soon as|when|at the|shortly)\\b",
    '\\b(?:missed your call|forwarded to|recording when you|unable to take messages)\\b',
  ],
  ivr: [
    `\\bpress(?: the)? ${digit}\\b|\\b(?:say|press) or (?:say|press)\\b`,
    "\\b(?:main menu|menu options|options have changed|following options|party's extension|dial (?:it|your extension|the extension))\\b",
    '\\ball (?:of )?our (?:agents|representatives|operators|advisors|lines) are\\b|\\b(?:your call is important|calls? (?:will|may) be (?:answered in|recorded|monitored))\\b',
    '\\bpara (?:espanol|español)\\b|\\bin a few words\\b.{0,30}\\b(?:tell|say|describe)\\b',
  ],
  'not-reachable': [
    `\\b${callee} (?:that )?you(?: are|'re| have|'ve)? (?:just )?(?:trying|calling|dialed|dialled|called|tried)\\b`,
    `\\b(?:is|are) (?:currently |temporarily |presently )?(?:switched off|not reachable|out of (?:coverage|reach)|turned off|unreachable)\\b`,
    '\\b(?:try|call|dial) (?:your call )?again later\\b',
  ],
}

// The same in the other languages that are spoken offline. A boundary between words is not looked for: some write none.
const elsewhere: Readonly<Record<MachineWords, readonly string[]>> = {
  screening: [
    '(?:nennen|sagen) sie (?:bitte )?ihren namen.{0,40}(?:grund|anruf)',
    'diga su nombre.{0,40}(?:motivo|llama)',
    '(?:dites|indiquez) votre nom.{0,40}(?:raison|motif|appel)',
    'dica il suo nome.{0,40}(?:motivo|chiama)',
    'diga (?:o )?seu nome.{0,40}(?:motivo|liga)',
    '(?:お名前|名前)と(?:ご?用件|理由)',
    '请说出您的(?:姓名|名字).{0,20}(?:原因|来电)',
  ],
  'out-of-service': [
    'kein anschluss unter dieser nummer|nummer ist nicht vergeben',
    'número (?:marcado |que ha marcado )?(?:no existe|está fuera de servicio)',
    "numéro (?:que vous avez demandé |composé )?n'est (?:pas|plus) (?:attribué|en service)",
    'numero (?:selezionato |chiamato )?(?:è inesistente|non è attivo)',
    'número (?:chamado |discado )?não (?:existe|está em serviço)',
    '現在使われておりません|您拨打的(?:号码|电话)是空号|यह नंबर (?:मौजूद|उपयोग में) नहीं',
  ],
  voicemail: [
    'nach dem (?:signal|ton|piep|pfeif)|anrufbeantworter|hinterlassen sie|sprachbox',
    'dej(?:e|en|a|ar) (?:su|un|tu) mensaje|después (?:de la señal|del tono)|buzón de voz|contestador',
    'laisse[zr](?: moi)? (?:un|votre) message|après le (?:bip|signal)|messagerie|répondeur',
    'lasci(?:are|ate|a) (?:un|il suo|il vostro) messaggio|dopo il segnale|segreteria telefonica',
    'deix(?:e|ar) (?:a sua|sua|uma|o seu|seu) (?:mensagem|recado)|após o (?:sinal|bip)|caixa postal|correio de voz',
    '発信音の後|ピーという音|留守番電話|请在.{0,8}(?:提示音|嘀).{0,4}后|请留言|语音信箱',
    'बीप के बाद|संदेश छोड़|वॉइसमेल',
  ],
  ivr: [
    'drücken sie (?:bitte )?die|(?:pulse|presione|marque) (?:el )?(?:uno|dos|\\d)|(?:tapez|appuyez sur)(?: le)? (?:un|deux|\\d)',
    '(?:prema|digiti)(?: il)? (?:uno|due|\\d)|(?:digite|pressione|tecle) (?:um|dois|\\d)|を押してください|请按(?:一|二|\\d)|दबाएं|दबाएँ',
  ],
  'not-reachable': [
    '(?:zurzeit|vorübergehend|momentan|derzeit) nicht erreichbar|ist nicht erreichbar',
    'apagado o fuera de (?:cobertura|servicio)|no (?:está|se encuentra) disponible',
    "n'est pas (?:joignable|disponible)|non (?:è |al momento )?raggiungibile",
    'fora da área de cobertura|está (?:desligado|indisponível)|電波の届かない|无法接通|已关机|पहुंच से बाहर|स्विच ऑफ',
  ],
}

const read = (who: MachineWords) =>
  [...patterns[who], ...elsewhere[who]].map((source) => new RegExp(source, 'u'))
const table: Readonly<Record<MachineWords, readonly RegExp[]>> = {
  screening: read('screening'),
  'out-of-service': read('out-of-service'),
  voicemail: read('voicemail'),
  ivr: read('ivr'),
  'not-reachable': read('not-reachable'),
}

const plain = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{M}\p{N}'*# ]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()

/** Undefined: a person may have said it. Screening comes first; of the others, what was said first. */
export function machineWords(words: string): MachineWords | undefined {
  if (words === '') return undefined
  const known = judged.get(words)
  if (known !== undefined) return known ?? undefined
  if (judged.size >= mostJudged) judged.clear()
  const who = judge(words)
  judged.set(words, who ?? null)
  return who
}

// Asked at every tick, of words that seldom change: more than there are calls in a process.
const mostJudged = 1_000
const judged = new Map<string, MachineWords | null>()

function judge(words: string): MachineWords | undefined {
  const text = plain(words)
  const said = (Object.keys(table) as MachineWords[])
    .map((who) => ({ who, at: placeIn(text, table[who]) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)
    .map(({ who }) => who)
  if (said.includes('screening')) return 'screening'
  // An announcement that nobody is there may go on with the offer to record a message.
  return said.find((who) => who !== 'not-reachable') ?? said[0]
}

/** Where the first of them begins; -1: none does. */
function placeIn(text: string, expressions: readonly RegExp[]): number {
  const places = expressions.map((expression) => text.search(expression)).filter((at) => at >= 0)
  return places.length === 0 ? -1 : Math.min(...places)
}

// Said by businesses that pick up as well as by their machines: only the length decides.
const asMachine =
  /\b(?:you have reached|you've reached|thank you for calling|thanks for calling|not available|unavailable|closed|office hours|opening hours|business hours|open (?:monday|from)|away from|get back to you|return your call|call (?:you )?back|on vacation|on holiday|out of (?:the )?office|visit our website|emergency)\b/
const toPerson =
  /\b(?:how (?:can|may) (?:i|we) help|who(?:'s| is) (?:this|calling|there|speaking)|can i help|what can i do|speaking|this is \w+ how|hello hello)\b/

/** The words of a greeting that a machine may have recorded. */
export const mayBeRecorded = (words: string): boolean => {
  const text = plain(words)
  return asMachine.test(text) && !toPerson.test(text)
}

/** A screening service, or whoever fetches the person, asks for patience. */
export const asksToWait = (words: string): boolean =>
  /\b(?:hold|moment|second|minute|wait|stay on|hang on|connect(?:ing)? you|see if|find out|let me (?:check|see)|thanks?(?: you)?$|trying)\b/.test(
    plain(words),
  )
