// The sentences that an agent says of itself, in the languages that are spoken offline and some more.

export interface OwnSentences {
  /** Before a call ends because an engine failed. */
  readonly apology: string
  /** In place of an answer that failed. */
  readonly sayAgain: string
  /** After the caller heard nothing for a few seconds. */
  readonly interrupted: string
  /** Before a transfer, if the model says nothing. */
  readonly connecting: string
  /** After a transfer that failed. */
  readonly notConnected: string
  /** To the target of a warm transfer. */
  readonly callerWaits: string
  readonly takeCall: string
  /** To a screening service that asks who is calling. */
  readonly screening: (name: string) => string
  /** In place of the default of `check_user_online_message`, which is English. */
  readonly areYouThere: string
  /** While the agent still thinks. */
  readonly fillers: readonly string[]
  /** While it waits for a tool. */
  readonly lookups: readonly string[]
  /** While the caller speaks for long. */
  readonly backchannels: readonly string[]
}

export const ownSentences: Readonly<Record<string, OwnSentences>> = {
  en: {
    apology: "I'm sorry, I'm having trouble right now. Please call again later.",
    connecting: 'Please stay on the line. I will connect you.',
    interrupted: 'Sorry, I lost you for a moment.',
    notConnected: "I'm sorry, I could not reach anybody there. Is there anything else I can do for you?",
    screening: (name) => `Hello, this is ${name}, calling for the owner of this phone.`,
    callerWaits: 'A caller is waiting to speak to you.',
    takeCall: 'Say yes or press 1 to take the call, or press 2 to decline.',
    sayAgain: "I'm sorry, something went wrong. Could you say that again, please?",
    areYouThere: 'Hey, are you still there',
    fillers: ['Let me see.', 'One moment.', 'Okay, so.', 'Well, let me think.'],
    lookups: ['Let me look that up.', 'Just a moment, please.', 'I am still checking.'],
    backchannels: ['Mhm.', 'Okay.', 'Right.', 'I see.'],
  },
  de: {
    apology:
      'Entschuldigung, ich habe gerade ein technisches Problem. Bitte rufen Sie später noch einmal an.',
    interrupted: 'Entschuldigung, die Verbindung war kurz weg.',
    connecting: 'Einen Moment bitte, ich verbinde Sie.',
    notConnected:
      'Es tut mir leid, ich konnte dort niemanden erreichen. Kann ich sonst noch etwas für Sie tun?',
    screening: (name) =>
      `Guten Tag, hier ist ${name}. Ich möchte mit dem Inhaber dieses Anschlusses sprechen.`,
    callerWaits: 'Ein Anrufer möchte Sie sprechen.',
    takeCall:
      'Sagen Sie ja oder drücken Sie die 1, um das Gespräch anzunehmen, oder die 2, um es abzulehnen.',
    sayAgain: 'Entschuldigung, da ist etwas schiefgegangen. Können Sie das bitte noch einmal sagen?',
    areYouThere: 'Hallo, sind Sie noch da?',
    fillers: ['Einen Moment.', 'Mal sehen.', 'Ich schaue nach.'],
    lookups: ['Ich sehe gerade nach.', 'Einen kleinen Moment, bitte.', 'Ich bin noch dabei.'],
    backchannels: ['Mhm.', 'Ja.', 'Verstehe.'],
  },
  es: {
    apology: 'Lo siento, tengo un problema técnico. Por favor, llame más tarde.',
    interrupted: 'Disculpe, se cortó un momento.',
    connecting: 'Un momento, por favor. Le comunico.',
    notConnected: 'Lo siento, no he podido localizar a nadie. ¿Puedo ayudarle en algo más?',
    screening: (name) => `Hola, soy ${name} y llamo al titular de este teléfono.`,
    callerWaits: 'Una persona desea hablar con usted.',
    takeCall: 'Diga sí o pulse 1 para atender la llamada, o 2 para rechazarla.',
    sayAgain: 'Disculpe, algo ha fallado. ¿Puede repetirlo, por favor?',
    areYouThere: '¿Hola, sigue ahí?',
    fillers: ['Un momento.', 'Déjeme ver.', 'A ver.'],
    lookups: ['Lo estoy consultando.', 'Un momento, por favor.', 'Sigo buscando.'],
    backchannels: ['Ajá.', 'Sí.', 'Entiendo.'],
  },
  fr: {
    apology: 'Je suis désolé, je rencontre un problème technique. Merci de rappeler plus tard.',
    interrupted: 'Pardon, je vous ai perdu un instant.',
    connecting: 'Un instant, je vous mets en relation.',
    notConnected: 'Je suis désolé, personne n’est joignable. Puis-je faire autre chose pour vous ?',
    screening: (name) => `Bonjour, ici ${name}, j’appelle le titulaire de ce téléphone.`,
    callerWaits: 'Une personne souhaite vous parler.',
    takeCall: 'Dites oui ou appuyez sur 1 pour prendre l’appel, ou sur 2 pour le refuser.',
    sayAgain: 'Pardon, il y a eu un problème. Pouvez-vous répéter, s’il vous plaît ?',
    areYouThere: 'Allô, vous êtes toujours là ?',
    fillers: ['Un instant.', 'Voyons.', 'Je regarde.'],
    lookups: ['Je vérifie cela.', 'Un petit instant, s’il vous plaît.', 'Je cherche encore.'],
    backchannels: ['Oui.', 'D’accord.', 'Je vois.'],
  },
  it: {
    apology: 'Mi dispiace, ho un problema tecnico. La prego di richiamare più tardi.',
    interrupted: 'Mi scusi, è caduta la linea per un attimo.',
    connecting: 'Un momento, la metto in contatto.',
    notConnected: 'Mi dispiace, non ho trovato nessuno. Posso fare altro per lei?',
    screening: (name) => `Buongiorno, sono ${name} e cerco il titolare di questo telefono.`,
    callerWaits: 'Una persona desidera parlarle.',
    takeCall: 'Dica sì o prema 1 per prendere la chiamata, oppure 2 per rifiutarla.',
    sayAgain: 'Mi scusi, qualcosa è andato storto. Può ripetere, per favore?',
    areYouThere: 'Pronto, è ancora in linea?',
    fillers: ['Un momento.', 'Vediamo.', 'Allora.'],
    lookups: ['Sto controllando.', 'Un attimo, per favore.', 'Sto ancora cercando.'],
    backchannels: ['Sì.', 'Certo.', 'Capisco.'],
  },
  pt: {
    apology: 'Desculpe, estou com um problema técnico. Por favor, ligue mais tarde.',
    interrupted: 'Desculpe, a ligação falhou por um momento.',
    connecting: 'Um momento, por favor. Vou transferir a sua chamada.',
    notConnected: 'Desculpe, não consegui falar com ninguém. Posso ajudar em mais alguma coisa?',
    screening: (name) => `Olá, aqui é ${name}, estou ligando para o titular deste telefone.`,
    callerWaits: 'Uma pessoa deseja falar com você.',
    takeCall: 'Diga sim ou pressione 1 para atender, ou 2 para recusar.',
    sayAgain: 'Desculpe, algo deu errado. Pode repetir, por favor?',
    areYouThere: 'Alô, você ainda está aí?',
    fillers: ['Um momento.', 'Deixe-me ver.', 'Vamos ver.'],
    lookups: ['Estou verificando.', 'Só um momento, por favor.', 'Ainda estou procurando.'],
    backchannels: ['Sim.', 'Certo.', 'Entendo.'],
  },
  hi: {
    apology: 'माफ़ कीजिए, अभी कुछ तकनीकी समस्या है। कृपया बाद में फिर से कॉल करें।',
    interrupted: 'माफ़ कीजिए, एक पल के लिए आवाज़ कट गई थी।',
    connecting: 'एक मिनट, मैं आपको जोड़ती हूँ।',
    notConnected: 'माफ़ कीजिए, वहाँ कोई नहीं मिला। क्या मैं और कुछ मदद कर सकती हूँ?',
    screening: (name) => `नमस्ते, मैं ${name} बोल रही हूँ, इस फ़ोन के मालिक से बात करनी है।`,
    callerWaits: 'कोई आपसे बात करना चाहता है।',
    takeCall: 'कॉल लेने के लिए हाँ कहें या 1 दबाएँ, मना करने के लिए 2 दबाएँ।',
    sayAgain: 'माफ़ कीजिए, कुछ गड़बड़ हो गई। क्या आप वह फिर से कह सकते हैं?',
    areYouThere: 'हैलो, क्या आप लाइन पर हैं?',
    fillers: ['एक मिनट।', 'मैं देखती हूँ।', 'अच्छा, तो।'],
    lookups: ['मैं अभी जाँच कर रही हूँ।', 'कृपया एक क्षण रुकिए।', 'मैं अब भी देख रही हूँ।'],
    backchannels: ['जी।', 'अच्छा।', 'ठीक है।'],
  },
  ja: {
    apology: '申し訳ありません、技術的な問題が発生しています。後ほどおかけ直しください。',
    interrupted: '失礼しました、少し途切れてしまいました。',
    connecting: '少々お待ちください。おつなぎします。',
    notConnected: '申し訳ありません、おつなぎできませんでした。ほかにご用件はございますか。',
    screening: (name) => `${name}と申します。この電話の持ち主の方にお電話しています。`,
    callerWaits: 'お客様からお電話です。',
    takeCall: 'お受けになる場合は「はい」と言うか1を、お断りになる場合は2を押してください。',
    sayAgain: '申し訳ありません、うまくいきませんでした。もう一度おっしゃっていただけますか。',
    areYouThere: 'もしもし、聞こえていますか。',
    fillers: ['少々お待ちください。', 'そうですね。', '確認します。'],
    lookups: ['お調べしています。', 'もう少々お待ちください。', 'まだ確認しております。'],
    backchannels: ['はい。', 'ええ。', 'なるほど。'],
  },
  zh: {
    apology: '对不起，现在出现了技术问题，请稍后再打。',
    interrupted: '抱歉，刚才断了一下。',
    connecting: '请稍等，我为您转接。',
    notConnected: '对不起，电话没有接通。请问还有什么可以帮您？',
    screening: (name) => `您好，我是${name}，想找这个电话的机主。`,
    callerWaits: '有一位来电者想和您通话。',
    takeCall: '接听请说“是”或按1，拒绝请按2。',
    sayAgain: '抱歉，刚才出了点问题。请您再说一遍，好吗？',
    areYouThere: '您好，您还在吗？',
    fillers: ['请稍等。', '我看一下。', '嗯，让我想想。'],
    lookups: ['我正在查询。', '请再稍等一下。', '还在查，马上就好。'],
    backchannels: ['嗯。', '好的。', '明白。'],
  },
}
