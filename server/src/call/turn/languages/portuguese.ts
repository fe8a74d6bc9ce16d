// The words of turn-taking in Portuguese, of Brazil and of Portugal.
import type { TurnLanguage } from './turn-language.ts'

export const portuguese: TurnLanguage = {
  stops:
    'espera, espere, espera aí, peraí, pera, calma, para, pare, um momento, um momentinho, um segundo, um minuto, ' +
    'só um momento, só um minuto, com licença, desculpa, desculpe, não não, fica quieto',
  backchannels:
    'mhm, mm, hm, hum, aham, uhum, ah, oh, é, sim, tá, tá bom, está bem, ok, okay, certo, claro, isso, beleza, bom, ' +
    'muito bem, entendi, entendo, pois é, pois, exato, perfeito, legal, combinado',
  salutations: 'alô, olá, oi, sim, estou, está lá, pronto, bom dia, boa tarde, boa noite, pois não',
  goodbyes:
    'tchau, tchauzinho, adeus, até logo, até mais, até amanhã, até breve, até já, falou, um abraço, ' +
    'tenha um bom dia, bom dia para você, passar bem, com licença tchau',
  unfinished: {
    dangling:
      'o a os as um uma uns umas ao aos à às do da dos das de no na nos nas em com por pelo pela para pra sem sobre ' +
      'entre até desde e ou mas porque que se quando enquanto embora como onde meu minha meus minhas teu tua seu sua ' +
      'seus suas nosso nossa este esta estes estas esse essa aquele aquela é são era sou estou foi muito mais tão ' +
      'então tipo né hum é que eu ele ela nós me te se lhe quero queria gostaria preciso posso tenho',
    complete:
      /\b(?:o que|quem|como|onde|qual|quanto|isso|assim|sim|não|já|aí) (?:é|são|era|foi|estou|sou|tenho|quero|posso|preciso)$|\b(?:para|de|com|em|é|quero|nessa|por) (?:essa|esse|esta|este|ela|ele|nós|mim|muito|mais)$|\b(?:nada|algo|alguém|pouco|não|um pouco|ainda|obrigado|obrigada|gostei|gosto) (?:mais|muito)$|\b(?:eu|também|só) (?:eu|quero|posso|tenho|preciso)$|\bmuito$|\b(?:não|sim|já) (?:o|a|os|as) (?:tenho|quero)$/u,
    open: /\b(?:me chamo|chamo-me|meu nome é|meu número é|moro em|moro na|moro no|o número é|meu telefone é|meu e-?mail é)$/u,
  },
  dictation: {
    ones: 'zero um uma dois duas três quatro cinco seis meia sete oito nove duplo',
    pairs:
      'dez onze doze treze catorze quatorze quinze dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove ' +
      'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
    joins: 'e',
    wholeFigures: 9,
  },
  consent: {
    agrees:
      /^(?:(?:ah|oi|olá|bom|é|hum) )*(?:sim|claro|tá(?: bom)?|está bem|ok|okay|certo|pode(?: gravar)?|tudo bem|com certeza|concordo|aceito|de acordo|beleza)(?![\p{L}\p{M}])/u,
    refuses: /(?<![\p{L}\p{M}])(?:não|nunca|jamais|nem|prefiro que não|recuso|sem gravar)(?![\p{L}\p{M}])/u,
    agreesAnyway:
      /(?:sem problemas?|não tem problema|não (?:me )?(?:importo|incomoda)|não há problema|por que não|tudo bem)/u,
    stopsRecording:
      /(?:pare(?:m)? (?:de gravar|a gravação)|não (?:me )?gravem?|não quero (?:ser gravad[oa]|gravação|que gravem?))/u,
  },
  takesCall: {
    accepts:
      /^(?:(?:ah|oi|olá|bom) )*(?:sim|claro|tá(?: bom)?|ok|okay|certo|pode(?: passar)?|passa|passe|com certeza|eu atendo|vou atender)(?![\p{L}\p{M}])|^(?:tecla )?um$/u,
    declines:
      /(?<![\p{L}\p{M}])(?:não|ocupad[oa]|mais tarde|depois|em reunião|agora não)(?![\p{L}\p{M}])|^dois$/u,
  },
  machines: {
    screening: [
      '(?:diga|fale|informe) (?:o )?(?:seu )?nome.{0,40}(?:motivo|liga|assunto|ligação)',
      'quem (?:está|é que está) (?:falando|ligando|a ligar).{0,30}(?:motivo|por que|assunto)',
    ],
    'out-of-service': [
      'número (?:chamado |discado |marcado |que você ligou |que ligou )?(?:não (?:existe|está em serviço|está atribuído|foi reconhecido)|está incorreto)',
    ],
    voicemail: [
      'deix(?:e|ar) (?:a sua|sua|uma|o seu|seu|um) (?:mensagem|recado|nome)|(?:após|depois do|depois de) (?:o )?(?:sinal|bip)|grave sua mensagem',
      'caixa postal|correio de voz|caixa de mensagens|secretária eletrônica|atendedor de chamadas|não (?:posso|podemos) atender',
    ],
    ivr: [
      '(?:digite|pressione|tecle|marque|prima)(?: o| a)? (?:um|dois|três|zero|\\d|asterisco|jogo da velha|cardinal)',
      'menu principal|todos os nossos (?:atendentes|operadores|agentes)|sua (?:ligação|chamada) é (?:muito )?importante|(?:ligação|chamada) (?:poderá|pode) ser gravada',
    ],
    'not-reachable': [
      'fora da área de cobertura|está (?:desligado|indisponível|temporariamente)|não (?:está|se encontra) disponível|tente (?:novamente )?mais tarde|não pode ser completada',
    ],
  },
  recorded:
    /(?:você ligou para|ligou para|obrigad[oa] por (?:ligar|sua ligação)|horário de (?:atendimento|funcionamento)|estamos fechados|fora do escritório|retornaremos|retorno sua ligação|visite nosso site)/u,
  toPerson:
    /(?:em que posso|como posso|posso ajudar|quem (?:fala|é|está falando)|com quem (?:falo|deseja)|quem gostaria)/u,
  waits:
    /(?:um (?:momento|momentinho|minuto|minutinho|segundo|instante)|aguarde|espere|não desligue|vou (?:passar|transferir|ver|verificar)|só um)/u,
}
