// The words of turn-taking in Japanese. It is written without spaces, so that a phrase counts as a word.
import type { TurnLanguage } from './turn-language.ts'

export const japanese: TurnLanguage = {
  stops:
    'ちょっと待って, 待って, 待ってください, ちょっと待ってください, ストップ, すみません, 少々お待ちください, やめて',
  backchannels:
    'はい, うん, ええ, はいはい, そうですか, なるほど, そうですね, へえ, わかりました, 分かりました, オーケー',
  salutations: 'もしもし, はい, はいもしもし, こんにちは, おはようございます, こんばんは',
  goodbyes:
    'さようなら, 失礼します, 失礼いたします, では失礼します, じゃあね, バイバイ, またね, 失礼しました',
  unfinished: {
    dangling: 'えーと えっと ええと あの あのー その そして でも それで だから',
    complete: null,
    // A particle is followed by a verb.
    open: /(?:[をにがはでと]|から|ので|けど|けれど|って|ですが|ますが|んですけど)$/u,
  },
  dictation: {
    ones: 'ゼロ れい まる いち に さん よん し ご ろく なな しち はち きゅう く',
    pairs: '',
    joins: '',
    wholeFigures: 10,
  },
  consent: {
    agrees: /^(?:はい|ええ|うん|いいです|大丈夫|わかりました|構いません|どうぞ)/u,
    refuses: /^(?:いいえ|いや|だめ|ダメ|やめて|困ります|録音しないで)/u,
    agreesAnyway: /^(?:問題ありません|構いません)/u,
    stopsRecording: /録音(?:しないで|をやめて|を止めて)/u,
  },
  takesCall: {
    accepts: /^(?:はい|ええ|うん|つないで|お願いします|どうぞ)/u,
    declines: /^(?:いいえ|いや|後で|あとで|今は)|会議中/u,
  },
  machines: {
    screening: ['(?:お名前|名前)と(?:ご?用件|理由)'],
    'out-of-service': ['現在使われておりません'],
    voicemail: ['発信音の後|ピーという音|留守番電話|メッセージをどうぞ'],
    ivr: ['を押してください'],
    'not-reachable': ['電波の届かない|電源が入っていない'],
  },
  recorded: /営業時間|お電話ありがとうございます|本日は休業/u,
  toPerson: /どちら様|どなた|ご用件は/u,
  waits: /お待ちください|お待ち下さい|ちょっと待って|少々/u,
}
