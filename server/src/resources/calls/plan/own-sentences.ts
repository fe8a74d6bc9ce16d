// The sentences that an agent says of itself, in the languages that are spoken offline and some more.

export interface OwnSentences {
  /** Before a call ends because an engine failed. */
  readonly apology: string
  /** After the caller heard nothing for a few seconds. */
  readonly interrupted: string
  /** In place of the default of `check_user_online_message`, which is English. */
  readonly areYouThere: string
  /** While the agent still thinks. */
  readonly fillers: readonly string[]
  /** While the caller speaks for long. */
  readonly backchannels: readonly string[]
}

export const ownSentences: Readonly<Record<string, OwnSentences>> = {
  en: {
    apology: "I'm sorry, I'm having trouble right now. Please call again later.",
    interrupted: 'Sorry, I lost you for a moment.',
    areYouThere: 'Hey, are you still there',
    fillers: ['Let me see.', 'One moment.', 'Okay, so.', 'Well, let me think.'],
    backchannels: ['Mhm.', 'Okay.', 'Right.', 'I see.'],
  },
  de: {
    apology:
      'Entschuldigung, ich habe gerade ein technisches Problem. Bitte rufen Sie später noch einmal an.',
    interrupted: 'Entschuldigung, die Verbindung war kurz weg.',
    areYouThere: 'Hallo, sind Sie noch da?',
    fillers: ['Einen Moment.', 'Mal sehen.', 'Ich schaue nach.'],
    backchannels: ['Mhm.', 'Ja.', 'Verstehe.'],
  },
  es: {
    apology: 'Lo siento, tengo un problema técnico. Por favor, llame más tarde.',
    interrupted: 'Disculpe, se cortó un momento.',
    areYouThere: '¿Hola, sigue ahí?',
    fillers: ['Un momento.', 'Déjeme ver.', 'A ver.'],
    backchannels: ['Ajá.', 'Sí.', 'Entiendo.'],
  },
  fr: {
    apology: 'Je suis désolé, je rencontre un problème technique. Merci de rappeler plus tard.',
    interrupted: 'Pardon, je vous ai perdu un instant.',
    areYouThere: 'Allô, vous êtes toujours là ?',
    fillers: ['Un instant.', 'Voyons.', 'Je regarde.'],
    backchannels: ['Oui.', 'D’accord.', 'Je vois.'],
  },
  it: {
    apology: 'Mi dispiace, ho un problema tecnico. La prego di richiamare più tardi.',
    interrupted: 'Mi scusi, è caduta la linea per un attimo.',
    areYouThere: 'Pronto, è ancora in linea?',
    fillers: ['Un momento.', 'Vediamo.', 'Allora.'],
    backchannels: ['Sì.', 'Certo.', 'Capisco.'],
  },
  pt: {
    apology: 'Desculpe, estou com um problema técnico. Por favor, ligue mais tarde.',
    interrupted: 'Desculpe, a ligação falhou por um momento.',
    areYouThere: 'Alô, você ainda está aí?',
    fillers: ['Um momento.', 'Deixe-me ver.', 'Vamos ver.'],
    backchannels: ['Sim.', 'Certo.', 'Entendo.'],
  },
  hi: {
    apology: 'माफ़ कीजिए, अभी कुछ तकनीकी समस्या है। कृपया बाद में फिर से कॉल करें।',
    interrupted: 'माफ़ कीजिए, एक पल के लिए आवाज़ कट गई थी।',
    areYouThere: 'हैलो, क्या आप लाइन पर हैं?',
    fillers: ['एक मिनट।', 'मैं देखती हूँ।', 'अच्छा, तो।'],
    backchannels: ['जी।', 'अच्छा।', 'ठीक है।'],
  },
  ja: {
    apology: '申し訳ありません、技術的な問題が発生しています。後ほどおかけ直しください。',
    interrupted: '失礼しました、少し途切れてしまいました。',
    areYouThere: 'もしもし、聞こえていますか。',
    fillers: ['少々お待ちください。', 'そうですね。', '確認します。'],
    backchannels: ['はい。', 'ええ。', 'なるほど。'],
  },
  zh: {
    apology: '对不起，现在出现了技术问题，请稍后再打。',
    interrupted: '抱歉，刚才断了一下。',
    areYouThere: '您好，您还在吗？',
    fillers: ['请稍等。', '我看一下。', '嗯，让我想想。'],
    backchannels: ['嗯。', '好的。', '明白。'],
  },
}
