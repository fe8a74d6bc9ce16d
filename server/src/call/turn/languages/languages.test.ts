// The words of turn-taking, language by language, as people say them on the telephone.
import { describe, expect, it } from 'vitest'
import { plainRules, play } from '../../../../test/props/call/turn-script.ts'
import { consentIn } from '../consent.ts'
import { looksUnfinished } from '../end-of-turn.ts'
import { type MachineWords, machineWords } from '../machine-words.ts'
import { newTurn } from '../turn.ts'
import { isBackchannel, isGoodbye, isSalutation, isStopPhrase, wordsOf } from '../word-list.ts'
import { type TurnLanguageCode, turnLanguageCodes, turnLanguageOf, turnLanguages } from './index.ts'

interface LanguageSamples {
  readonly unfinished: readonly string[]
  readonly finished: readonly string[]
  readonly backchannels: readonly string[]
  readonly answers: readonly string[]
  readonly stops: readonly string[]
  readonly goodbyes: readonly string[]
  readonly machines: readonly (readonly [MachineWords, string])[]
  readonly people: readonly string[]
}

const spoken: Readonly<Partial<Record<TurnLanguageCode, LanguageSamples>>> = {
  es: {
    unfinished: [
      'Mi número es',
      'me llamo',
      'quería una mesa para',
      'porque',
      'seis uno dos, treinta y cuatro',
      'vivo en la',
    ],
    finished: [
      'para dos personas',
      'no, eso no',
      'eso es',
      'seis uno dos tres cuatro cinco seis siete ocho',
      'sí, ya lo tengo',
      'nada más',
    ],
    backchannels: ['Ajá.', 'sí, claro', 'de acuerdo', 'ya veo'],
    answers: ['no', 'sí pero no puedo', 'mañana'],
    stops: ['espere un momento', 'perdone', 'no, no'],
    goodbyes: ['adiós', 'Vale, gracias, hasta luego.', 'que tenga un buen día'],
    machines: [
      ['voicemail', 'En este momento no puedo atenderle. Deje su mensaje después de la señal.'],
      ['ivr', 'Para ventas, pulse uno.'],
      ['not-reachable', 'El teléfono al que llama está apagado o fuera de cobertura.'],
      ['out-of-service', 'El número marcado no existe.'],
    ],
    people: ['¿Bueno?', 'Dígame, ¿quién habla?', 'Le dejo un mensaje mañana'],
  },
  fr: {
    unfinished: [
      'mon numéro c’est',
      "je m'appelle",
      'je voudrais une table pour',
      'parce que',
      'zéro six douze',
      'euh',
    ],
    finished: [
      'pour deux personnes',
      'oui, je le veux',
      "c'est pour moi",
      'zéro six douze trente quatre cinquante six soixante dix huit',
      "d'accord",
      'et vous ?',
    ],
    backchannels: ['Mhm.', "oui, d'accord", 'je vois', 'très bien'],
    answers: ['non', 'oui mais pas demain', 'jeudi'],
    stops: ['attendez', 'une seconde, pardon', 'excusez-moi'],
    goodbyes: ['au revoir', 'Merci, bonne journée !', 'à bientôt'],
    machines: [
      ['voicemail', 'Bonjour, vous êtes bien sur le répondeur de Julie. Laissez un message après le bip.'],
      ['ivr', 'Pour le service client, appuyez sur 2.'],
      ['not-reachable', "Votre correspondant n'est pas joignable."],
      ['out-of-service', "Le numéro que vous avez demandé n'est pas attribué."],
    ],
    people: ['Allô, oui ?', 'Qui est à l’appareil ?', 'je rappelle demain'],
  },
  de: {
    unfinished: [
      'meine Nummer ist',
      'ich heiße',
      'einen Tisch für',
      'weil',
      'null eins sieben',
      'ähm',
      'ich hätte gerne',
    ],
    finished: [
      'für zwei Personen',
      'ich rufe morgen an',
      'was ist das',
      'null eins sieben sechs zwei drei vier fünf sechs sieben',
      'ja genau',
      'danke sehr',
    ],
    backchannels: ['Mhm.', 'ja genau', 'alles klar', 'ach so'],
    answers: ['nein', 'ja aber nicht morgen', 'Donnerstag'],
    stops: ['Moment mal', 'warten Sie', 'nein, nein'],
    goodbyes: ['Tschüss', 'Vielen Dank, auf Wiederhören.', 'schönen Tag noch'],
    machines: [
      ['voicemail', 'Ich kann Ihren Anruf gerade nicht entgegennehmen. Sprechen Sie nach dem Signalton.'],
      ['ivr', 'Für Fragen zur Rechnung drücken Sie die Eins.'],
      ['not-reachable', 'Der gewünschte Gesprächspartner ist zurzeit nicht erreichbar.'],
      ['out-of-service', 'Kein Anschluss unter dieser Nummer.'],
    ],
    people: ['Müller, guten Tag', 'Wer ist da?', 'ich melde mich später'],
  },
  pt: {
    unfinished: ['meu número é', 'eu queria', 'uma mesa para', 'porque', 'nove oito sete', 'moro na'],
    finished: [
      'para duas pessoas',
      'não, isso não',
      'o que é',
      'onze nove oito sete meia cinco quatro três dois um',
      'nada mais',
      'gostei muito',
    ],
    backchannels: ['Aham.', 'tá bom', 'sim, claro', 'entendi'],
    answers: ['não', 'sim mas amanhã não', 'quinta'],
    stops: ['espera aí', 'só um momento', 'não, não'],
    goodbyes: ['tchau', 'Obrigada, até logo.', 'tenha um bom dia'],
    machines: [
      ['voicemail', 'Sua chamada está sendo encaminhada para a caixa postal.'],
      ['ivr', 'Para falar com um atendente, digite 2.'],
      ['not-reachable', 'O telefone chamado está desligado ou fora da área de cobertura.'],
      ['out-of-service', 'O número chamado não existe.'],
    ],
    people: ['Alô?', 'Quem fala?', 'amanhã eu ligo'],
  },
  it: {
    unfinished: ['il mio numero è', 'mi chiamo', 'vorrei un tavolo per', 'perché', 'tre tre otto', 'ehm'],
    finished: [
      'per due persone',
      'sì, lo voglio',
      'che cosa è',
      'tre tre otto uno due tre quattro cinque sei sette',
      'niente di più',
      'va bene',
    ],
    backchannels: ['Mhm.', 'sì, certo', 'ho capito', "d'accordo"],
    answers: ['no', 'sì ma non domani', 'giovedì'],
    stops: ['aspetti', 'un attimo, scusi', 'no no'],
    goodbyes: ['arrivederci', 'Grazie, buona giornata.', 'a presto'],
    machines: [
      ['voicemail', 'Risponde la segreteria telefonica di Marco. Lasciate un messaggio dopo il segnale.'],
      ['ivr', 'Per parlare con un operatore digiti 2.'],
      ['not-reachable', 'Il cliente da lei chiamato non è al momento raggiungibile.'],
      ['out-of-service', 'Il numero selezionato è inesistente.'],
    ],
    people: ['Pronto?', 'Chi parla?', 'la richiamo domani'],
  },
  hi: {
    unfinished: [
      'मेरा नाम',
      'mera number hai',
      'मुझे टेबल चाहिए और',
      'kyunki',
      'नौ आठ सात',
      'nau aath saat',
      'इस शहर में',
    ],
    finished: [
      'दो लोगों के लिए चाहिए',
      'do log hain',
      'हाँ ठीक है',
      'नौ आठ सात छह पाँच चार तीन दो एक शून्य',
      'हो गया',
      'kal aaunga',
    ],
    backchannels: ['हाँ जी', 'अच्छा', 'theek hai', 'haan ji'],
    answers: ['नहीं', 'nahi', 'कल सुबह', 'haan lekin kal nahi'],
    stops: ['एक मिनट रुकिए', 'ruko', 'suniye', 'नहीं नहीं'],
    goodbyes: ['अलविदा', 'ठीक है, फिर मिलेंगे', 'theek hai bye'],
    machines: [
      ['voicemail', 'कृपया बीप के बाद अपना संदेश छोड़ें।'],
      ['ivr', 'हिंदी के लिए एक दबाएं।'],
      ['not-reachable', 'जिस व्यक्ति से आप संपर्क करना चाहते हैं वह पहुंच से बाहर है।'],
      ['out-of-service', 'यह नंबर मौजूद नहीं है।'],
    ],
    people: ['हेलो, कौन बोल रहा है?', 'haan boliye', 'मैं कल फोन करूँगा'],
  },
  ja: {
    unfinished: ['予約をしたいのですが', 'えーと'],
    finished: ['二人です', 'はい'],
    backchannels: ['はい', 'なるほど'],
    answers: ['いいえ', '明日です'],
    stops: ['ちょっと待って', 'すみません'],
    goodbyes: ['失礼します'],
    machines: [['voicemail', '発信音の後にメッセージをどうぞ。']],
    people: ['もしもし'],
  },
  zh: {
    unfinished: ['我的号码是', '因为'],
    finished: ['两个人', '好的'],
    backchannels: ['嗯', '好的'],
    answers: ['不', '明天'],
    stops: ['等一下', '稍等'],
    goodbyes: ['再见'],
    machines: [['not-reachable', '您拨打的电话暂时无法接通。']],
    people: ['喂你好'],
  },
}

describe.each(Object.entries(spoken) as [TurnLanguageCode, LanguageSamples][])('in %s', (code, said) => {
  it.each(said.unfinished)('more follows after "%s"', (words) =>
    expect(looksUnfinished(words, code)).toBe(true),
  )
  it.each(said.finished)('"%s" is complete', (words) => expect(looksUnfinished(words, code)).toBe(false))
  it.each(said.backchannels)('"%s" only shows attention', (words) =>
    expect(isBackchannel(words, code)).toBe(true),
  )
  it.each(said.answers)('"%s" is an answer', (words) => expect(isBackchannel(words, code)).toBe(false))
  it.each(said.stops)('"%s" interrupts', (words) => expect(isStopPhrase(words, code)).toBe(true))
  it.each(said.goodbyes)('"%s" is a goodbye', (words) => expect(isGoodbye(words, code)).toBe(true))
  it.each(said.machines)('a machine (%s) says "%s"', (who, words) => expect(machineWords(words)).toBe(who))
  it.each(said.people)('a person may say "%s"', (words) => expect(machineWords(words)).toBeUndefined())
})

describe('the lists', () => {
  it.each(turnLanguageCodes)('of %s are written as transcripts are compared', (code) => {
    const { stops, backchannels, salutations, goodbyes } = turnLanguages[code]
    for (const phrase of [stops, backchannels, salutations, goodbyes].join(', ').split(', '))
      expect(wordsOf(phrase).join(' ')).toBe(phrase)
  })

  it.each([
    ['pt-BR', 'pt'],
    ['Spanish', 'es'],
    ['DE', 'de'],
    ['auto', 'en'],
    ['sw', 'en'],
    [undefined, 'en'],
  ])('for an agent in %s are those of %s', (language, code) => expect(turnLanguageOf(language)).toBe(code))

  it('a goodbye is no question and not in the middle', () => {
    expect(isGoodbye('bye?', 'en')).toBe(false)
    expect(isGoodbye('goodbye is what they said and then nothing happened', 'en')).toBe(false)
    expect(isSalutation('guten Tag', 'de')).toBe(true)
  })

  it.each<[string, TurnLanguageCode, 'yes' | 'no' | 'unclear']>([
    ['sí, claro', 'es', 'yes'],
    ['no hay problema', 'es', 'yes'],
    ['prefiero que no', 'es', 'no'],
    ['oui bien sûr', 'fr', 'yes'],
    ['ça ne me dérange pas', 'fr', 'yes'],
    ['je ne veux pas', 'fr', 'no'],
    ['lieber nicht', 'de', 'no'],
    ['kein Problem', 'de', 'yes'],
    ['pode gravar', 'pt', 'yes'],
    ['não', 'pt', 'no'],
    ['faccia pure', 'it', 'yes'],
    ['no grazie', 'it', 'no'],
    ['हाँ ठीक है', 'hi', 'yes'],
    ['mat kijiye', 'hi', 'no'],
    ['yes', 'de', 'yes'],
    ['was?', 'de', 'unclear'],
  ])('"%s" in %s to being recorded is %s', (words, code, answer) =>
    expect(consentIn(words, code)).toBe(answer),
  )
})

describe('a call', () => {
  const rules = { sayings: { ...plainRules.sayings, greeting: 'Hallo.' } }
  const greeting = [{ type: 'dialled' }, { type: 'answered' }, { type: 'began', generation: 1 }, 500] as const
  const greeted = [...greeting, { type: 'drained', generation: 1 }] as const

  it('goes on over a backchannel in its own language, and gives way to what is none there', () => {
    const after = (language: string) =>
      play([...greeting, { type: 'final', text: 'genau' }, 100], rules, newTurn(0, language)).written
    expect(after('de-DE')).not.toContain('discard 1')
    expect(after('en')).toContain('discard 1')
  })

  it('follows the language that the caller turns out to speak', () =>
    expect(play([...greeted, { type: 'language', language: 'fr' }], rules).turn.language).toBe('fr'))

  it('ends by itself when a goodbye was answered and nothing follows', () => {
    const parting = [
      ...greeted,
      { type: 'final', text: 'Gracias, hasta luego.' },
      1_000,
      { type: 'began', generation: 2 },
      { type: 'drained', generation: 2 },
      4_500,
    ] as const
    expect(play(parting, rules, newTurn(0, 'es')).written.at(-1)).toBe('end completed agent agent_hangup')
  })
})
