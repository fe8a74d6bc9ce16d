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

const read = (sources: readonly string[]) => sources.map((source) => new RegExp(source, 'u'))
const table: Readonly<Record<MachineWords, readonly RegExp[]>> = {
  screening: read(patterns.screening),
  'out-of-service': read(patterns['out-of-service']),
  voicemail: read(patterns.voicemail),
  ivr: read(patterns.ivr),
  'not-reachable': read(patterns['not-reachable']),
}

const plain = (words: string): string =>
  words
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}'*# ]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()

/** Undefined: a person may have said it. Screening comes first; of the others, what was said first. */
export function machineWords(words: string): MachineWords | undefined {
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
