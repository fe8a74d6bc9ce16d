// Sentences of calls, as written, to phonemes: the spoken form and its pronunciation together.
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import { fetchModel } from '../models/fetch-model.ts'
import { pronunciation } from '../models/kokoro.ts'
import { englishWords } from '../spoken-form/english.ts'
import { loadEnglish, type Pronounce } from './pronounce.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, pronunciation)

/** What people, agents and machines say in the sandbox, in the scenarios and in the recorded greetings. */
const ofCalls: readonly (readonly [written: string, phonemes: string])[] = JSON.parse(
  readFileSync(new URL('../../../test/props/engines/call-sentences.json', import.meta.url), 'utf8'),
)

describeUnless(absent, 'sentences of calls', () => {
  let pronounce: Pronounce = (words) => words
  beforeAll(async () => {
    pronounce = await loadEnglish(await fetchModel(pronunciation, { folder }))
  })

  it.each([
    ['I can help you with that.', 'ˌI kæn hˈɛlp ju wɪð ðˈæt.'],
    ['I am calling about our order.', 'ˌI æm kˈɔlɪŋ əbˈWt ˌWəɹ ˈɔɹdəɹ.'],
    ['Our office is open from 9 a.m. to 5 p.m.', 'ˌWəɹ ˈɔfəs ɪz ˈOpən fɹʌm nˈIn ˌAˈɛm tə fˈIv pˌiˈɛm.'],
    [
      'I read your email yesterday, and I will read it again today.',
      'ˌI ɹˈɛd jʊɹ ˈimˌAl jˈɛstəɹdˌA, ænd ˌI wɪl ɹˈid ɪt əɡˈɛn tədˈA.',
    ],
    [
      'We live on Baker St. near the live music hall.',
      'wi lˈɪv ˌɔn bˈAkəɹ stɹˈit nˈɪɹ ðə lˈIv mjˈuzɪk hˈɔl.',
    ],
    [
      'Please record the call; the record is kept for 30 days.',
      'plˈiz ɹɪkˈɔɹd ðə kˈɔl; ðə ɹˈɛkəɹd ɪz kˈɛpt fɔɹ θˈɜɹɾi dˈAz.',
    ],
    [
      'We close at 6:30, but we are close to the station.',
      'wi klˈOz æt sˈɪks θˈɜɹɾi, bˌʌt wi ɑɹ klˈOs tə ðə stˈAʃən.',
    ],
    ['At present I cannot present the contract.', 'æt pɹˈɛzənt ˌI kˈænˌɑt pɹɪzˈɛnt ðə kˈɑntɹˌækt.'],
    ['I object to the price of this object.', 'ˌI əbʤˈɛkt tə ðə pɹˈIs ʌv ðɪs ˈɑbʤɛkt.'],
    ['The lead engineer will lead the team.', 'ðə lˈid ˌɛnʤənˈɪɹ wɪl lˈid ðə tˈim.'],
    [
      'You can use the app, but it is of no use offline.',
      'ju kæn jˈuz ði ˈæp, bˌʌt ɪt ɪz ʌv nˈO jˈus ˌɔflˈIn.',
    ],
    [
      'Your total is $1,249.99.',
      'jʊɹ tˈOɾəl ɪz wˈʌn θˈWzənd tˈu hˈʌndɹəd fˈɔɹɾi nˈIn dˈɑləɹz ænd nˈInti nˈIn sˈɛnts.',
    ],
    [
      'That will be €35.50, or about £30.',
      'ðˈæt wɪl bi θˈɜɹɾi fˈIv jˈuɹOz ænd fˈɪfti sˈɛnts, ɔɹ əbˈWt θˈɜɹɾi pˈWndz.',
    ],
    [
      'Your appointment is on Tuesday, March 3rd, 2026 at 10:15 a.m.',
      'jʊɹ əpˈYntmənt ɪz ˌɔn tˈuzdˌA, mˈɑɹʧ θˈɜɹd, twˈɛnti twˈɛnti sˈɪks æt tˈɛn fɪftˈin ˌAˈɛm.',
    ],
    [
      'Please call us back at (415) 555-0137.',
      'plˈiz kˈɔl ˌʌs bˈæk æt fˈɔɹ wˈʌn fˈIv, fˈIv fˈIv fˈIv, zˈɪɹO wˈʌn θɹˈi sˈɛvən.',
    ],
    [
      'My number is 020 7946 0958.',
      'mI nˈʌmbəɹ ɪz zˈɪɹO tˈu zˈɪɹO, sˈɛvən nˈIn fˈɔɹ sˈɪks, zˈɪɹO nˈIn fˈIv ˈAt.',
    ],
    [
      'You can write to anna.smith@parcel-office.com.',
      'ju kæn ɹˈIt tʊ ˈænə dˈɑt smˈɪθ æt pˈɑɹsəl dˈæʃ ˈɔfəs dˈɑt kˈɑm.',
    ],
    ['Go to www.example.com/help for more.', 'ɡˈO tʊ ɪɡzˈæmpəl dˈɑt kˈɑm slˈæʃ hˈɛlp fɔɹ mˈɔɹ.'],
    ['Your order number is A1-B2-7734.', 'jʊɹ ˈɔɹdəɹ nˈʌmbəɹ ɪz ˈA wˈʌn, bˈi tˈu, sˈɛvən sˈɛvən θɹˈi fˈɔɹ.'],
    ['Your flight is BA 249 from Gate B12.', 'jʊɹ flˈIt ɪz bˌiˈA tˈu fˈɔɹɾi nˈIn fɹʌm ɡˈAt bˈi twˈɛlv.'],
    ['Dr. Nguyen will see you in room 305.', 'dˈɑktəɹ nujˈɛn wɪl sˈi ju ɪn ɹˈum θɹˈi ˈO fˈIv.'],
    [
      "Mrs. O'Connor lives at 1600 Elm Ave., Apt. 4B.",
      'mˈɪsɪz Okˈɑnəɹ lˈɪvz æt sɪkstˈin hˈʌndɹəd ˈɛlm ˈævənˌu, əpˈɑɹtmənt fˈɔɹ bˈi.',
    ],
    ['The interest rate is 4.75% per year.', 'ði ˈɪntɹəst ɹˈAt ɪz fˈɔɹ pˈYnt sˈɛvən fˈIv pəɹsˈɛnt pɜɹ jˈɪɹ.'],
    [
      'It will be between 18 and 22°C tomorrow.',
      'ɪt wɪl bi bɪtwˈin Atˈin ænd twˈɛnti tˈu dɪɡɹˈiz sˈɛlsiəs təmˈɑɹˌO.',
    ],
    [
      'The parcel weighs 2.5 kg and is 40 cm long.',
      'ðə pˈɑɹsəl wˈAz tˈu pˈYnt fˈIv kˈɪləɡɹˌæmz ænd ɪz fˈɔɹɾi sˈɛntəmˌiɾəɹz lˈɔŋ.',
    ],
    [
      'Add 1/2 cup of sugar and 3/4 cup of milk.',
      'ˈæd wˈʌn hˈæf kˈʌp ʌv ʃˈʊɡəɹ ænd θɹˈi kwˈɔɹɾəɹz kˈʌp ʌv mˈɪlk.',
    ],
    ['It takes 3-5 business days.', 'ɪt tˈAks θɹˈi tə fˈIv bˈɪznəs dˈAz.'],
    ['Please have your ID ready, e.g. a passport.', 'plˈiz hæv jʊɹ ˌIdˈi ɹˈɛdi, fɔɹ ɪɡzˈæmpəl ə pˈæspˌɔɹt.'],
    [
      'IBM and NASA signed the contract in 1998.',
      'ˌIbˌiˈɛm ænd nˈæsə sˈInd ðə kˈɑntɹˌækt ɪn nˌIntˈin nˈInti ˈAt.',
    ],
    ['Is there anything else I can help you with?', 'ɪz ðɛɹ ˈɛniθˌɪŋ ˈɛls ˌI kæn hˈɛlp ju wˈɪð?'],
    ['Yes.', 'jˈɛs.'],
    ['She wound the bandage around the wound.', 'ʃi wˈWnd ðə bˈændɪʤ əɹˈWnd ðə wˈund.'],
    [
      'Would you like to separate the items into two separate orders?',
      'wʊd ju lˈIk tə sˈɛpəɹˌAt ði ˈIɾəmz ˈɪntu tˈu sˈɛpəɹət ˈɔɹdəɹz?',
    ],
    [
      'The estimate is $250; we estimate two hours of work.',
      'ði ˈɛstəmət ɪz tˈu hˈʌndɹəd fˈɪfti dˈɑləɹz; wi ˈɛstəmˌAt tˈu ˈWəɹz ʌv wˈɜɹk.',
    ],
    ['He used to use the old address.', 'hi jˈust tə jˈuz ði ˈOld ˈædɹˌɛs.'],
    [
      'We can offer an upgrade or a refund within an hour.',
      'wi kæn ˈɔfəɹ ən ˈʌpɡɹˌAd ɔɹ ə ɹˈifˌʌnd wɪðˈɪn ən ˈWəɹ.',
    ],
    [
      'The end of the hour is the only time they are all available.',
      'ði ˈɛnd ʌv ði ˈWəɹ ɪz ði ˈOnli tˈIm ðA ɑɹ ˈɔl əvˈAləbəl.',
    ],
    ["I'd like to ask you to open an account with us.", 'ˌId lˈIk tʊ ˈæsk ju tʊ ˈOpən ən əkˈWnt wɪð ˌʌs.'],
    [
      'My name is Siobhan Kowalczyk, and I am calling from Albuquerque.',
      'mI nˈAm ɪz ʃˈWbˌɑn kˈWəlʧɪk, ænd ˌI æm kˈɔlɪŋ fɹʌm ˈælbəkəɹki.',
    ],
    ['Your policy no. is 88-41207.', 'jʊɹ pˈɑləsi nˈʌmbəɹ ɪz ˈAt ˈAt, fˈɔɹ wˈʌn tˈu zˈɪɹO sˈɛvən.'],
    ["We owe you 20 dollars, don't we?", 'wi ˈO ju twˈɛnti dˈɑləɹz, dˈOnt wi?'],
    [
      'Press 1 for sales, 2 for support, or # to go back.',
      'pɹˈɛs wˈʌn fɔɹ sˈAlz, tˈu fɔɹ səpˈɔɹt, ɔɹ pˈWnd tə ɡˈO bˈæk.',
    ],
    [
      'The meeting is at 14:00 on 12/04/2026.',
      'ðə mˈiɾɪŋ ɪz æt fˌɔɹtˈin hˈʌndɹəd ˌɔn dɪsˈɛmbəɹ fˈɔɹθ, twˈɛnti twˈɛnti sˈɪks.',
    ],
    [
      "It's the 21st century, and it's the 2nd time I've called.",
      'ɪts ðə twˈɛnti fˈɜɹst sˈɛnʧəɹi, ænd ɪts ðə sˈɛkənd tˈIm ˌIv kˈɔld.',
    ],
    ['We moved from Reading to Nice in the 1990s.', 'wi mˈuvd fɹʌm ɹˈidɪŋ tə nˈIs ɪn ðə nˌIntˈin nˈIntiz.'],
    [
      'There are 2,500,000 people in the city.',
      'ðɛɹ ɑɹ tˈu mˈɪljən fˈIv hˈʌndɹəd θˈWzənd pˈipəl ɪn ðə sˈɪɾi.',
    ],
    [
      "Their website's login page doesn't load on my iPhone.",
      'ðɛɹ wˈɛbsˌIts lˈɔɡˌɪn pˈAʤ dˈʌzənt lˈOd ˌɔn mI ˈIfˌOn.',
    ],
    [
      "The doctor's wife's email was sent to the wrong address.",
      'ðə dˈɑktəɹz wˈIfs ˈimˌAl wʌz sˈɛnt tə ðə ɹˈɔŋ ˈædɹˌɛs.',
    ],
    ['Two of us were there, and so were you.', 'tˈu ʌv ˌʌs wɜɹ ðˈɛɹ, ænd sˈO wɜɹ ju.'],
    ['What is it that you want me to do for them?', 'wˌʌt ɪz ɪt ðæt ju wˈɑnt mˌi tə dˈu fɔɹ ðˌɛm?'],
    ['He will call her back as soon as he has it.', 'hi wɪl kˈɔl hɜɹ bˈæk æz sˈun æz hi hæz ɪt.'],
    ['If I may, I would add that we are on our way.', 'ɪf ˌI mˈA, ˌI wʊd ˈæd ðæt wi ɑɹ ˌɔn ˌWəɹ wˈA.'],
    ['The self-service check-in is state-of-the-art.', 'ðə sˈɛlf sˈɜɹvəs ʧˈɛk ˌɪn ɪz stˈAt ʌv ði ˈɑɹt.'],
    [
      'Your balance is -$15.20 as of Oct. 5.',
      'jʊɹ bˈæləns ɪz mˈInəs fɪftˈin dˈɑləɹz ænd twˈɛnti sˈɛnts æz ʌv ɑktˈObəɹ fˈɪfθ.',
    ],
    ['Use code SAVE20 & get 20% off!', 'jˈuz kˈOd sˈAv twˈɛnti ænd ɡˌɛt twˈɛnti pəɹsˈɛnt ˈɔf!'],
    [
      'We deliver Mon.-Fri. between 8am and 12pm.',
      'wi dɪlˈɪvəɹ mˈʌndˌA tə fɹˈIdˌA bɪtwˈin ˈAt ˌAˈɛm ænd twˈɛlv pˌiˈɛm.',
    ],
    [
      'The tear in the seat made a tear run down her face.',
      'ðə tˈɛɹ ɪn ðə sˈit mˈAd ə tˈɪɹ ɹˈʌn dˈWn hɜɹ fˈAs.',
    ],
    [
      'A minute ago they said the invalid ticket was invalid.',
      'ə mˈɪnət əɡˈO ðA sˈɛd ði ɪnvˈælɪd tˈɪkət wʌz ɪnvˈælɪd.',
    ],
    ['Is the house number 1204 or 1240?', 'ɪz ðə hˈWs nˈʌmbəɹ wˈʌn tˈu zˈɪɹO fˈɔɹ ɔɹ twˈɛlv fˈɔɹɾi?'],
  ])('%s', (written, phonemes) => {
    expect(pronounce(englishWords(written))).toBe(phonemes)
  })

  it.each(ofCalls)('%s', (written, phonemes) => {
    expect(pronounce(englishWords(written))).toBe(phonemes)
  })
})
