// The words of turn-taking in Chinese. It is written without spaces, so that a phrase counts as a word.
import type { TurnLanguage } from './turn-language.ts'

export const chinese: TurnLanguage = {
  stops: '等一下, 等等, 等一等, 停, 稍等, 打断一下, 不好意思, 别说了, 不不',
  backchannels: '嗯, 嗯嗯, 好, 好的, 是, 是的, 对, 对对, 哦, 啊, 行, 明白, 知道了, 可以, 没错',
  salutations: '喂, 你好, 您好, 喂你好, 早上好, 下午好, 晚上好, 哪位',
  goodbyes: '再见, 拜拜, 回头见, 下次再说, 先这样, 挂了',
  unfinished: {
    dangling: '那个 这个 然后 但是 因为 所以 就是 嗯',
    complete: null,
    open: /(?:和|跟|在|把|因为|如果|但是|然后|我想|我要|我叫|号码是|地址是|名字是)$/u,
  },
  dictation: { ones: '零 一 二 三 四 五 六 七 八 九 幺', pairs: '', joins: '', wholeFigures: 11 },
  consent: {
    agrees: /^(?:是|好|可以|同意|行|没问题|当然|对)/u,
    refuses: /^(?:不|别|不要|不同意|拒绝)/u,
    agreesAnyway: /^(?:不介意|没关系|没问题)/u,
    stopsRecording: /(?:不要|别|停止)录音/u,
  },
  takesCall: { accepts: /^(?:是|好|可以|接|行|转)/u, declines: /^(?:不|没空|忙|稍后|开会)/u },
  machines: {
    screening: ['请说出您的(?:姓名|名字).{0,20}(?:原因|来电)'],
    'out-of-service': ['您拨打的(?:号码|电话)是空号'],
    voicemail: ['请在.{0,8}(?:提示音|嘀).{0,4}后|请留言|语音信箱'],
    ivr: ['请按(?:一|二|三|零|\\d)'],
    'not-reachable': ['无法接通|已关机|暂时无法|不在服务区'],
  },
  recorded: /感谢您的来电|营业时间|您好.{0,10}公司/u,
  toPerson: /哪位|找谁|有什么可以帮/u,
  waits: /稍等|等一下|请等|别挂/u,
}
