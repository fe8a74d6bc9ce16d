// The words of turn-taking in English.
import type { TurnLanguage } from './turn-language.ts'

const toCaller = "(?:i|me|i'll|i'd|like to|want to|wanted to|need to|wish to|trying to)(?: just| please)?"
const callee = '(?:person|party|customer|subscriber|number|user|mobile|phone|client)'
const digit = '(?:one|two|three|four|five|six|seven|eight|nine|zero|star|pound|hash|\\d|\\*|#)'

export const english: TurnLanguage = {
  stops:
    'stop, wait, hold on, hang on, one moment, one second, just a moment, just a second, just a minute, excuse me, ' +
    'be quiet, shut up, no no',
  backchannels:
    'mhm, mm, mmm, hm, hmm, uh, huh, um, ah, oh, ok, okay, yeah, yep, yes, yup, right, sure, good, great, alright, ' +
    'all right, i see, got it, i get it',
  salutations: 'hello, hi, hey, yes, yeah, good morning, good afternoon, good evening, speaking',
  goodbyes:
    'bye, bye bye, goodbye, good bye, see you, see you later, see you then, talk to you later, talk to you soon, ' +
    'have a good day, have a nice day, have a great day, have a good one, take care, good night',
  unfinished: {
    dangling:
      'a an the and or but so because if when while that which who whose than then as of to in on at by for from with ' +
      'without about into onto over under between through during until since like is are was were am be been my your ' +
      "his her its our their this these those i i'm i'd i'll i've we we're they they're it's there's what's would " +
      'could should will can may might must do does did has have had not very really just also plus um uh uhm er erm ' +
      'hmm well actually basically maybe let me my name is',
    complete: new RegExp(
      [
        // Question words and verbs may end a sentence in short forms: "Yes, I am." "So it is."
        '\\b(?:it|that|he|she|there|i|we|they|you|this) (?:is|are|was|were|am|do|does|did|has|have|had|will|would|could|should|can|might|must|may)$',
        // "I want to." "Could you let me?" are rare; "who is that" and "like this" are not.
        '\\b(?:about|like|is|was|do|did|want|with|for|of|at|on) (?:that|this|these|those)$',
        '\\bwhat (?:is|was) (?:it|that|this)$',
      ].join('|'),
    ),
    open: null,
  },
  dictation: {
    ones: 'zero oh o one two three four five six seven eight nine double triple',
    pairs: '',
    joins: '',
    // A whole number has its area code.
    wholeFigures: 10,
  },
  consent: {
    agrees:
      /^(?:(?:oh|um|uh|well|hi|hello) )*(?:yes|yeah|yep|yup|sure|ok|okay|of course|go ahead|fine|alright|all right|that's (?:fine|ok|okay|all right)|absolutely|certainly|i agree)(?![\p{L}\p{M}])/u,
    refuses: /\b(?:no|nope|nah|not|don't|do not|never|rather not|without|object|refuse|disagree)\b/,
    agreesAnyway:
      /\b(?:(?:not|no) (?:a )?(?:problem|issue|worries|objections?)|(?:don't|do not) (?:mind|care|object)|why not)\b/,
    stopsRecording:
      /\b(?:stop|don't|do not|cancel|turn off|switch off) (?:the |this |my )?(?:record(?:ing)?|being recorded)\b|\bwant (?:to be recorded no|no recording)\b/,
  },
  takesCall: {
    accepts:
      /^(?:(?:oh|um|uh|well|hi|hello) )*(?:yes|yeah|yep|yup|sure|ok|okay|of course|go ahead|please do|alright|all right|fine|connect|put (?:them|him|her|it) through|i(?:'ll| will) take it|i can take|absolutely|certainly|no problem)\b|^(?:press(?:ed)? )?(?:one|1)$/,
    declines:
      /\b(?:no|nope|not now|not available|busy|decline|can't|cannot|don't|later|unavailable|in a meeting|call back)\b|^(?:press(?:ed)? )?(?:two|2)$/,
  },
  machines: {
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
      // A person who offers to leave a message is excluded: "may I leave a message".
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
      '\\bin a few words\\b.{0,30}\\b(?:tell|say|describe)\\b',
    ],
    'not-reachable': [
      `\\b${callee} (?:that )?you(?: are|'re| have|'ve)? (?:just )?(?:trying|calling|dialed|dialled|called|tried)\\b`,
      `\\b(?:is|are) (?:currently |temporarily |presently )?(?:switched off|not reachable|out of (?:coverage|reach)|turned off|unreachable)\\b`,
      '\\b(?:try|call|dial) (?:your call )?again later\\b',
    ],
  },
  recorded:
    /\b(?:you have reached|you've reached|thank you for calling|thanks for calling|not available|unavailable|closed|office hours|opening hours|business hours|open (?:monday|from)|away from|get back to you|return your call|call (?:you )?back|on vacation|on holiday|out of (?:the )?office|visit our website|emergency)\b/,
  toPerson:
    /\b(?:how (?:can|may) (?:i|we) help|who(?:'s| is) (?:this|calling|there|speaking)|can i help|what can i do|speaking|this is \w+ how|hello hello)\b/,
  waits:
    /\b(?:hold|moment|second|minute|wait|stay on|hang on|connect(?:ing)? you|see if|find out|let me (?:check|see)|thanks?(?: you)?$|trying)\b/,
}
