// People who speak for long when they pick up or answer: none of them is taken for a machine by the length.
import { describe, expect, it } from 'vitest'
import {
  answered,
  began,
  drained,
  final,
  hush,
  partial,
  plainRules,
  play,
  type Script,
  voice,
} from '../../../test/props/call/turn-script.ts'
import type { TurnLanguageCode } from './languages/index.ts'
import { newTurn } from './turn.ts'

/** `after`: the agent's greeting was heard first. `first`: said on picking up, over the greeting. */
type Person = readonly [language: TurnLanguageCode, when: 'after' | 'first', words: string]

/** Written before the rules were changed, by nobody who knew their words. */
const strangers: readonly Person[] = [
  [
    'en',
    'after',
    'Yeah so the thing is the boiler was put in by my brother-in-law about six years ago and it has never really worked properly since, we had a man round in March who charged us ninety pounds and just hit it with a spanner, so honestly I would rather you sent somebody who knows that make, it is one of those Italian ones, and my daughter is usually home on Wednesdays after her shift at the hospital',
  ],
  [
    'en',
    'after',
    "Right, it is flat four, twenty-two Cathedral Gardens, but the entrance is round the back next to the bicycle shed, you go past the laundrette and there is a green door with no number on it, do not press the buzzer because it rings at the neighbour's, and the postcode is B R six nine Q T, that is Bromley, not Brighton, everybody gets that wrong",
  ],
  [
    'en',
    'first',
    'Good afternoon, thank you for calling Hartley and Sons solicitors, you are speaking with Margaret at the front desk, we are a little short-handed today because of the snow, so do bear with me for just one second while I get my headset sorted out, there we are, now how may I direct your call this afternoon',
  ],
  [
    'en',
    'first',
    "Put that down Oliver, no I said put it down, it is not a toy, because the dog will eat it and then we will be at the vet's again like last summer, sorry, hang on, I have somebody on the phone, go and ask your father where the red one is, I am so sorry about that, who is this please",
  ],
  [
    'de',
    'after',
    'Also das ist jetzt ein bisschen ungünstig, ich stehe nämlich gerade im Baumarkt an der Kasse und meine Frau wartet draußen im Auto mit den Kindern, aber grundsätzlich hätten wir schon Interesse, wir hatten ja im Frühjahr schon einmal mit einem Kollegen von Ihnen gesprochen, der wollte sich dann noch einmal melden wegen der Förderung, und seitdem haben wir leider nichts mehr gehört',
  ],
  [
    'de',
    'first',
    'Autohaus Brinkmann in Osnabrück, schönen guten Tag, mein Name ist Sabine Wehmeyer, ich muss Sie gleich vorwarnen, unsere Werkstatt ist heute nur zur Hälfte besetzt weil die Grippe umgeht, aber wir bekommen das schon irgendwie hin, worum geht es denn bei Ihnen',
  ],
  [
    'fr',
    'after',
    "Écoutez, pour tout vous dire, je ne suis pas très disponible en ce moment parce que nous sommes en plein déménagement, il y a des cartons jusque dans l'escalier et le camion arrive demain à sept heures, mais si vous pouviez me proposer quelque chose la semaine du douze, plutôt le matin, avant que mon mari parte au bureau, ce serait vraiment l'idéal pour nous",
  ],
  [
    'fr',
    'first',
    "Boulangerie Marchetti bonjour, ah non Lucas les croissants c'est pour la commande de la mairie, mets-les de côté s'il te plaît, oui excusez-moi, c'est la folie ce matin avec la brocante sur la place et mon apprenti qui vient de commencer lundi, dites-moi tout, c'est pour une commande ou c'est pour autre chose",
  ],
  [
    'es',
    'after',
    'Mire, le explico, la lavadora la compramos en la tienda que estaba en la avenida, la que cerraron, y cuando empezó a perder agua llamamos tres veces y siempre nos decían que venía el técnico y el técnico no venía nunca, así que mi cuñado le cambió una goma y aguantó hasta el domingo, que se nos inundó la cocina entera y tuvimos que subir la alfombra al balcón',
  ],
  [
    'es',
    'first',
    'Clínica dental Robles buenos días, le atiende Pilar, perdone que hable tan deprisa, es que tengo a tres pacientes esperando en el mostrador y la impresora se ha vuelto a atascar, a ver, dígame su nombre y si viene para una revisión o es por una urgencia y miramos qué hueco nos queda',
  ],
  [
    'it',
    'after',
    "Guardi, io sarei anche d'accordo, però il problema è che il palazzo ha l'amministratore nuovo e quello non vuole che si tocchi niente prima dell'assemblea di novembre, poi c'è la signora del terzo piano che si lamenta di ogni rumore, quindi prima di fissare una data io sentirei anche mio figlio che di queste cose se ne intende più di me, lui rientra venerdì sera da Torino",
  ],
  [
    'pt',
    'after',
    'Olhe, para ser sincera eu nem sei bem o que lhe diga, porque o contrato está em nome do meu falecido marido e nós nunca tratámos de mudar isso, ele é que lidava com essas coisas todas, e agora cada vez que telefono pedem-me um papel diferente, já fui duas vezes à loja do centro comercial e mandaram-me embora porque faltava uma fotocópia, percebe',
  ],
  [
    'hi',
    'after',
    'देखिए बात ये है कि मैं अभी गाँव आया हुआ हूँ मेरे चाचा जी की तबीयत ठीक नहीं है और यहाँ नेटवर्क भी बहुत कम आता है तो मैं इस हफ्ते तो नहीं आ पाऊँगा लेकिन अगर आप सोमवार के बाद का कोई समय दे दें तो मैं अपने छोटे भाई को भी साथ ले आऊँगा क्योंकि उसके कागज़ात भी मेरे पास ही रखे हुए हैं और उसे भी वही काम करवाना है',
  ],
  [
    'zh',
    'after',
    '是这样的我们家那个热水器其实上个月就坏了师傅来过一次说要换一个零件然后就一直没有消息我婆婆年纪大了天天要烧水洗澡很不方便你们要是能安排最好是周末因为平时我和我先生都上班家里只有老人她听不太懂普通话怕跟师傅说不清楚',
  ],
  [
    'ja',
    'after',
    'そうですねえ実は先週引っ越したばかりでまだ荷物も片付いていなくて段ボールの山なんですけれども主人が来月から単身赴任になるものですからできればその前に一度見ていただけると助かるんですが土曜日だと子供のサッカーの試合があるので日曜の午前中か平日でしたら夕方の六時以降だとありがたいです',
  ],
  [
    'ja',
    'first',
    'はい山田工務店でございますいつもお世話になっておりますあのすみませんちょっと今現場の者が来ておりまして少々騒がしいんですけれどもお電話聞こえておりますでしょうかええ大丈夫でしたらこのままご用件を伺いますのでどうぞ',
  ],
  [
    'en',
    'after',
    'Well I did get your letter and I put it on the fridge and then my sister came over and I think she must have moved it, because she moves everything, last Christmas she moved the scissors and we did not find them until Easter, but I do remember it said something about the tenth, and the tenth is no good because I have got the eye clinic in the morning and then choir practice straight after',
  ],
  [
    'de',
    'after',
    'Nein, die Rechnung habe ich schon bezahlt, und zwar am dritten, das kann ich Ihnen auch zeigen, ich habe hier den Kontoauszug liegen, Moment, da steht es, Überweisung an die Stadtwerke, zweiundachtzig Euro vierzig, und zwei Tage später kam trotzdem die Mahnung, und als ich angerufen habe, hat mir eine junge Dame gesagt, ich solle das einfach ignorieren, und jetzt rufen Sie wieder an',
  ],
]

/** Written later. */
const others: readonly Person[] = [
  // With words that recordings say as well.
  [
    'en',
    'after',
    'Ah, well, the shop is closed on Mondays and my husband is away from the phone until about four, he is out at the allotment seeing to the beans, and our opening hours changed in October when the bus stopped coming, so if it is about the till you had better try him on the Thursday, he does the till, I only do the flowers and the cards',
  ],
  [
    'en',
    'after',
    'Yes, I had an emergency with the cat, she swallowed a whole ribbon off the Christmas tree and we sat at the clinic until two in the morning, so I am not at my best, and I was on vacation the week before that, which is why I never saw your letter, but I would like the appointment, only not before ten if that can be done',
  ],
  [
    'de',
    'after',
    'Ach, das ist ja nett, dass Sie zurückrufen, wir hatten nämlich gerade Betriebsferien und das Büro war geschlossen, und mein Sohn, der das sonst alles macht, ist nicht erreichbar gewesen, der war mit dem Rad in Dänemark, also ich kann Ihnen nur sagen, was auf dem Zettel steht, und da steht eine Nummer, aber die kann ich ohne Brille nicht lesen',
  ],
  [
    'fr',
    'after',
    'Alors là vous tombez mal, le cabinet est fermé le mercredi et ma collègue est en congé depuis lundi, moi je suis seulement la voisine qui arrose les plantes et qui relève le courrier, mais attendez, je crois qu’il y a un cahier près du téléphone où elle note les rendez-vous, oui voilà, il est là, dites-moi ce que je dois écrire dedans',
  ],
  [
    'es',
    'after',
    'Pues mire, la oficina está cerrada por las tardes y mi jefe está de vacaciones hasta el veinte, yo soy el chico que trae los paquetes y como no paraba de sonar lo he cogido, pero si quiere se lo apunto en una caja, que papel no veo por ninguna parte, y cuando vuelva la señora de la limpieza se lo doy a ella, que lo sabe todo',
  ],
  [
    'it',
    'after',
    'Senta, lo studio adesso è chiuso per ferie e il dottore è fuori fino a lunedì, io passo solo a dare da mangiare ai pesci, però se è per la ricetta di mia zia gliela posso chiedere io stasera, perché abita qui sopra, e lei sa benissimo quali sono, quelle rosa per la mattina e quelle bianche per la sera, o forse il contrario',
  ],
  [
    'pt',
    'first',
    'Padaria Aurora, bom dia, ó Rui vê-me aí o forno que os bolos já devem estar, desculpe, é que hoje é dia de feira e isto está uma confusão que não se pode, temos a fila até à porta e a menina nova ainda se engana nos trocos, mas diga lá, se é para a encomenda do batizado está pronta a partir das onze',
  ],
  [
    'hi',
    'first',
    'हाँ जी शर्मा टेंट हाउस बोलिए अरे पप्पू वो कुर्सियाँ उधर मत रखो ट्रक वाला निकल जाएगा माफ़ कीजिएगा शादी का सीज़न चल रहा है सुबह से एक मिनट की फुर्सत नहीं मिली और ऊपर से लड़के भी छुट्टी पर हैं तो आप बताइए आपका प्रोग्राम किस तारीख का है और कितने लोगों का इंतज़ाम करना है',
  ],
  [
    'zh',
    'first',
    '喂你好这里是老王修车铺你等一下啊小李把那个千斤顶放下来不是那个是旁边那个对对放稳了不好意思啊今天就我们两个人忙得饭都没吃上你是要补胎还是换机油要是补胎的话现在前面还排着三辆估计得等到下午',
  ],
  [
    'ja',
    'after',
    'ああその件でしたらですね実は父の名前で申し込んだんですけれども父が先月から入院しておりまして本人確認の書類が今手元になくてですね母に探してもらっているところなんですが何しろ片付けの苦手な家なものですからもう少しお時間をいただければと思いまして',
  ],
]

// As people speak when they tell something.
const wordMs = 360
const signMs = 200

/** The words so far, as a transcriber sends them while they are spoken. */
function spoken(words: string): Script {
  const isSigns = /[\p{Script=Han}\p{Script=Hiragana}]/u.test(words)
  const units = isSigns ? [...words] : words.split(' ')
  const said = units.flatMap((_, at): Script => {
    const soFar = units.slice(0, at + 1).join(isSigns ? '' : ' ')
    return [isSigns ? signMs : wordMs, ...(at % 2 === 0 ? [partial(soFar)] : [])]
  })
  return [voice, ...said, hush, 200, final(words), 2_000]
}

const greeted = {
  sayings: { ...plainRules.sayings, greeting: 'Hello, this is Maple Dental, about your appointment.' },
}

function ends([language, when, words]: Person) {
  const before: Script =
    when === 'after' ? [...answered, began(1), 2_800, drained(1), 900] : [...answered, began(1), 400]
  const { turn, written } = play([...before, ...spoken(words)], greeted, newTurn(0, language))
  return {
    life: turn.life.is,
    who: turn.answerer.is,
    heard: written.filter((act) => act.startsWith('hear ')),
  }
}

describe.each(Object.entries({ strangers, others }))('of %s', (_, people) => {
  it.each(people)('%s, %s: %s', (...person) => {
    expect(ends(person)).toEqual({ life: 'talking', who: 'unknown', heard: [`hear "${person[2]}"`] })
  })
})
