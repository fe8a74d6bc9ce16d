// What an agent says of itself when a guard rail applies, unless the agent has sentences of its own.

export interface GuardRailSentences {
  /** Before a call is recorded. */
  readonly consent: string
  readonly notRecorded: string
  /** Instead of an answer about a topic that is refused. */
  readonly refusal: string
  /** Instead of a sentence that must not be said. */
  readonly replacement: string
}

export const guardRailSentences: Readonly<Record<string, GuardRailSentences>> = {
  en: {
    consent: 'This call may be recorded. Is that all right with you?',
    notRecorded: 'All right, this call is not recorded.',
    refusal: "I'm sorry, that is something I can't talk about. Is there anything else I can do for you?",
    replacement: "I'm sorry, I can't say anything about that.",
  },
  de: {
    consent: 'Dieses Gespräch wird aufgezeichnet. Ist Ihnen das recht?',
    notRecorded: 'In Ordnung, dieses Gespräch wird nicht aufgezeichnet.',
    refusal: 'Darüber kann ich leider nicht sprechen. Kann ich sonst etwas für Sie tun?',
    replacement: 'Dazu kann ich leider nichts sagen.',
  },
  es: {
    consent: 'Esta llamada puede ser grabada. ¿Está de acuerdo?',
    notRecorded: 'De acuerdo, esta llamada no se graba.',
    refusal: 'Lo siento, no puedo hablar de eso. ¿Puedo ayudarle en algo más?',
    replacement: 'Lo siento, no puedo decir nada al respecto.',
  },
  fr: {
    consent: 'Cet appel peut être enregistré. Êtes-vous d’accord ?',
    notRecorded: 'D’accord, cet appel n’est pas enregistré.',
    refusal: 'Je suis désolé, je ne peux pas en parler. Puis-je faire autre chose pour vous ?',
    replacement: 'Je suis désolé, je ne peux rien dire à ce sujet.',
  },
  it: {
    consent: 'Questa chiamata può essere registrata. Va bene per Lei?',
    notRecorded: 'Va bene, questa chiamata non viene registrata.',
    refusal: 'Mi dispiace, non posso parlarne. Posso aiutarla in altro?',
    replacement: 'Mi dispiace, non posso dire nulla al riguardo.',
  },
  pt: {
    consent: 'Esta chamada pode ser gravada. Está de acordo?',
    notRecorded: 'Está bem, esta chamada não é gravada.',
    refusal: 'Lamento, não posso falar sobre isso. Posso ajudar em mais alguma coisa?',
    replacement: 'Lamento, não posso dizer nada sobre isso.',
  },
  hi: {
    consent: 'यह कॉल रिकॉर्ड की जा सकती है। क्या आप सहमत हैं?',
    notRecorded: 'ठीक है, यह कॉल रिकॉर्ड नहीं की जा रही है।',
    refusal: 'क्षमा करें, मैं इस बारे में बात नहीं कर सकती। क्या मैं आपकी और कोई मदद कर सकती हूँ?',
    replacement: 'क्षमा करें, मैं इस बारे में कुछ नहीं कह सकती।',
  },
  ja: {
    consent: 'この通話は録音されることがあります。よろしいですか。',
    notRecorded: '承知しました。この通話は録音しません。',
    refusal: '申し訳ありませんが、その件についてはお話しできません。ほかにご用件はございますか。',
    replacement: '申し訳ありませんが、その件については申し上げられません。',
  },
  zh: {
    consent: '本次通话可能会被录音，您同意吗？',
    notRecorded: '好的，本次通话不录音。',
    refusal: '抱歉，这个话题我不能谈。还有什么可以帮您的吗？',
    replacement: '抱歉，这方面我不能说什么。',
  },
}
