// The words of turn-taking in German.
import type { TurnLanguage } from './turn-language.ts'

export const german: TurnLanguage = {
  stops:
    'stopp, stop, halt, warten sie, warte, moment, moment mal, einen moment, einen augenblick, augenblick, ' +
    'eine sekunde, sekunde, entschuldigung, nein nein, hören sie auf, seien sie still',
  backchannels:
    'mhm, mm, hm, hmm, aha, ah, ach, ach so, oh, äh, ja, jaja, ja ja, jo, jep, ok, okay, gut, genau, stimmt, klar, ' +
    'richtig, verstehe, ich verstehe, alles klar, in ordnung, sehr gut, super, prima',
  salutations:
    'hallo, ja, ja bitte, ja hallo, guten tag, guten morgen, guten abend, grüß gott, moin, servus, grüezi, bitte',
  goodbyes:
    'tschüss, tschüs, auf wiederhören, auf wiedersehen, wiederhören, wiedersehen, bis bald, bis dann, bis später, ' +
    'bis morgen, ciao, schönen tag, schönen tag noch, einen schönen tag, schönen abend, servus, ade, machs gut',
  unfinished: {
    // Verbs and the parts that separate from them end German sentences: "ich rufe an", "wer das ist".
    dangling:
      'der den dem des die ein eine einen einem einer eines im ins am vom zum zur beim von in für ohne bis seit gegen ' +
      'zwischen wegen und oder aber sondern denn weil wenn dass ob als wie damit obwohl sowie mein meine meinen ' +
      'meinem meiner dein deine ihre ihren ihrem unser unsere unseren kein keine keinen dieser diese diesen diesem ' +
      'äh ähm öh öhm hm also nämlich beziehungsweise sozusagen ungefähr etwa circa sehr ganz ziemlich',
    complete:
      /\b(?:ja|also|na|und) (?:also)$|\b(?:nicht|weiß|genau|gut|gerne|danke|toll) (?:wie|ob|sehr|also)$|\b(?:sind|ist|kennen|meine|wollte|nehme) (?:die|der|den|meine|meiner|keine|keinen|eine|einen)$|\b(?:danke|bitte|vielen dank) sehr$|\bvoll und ganz$/u,
    open: /\b(?:name|nummer|adresse|mail|mailadresse|geburtsdatum|problem|frage|postleitzahl|kundennummer) (?:ist|lautet|war)$|\b(?:ich) (?:heiße|möchte|würde|wohne|brauche|hätte|hätte gern|hätte gerne|wollte|bin|habe)$|^(?:das|es|hier) ist$/u,
  },
  dictation: {
    ones: 'null eins ein zwei zwo drei vier fünf sechs sieben acht neun doppel',
    pairs:
      'zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig ' +
      'sechzig siebzig achtzig neunzig',
    joins: 'und',
    wholeFigures: 10,
  },
  consent: {
    agrees:
      /^(?:(?:ach|äh|also|na|hallo|oh) )*(?:ja|gerne?|einverstanden|ok|okay|klar|natürlich|in ordnung|selbstverständlich|passt|von mir aus|machen sie|genau)(?![\p{L}\p{M}])/u,
    refuses:
      /(?<![\p{L}\p{M}])(?:nein|nee|nö|nicht|ungern|kein\p{L}*|niemals|lieber nicht|ablehnen)(?![\p{L}\p{M}])/u,
    agreesAnyway:
      /(?:kein(?:e)? (?:problem|einwände|thema)|nichts dagegen|macht nichts|stört mich nicht|warum nicht)/u,
    stopsRecording:
      /(?:(?:stoppen|beenden|löschen) sie (?:bitte )?die aufnahme|nicht (?:mehr )?auf(?:nehmen|zeichnen|gezeichnet)|keine aufzeichnung|keine aufnahme)/u,
  },
  takesCall: {
    accepts:
      /^(?:(?:ach|äh|also|na|hallo) )*(?:ja|gerne?|ok|okay|klar|natürlich|in ordnung|stellen sie durch|verbinden sie|nehme ich|ich nehme)(?![\p{L}\p{M}])|^(?:die )?eins$/u,
    declines:
      /(?<![\p{L}\p{M}])(?:nein|nicht|besetzt|später|besprechung|gerade schlecht|keine zeit)(?![\p{L}\p{M}])|^(?:die )?zwei$/u,
  },
  machines: {
    screening: [
      '(?:nennen|sagen) sie (?:bitte )?ihren namen.{0,40}(?:grund|anruf|anliegen)',
      '(?:wer (?:sie sind|anruft)).{0,40}(?:warum|grund|worum|anliegen)',
    ],
    'out-of-service': [
      'kein anschluss unter dieser nummer|nummer ist (?:uns )?(?:nicht vergeben|nicht bekannt|ungültig)',
    ],
    voicemail: [
      'nach dem (?:signal|ton|piep|pfeif)|anrufbeantworter|hinterlassen sie|sprachbox|mailbox von',
      '(?:kann|können) (?:ihren anruf|sie|ihr gespräch|den anruf) (?:leider |gerade |im moment |derzeit )*nicht (?:entgegennehmen|annehmen)',
    ],
    ivr: [
      '(?:drücken|wählen) sie (?:bitte )?die|hauptmenü|alle (?:unsere )?(?:mitarbeiter|leitungen|plätze)|gespräch (?:kann|wird) (?:zu .{0,30})?aufgezeichnet',
    ],
    'not-reachable': [
      '(?:zurzeit|vorübergehend|momentan|derzeit) nicht erreichbar|ist nicht erreichbar|versuchen sie es (?:bitte )?(?:später|zu einem)',
    ],
  },
  recorded:
    /(?:sie sind verbunden mit|vielen dank für ihren anruf|öffnungszeiten|sprechzeiten|geschäftszeiten|außerhalb unserer|sie erreichen uns|nicht im (?:haus|büro)|im urlaub|rufen (?:wir )?sie zurück|besuchen sie unsere)/u,
  toPerson:
    /(?:was kann ich|wie kann ich|wer (?:ist|spricht) (?:da|dort)|mit wem spreche|am apparat|was gibt's|worum geht)/u,
  waits:
    /(?:(?:einen|kleinen) (?:moment|augenblick)|moment|sekunde|warten|bleiben sie (?:dran|in der leitung)|ich (?:verbinde|schaue|sehe|frage) )/u,
}
