// English words and phrases to phonemes, with the dictionary and the network that ship.
import { beforeAll, describe, expect, it } from 'vitest'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import { fetchModel } from '../models/fetch-model.ts'
import { pronunciation } from '../models/kokoro.ts'
import { phonemeIds } from './phonemes.ts'
import { loadEnglish, type Pronounce } from './pronounce.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, pronunciation)

describeUnless(absent, 'the pronunciation of English', () => {
  let pronounce: Pronounce = (words) => words
  beforeAll(async () => {
    pronounce = await loadEnglish(await fetchModel(pronunciation, { folder }))
  })

  describe('short answers and function words', () => {
    it.each([
      ['Yes.', 'jˈɛs.'],
      ['No.', 'nˈO.'],
      ['Okay.', 'ˌOkˈA.'],
      ['Sure.', 'ʃˈʊɹ.'],
      ['You?', 'jˈu?'],
      ['Me.', 'mˈi.'],
      ['It is.', 'ɪt ˈɪz.'],
      ['I do.', 'ˌI dˈu.'],
      ['So?', 'sˈO?'],
      ['And you?', 'ænd jˈu?'],
      ['Hello, this is Anna.', 'həlˈO, ðɪs ɪz ˈænə.'],
      ['Hi there.', 'hˈI ðˈɛɹ.'],
      ['I see.', 'ˌI sˈi.'],
      ['So am I.', 'sˌO æm ˈI.'],
      ['Who is it?', 'hˈu ɪz ɪt?'],
      ['How are you?', 'hˈW ɑɹ ju?'],
      ['Is that all?', 'ɪz ðˈæt ˈɔl?'],
      ['That is all.', 'ðˈæt ɪz ˈɔl.'],
      ['I know that you called.', 'ˌI nˈO ðæt ju kˈɔld.'],
      ["I was told that it'd take long.", 'ˌI wʌz tˈOld ðæt ˈɪɾəd tˈAk lˈɔŋ.'],
      ['That call was short.', 'ðˈæt kˈɔl wʌz ʃˈɔɹt.'],
      ['The one that is open.', 'ðə wˈʌn ðæt ɪz ˈOpən.'],
      ["I'm here.", 'ˌIm hˈɪɹ.'],
      ["We'll call you.", 'wil kˈɔl ju.'],
      ["It's fine.", 'ɪts fˈIn.'],
      ["Don't worry.", 'dˈOnt wˈɜɹi.'],
      ["I can't hear you.", 'ˌI kˈænt hˈɪɹ ju.'],
      ["They've moved.", 'ðAv mˈuvd.'],
      ["You're welcome.", 'jʊɹ wˈɛlkəm.'],
      ["That's right.", 'ðæts ɹˈIt.'],
      ['the apple', 'ði ˈæpəl'],
      ['the hour', 'ði ˈWəɹ'],
      ['the one', 'ðə wˈʌn'],
      ['the user', 'ðə jˈuzəɹ'],
      ['a use', 'ə jˈus'],
      ['an hour', 'ən ˈWəɹ'],
      ['to open', 'tʊ ˈOpən'],
      ['to close', 'tə klˈOz'],
      ['go to it', 'ɡˈO tʊ ɪt'],
      ['Where are you from?', 'wˌɛɹ ɑɹ ju fɹˈʌm?'],
      ['Who is it for?', 'hˌu ɪz ɪt fˈɔɹ?'],
    ])('%s', (words, phonemes) => {
      expect(pronounce(words)).toBe(phonemes)
    })
  })

  describe('words with two pronunciations', () => {
    it.each([
      ['I read it yesterday.', 'ˌI ɹˈɛd ɪt jˈɛstəɹdˌA.'],
      ['I have read it.', 'ˌI hæv ɹˈɛd ɪt.'],
      ['Please read it.', 'plˈiz ɹˈid ɪt.'],
      ['Did you read it?', 'dˈɪd ju ɹˈid ɪt?'],
      ['I will read it.', 'ˌI wɪl ɹˈid ɪt.'],
      ['He read the letter.', 'hi ɹˈɛd ðə lˈɛɾəɹ.'],
      ['to read', 'tə ɹˈid'],
      ['It was read aloud.', 'ɪt wʌz ɹˈɛd əlˈWd.'],
      ['Can you read the number on the card?', 'kæn ju ɹˈid ðə nˈʌmbəɹ ˌɔn ðə kˈɑɹd?'],
      ['I live in Boston.', 'ˌI lˈɪv ɪn bˈɑstən.'],
      ['a live agent', 'ə lˈIv ˈAʤənt'],
      ['We live here.', 'wi lˈɪv hˈɪɹ.'],
      ['live music', 'lˈIv mjˈuzɪk'],
      ['They went live.', 'ðA wˈɛnt lˈIv.'],
      ['Where do you live?', 'wˌɛɹ dˈu ju lˈɪv?'],
      ['He lives here.', 'hi lˈɪvz hˈɪɹ.'],
      ['It saved our lives.', 'ɪt sˈAvd ˌWəɹ lˈIvz.'],
      ['Please record it.', 'plˈiz ɹɪkˈɔɹd ɪt.'],
      ['a new record', 'ə nˈu ɹˈɛkəɹd'],
      ['My records show it.', 'mI ɹˈɛkəɹdz ʃˈO ɪt.'],
      ['He records calls.', 'hi ɹɪkˈɔɹdz kˈɔlz.'],
      ['for the record', 'fɔɹ ðə ɹˈɛkəɹd'],
      ['We close at five.', 'wi klˈOz æt fˈIv.'],
      ['Please close the door.', 'plˈiz klˈOz ðə dˈɔɹ.'],
      ['It is close to here.', 'ɪt ɪz klˈOs tə hˈɪɹ.'],
      ['a close friend', 'ə klˈOs fɹˈɛnd'],
      ['The store is close.', 'ðə stˈɔɹ ɪz klˈOs.'],
      ['Is it close by?', 'ɪz ɪt klˈOs bˈI?'],
      ['Close the account.', 'klˈOz ði əkˈWnt.'],
      ['the close of business', 'ðə klˈOz ʌv bˈɪznəs'],
      ['The kitchen closes at ten.', 'ðə kˈɪʧən klˈOzɪz æt tˈɛn.'],
      ['They closed it.', 'ðA klˈOzd ɪt.'],
      ['the present', 'ðə pɹˈɛzənt'],
      ['I present the plan.', 'ˌI pɹɪzˈɛnt ðə plˈæn.'],
      ['at present', 'æt pɹˈɛzənt'],
      ['I object.', 'ˌI əbʤˈɛkt.'],
      ['an object', 'ən ˈɑbʤɛkt'],
      ['a lead pipe', 'ə lˈɛd pˈIp'],
      ['a sales lead', 'ə sˈAlz lˈid'],
      ['lead the way', 'lˈid ðə wˈA'],
      ['Use the app.', 'jˈuz ði ˈæp.'],
      ['no use', 'nˈO jˈus'],
      ['in use', 'ɪn jˈus'],
      ['the use of it', 'ðə jˈus ʌv ɪt'],
      ['You can use it.', 'ju kæn jˈuz ɪt.'],
      ['terms of use', 'tˈɜɹmz ʌv jˈus'],
      ['I used to call.', 'ˌI jˈust tə kˈɔl.'],
      ['It is used daily.', 'ɪt ɪz jˈuzd dˈAli.'],
      ['It uses power.', 'ɪt jˈuzɪz pˈWəɹ.'],
      ['the wind', 'ðə wˈɪnd'],
      ['wind it up', 'wˈInd ɪt ˈʌp'],
      ['a tear in it', 'ə tˈɛɹ ɪn ɪt'],
      ['She is in tears.', 'ʃi ɪz ɪn tˈɪɹz.'],
      ["Don't tear it.", 'dˈOnt tˈɛɹ ɪt.'],
      ['wear and tear', 'wˈɛɹ ænd tˈɛɹ'],
      ['a wound', 'ə wˈund'],
      ['He wound it up.', 'hi wˈWnd ɪt ˈʌp.'],
      ['a separate bill', 'ə sˈɛpəɹət bˈɪl'],
      ['Please separate them.', 'plˈiz sˈɛpəɹˌAt ðˌɛm.'],
      ['a free estimate', 'ə fɹˈi ˈɛstəmət'],
      ['We estimate ten.', 'wi ˈɛstəmˌAt tˈɛn.'],
      ['a duplicate charge', 'ə dˈupləkət ʧˈɑɹʤ'],
      ['Please duplicate it.', 'plˈiz dˈupləkˌAt ɪt.'],
      ['an appropriate time', 'ən əpɹˈOpɹiət tˈIm'],
      ['your address', 'jʊɹ ˈædɹˌɛs'],
      ['Please address it.', 'plˈiz ədɹˈɛs ɪt.'],
      ['a contract', 'ə kˈɑntɹˌækt'],
      ['They contract out.', 'ðA kəntɹˈækt ˈWt.'],
      ['a refund', 'ə ɹˈifˌʌnd'],
      ['We refund you.', 'wi ɹɪfˈʌnd ju.'],
      ['to refund it', 'tə ɹɪfˈʌnd ɪt'],
      ['a permit', 'ə pˈɜɹmɪt'],
      ['We permit it.', 'wi pəɹmˈɪt ɪt.'],
      ['an increase', 'ən ˈɪnkɹˌis'],
      ['to increase it', 'tʊ ɪnkɹˈis ɪt'],
      ['the project', 'ðə pɹˈɑʤˌɛkt'],
      ['a perfect day', 'ə pˈɜɹfɪkt dˈA'],
      ['the content', 'ðə kˈɑntˌɛnt'],
      ['I am content with it.', 'ˌI æm kəntˈɛnt wɪð ɪt.'],
      ['an invalid code', 'ən ɪnvˈælɪd kˈOd'],
      ['one minute', 'wˈʌn mˈɪnət'],
      ['Excuse me.', 'ɪkskjˈuz mˌi.'],
      ['no excuse', 'nˈO ɪkskjˈus'],
      ['I refuse.', 'ˌI ɹɪfjˈuz.'],
      ['the produce section', 'ðə pɹˈOdˌus sˈɛkʃən'],
      ['They produce it.', 'ðA pɹədˈus ɪt.'],
      ['a subject', 'ə sˈʌbʤɛkt'],
      ['subject to change', 'sˈʌbʤɛkt tə ʧˈAnʤ'],
      ['a discount', 'ə dˈɪskˌWnt'],
      ['the entrance', 'ði ˈɛntɹəns'],
      ['the survey', 'ðə sˈɜɹvˌA'],
      ['We survey people.', 'wi səɹvˈA pˈipəl.'],
      ['an upset customer', 'ən ˌʌpsˈɛt kˈʌstəməɹ'],
      ['Do you have a permit?', 'dˈu ju hæv ə pˈɜɹmɪt?'],
    ])('%s', (words, phonemes) => {
      expect(pronounce(words)).toBe(phonemes)
    })
  })

  describe('words of the telephone', () => {
    it.each([
      ['a transfer', 'ə tɹˈænsfəɹ'],
      ["I'll transfer you now.", 'ˌIl tɹˈænsfəɹ ju nˈW.'],
      ['the update', 'ði ˈʌpdˌAt'],
      ['an upgrade', 'ən ˈʌpɡɹˌAd'],
      ['my email', 'mI ˈimˌAl'],
      ['your copay', 'jʊɹ kˈOpˌA'],
      ['the Wi-Fi', 'ðə wˈI fˈI'],
      ['northwind', 'nˈɔɹθwˌɪnd'],
      ['the emails', 'ði ˈimˌAlz'],
    ])('%s', (words, phonemes) => {
      expect(pronounce(words)).toBe(phonemes)
    })
  })

  describe('initialisms, capitals and letters', () => {
    it.each([
      ['IBM', 'ˌIbˌiˈɛm'],
      ['NASA', 'nˈæsə'],
      ['the US office', 'ðə jˌuˈɛs ˈɔfəs'],
      ['Call us.', 'kˈɔl ˌʌs.'],
      ['the IT desk', 'ði ˌItˈi dˈɛsk'],
      ['your ID', 'jʊɹ ˌIdˈi'],
      ["the CEO's desk", 'ðə sˌiˌiˈOz dˈɛsk'],
      ['two PDFs', 'tˈu pˌidˌiˈɛfz'],
      ['the FAQ page', 'ði ˌɛfˌAkjˈu pˈAʤ'],
      ['USB', 'jˌuˌɛsbˈi'],
      ['ASAP', 'ˌAˌɛsˌApˈi'],
      ['an MRI', 'ən ˌɛmˌɑɹˈI'],
      ['an FBI agent', 'ən ˌɛfbˌiˈI ˈAʤənt'],
      ['DO NOT go.', 'dˈu nˈɑt ɡˈO.'],
      ['THIS IS A TEST.', 'ðɪs ɪz ə tˈɛst.'],
      ['Plan A is fine.', 'plˈæn ˈA ɪz fˈIn.'],
      ['A plan is fine.', 'ə plˈæn ɪz fˈIn.'],
      ['vitamin C', 'vˈIɾəmən sˈi'],
    ])('%s', (words, phonemes) => {
      expect(pronounce(words)).toBe(phonemes)
    })
  })

  describe('words made of other words', () => {
    it.each([
      ['the chatbot', 'ðə ʧˈætbˌɑt'],
      ['your passcode', 'jʊɹ pˈæskˌOd'],
      ['smartphones', 'smˈɑɹtfˌOnz'],
      ['a checkbox', 'ə ʧˈɛkbˌɑks'],
      ["our website's menu", 'ˌWəɹ wˈɛbsˌIts mˈɛnju'],
      ["the bus's door", 'ðə bˈʌsɪz dˈɔɹ'],
      ["the boss's car", 'ðə bˈɔsɪz kˈɑɹ'],
      ["James's car", 'ʤˈAmzɪz kˈɑɹ'],
      ["the customers' calls", 'ðə kˈʌstəməɹz kˈɔlz'],
      ['texted', 'tˈɛkstɪd'],
      ['googled', 'ɡˈuɡəld'],
      ['rebooking', 'ɹibˈʊkɪŋ'],
      ['rescheduled', 'ɹiskˈɛʤˌuld'],
      ['unsubscribed', 'ənsəbskɹˈIbd'],
      ['resubmitted', 'ɹˌisəbmˈɪɾɪd'],
      ['colour', 'kˈʌləɹ'],
      ['favourite', 'fˈAvəɹɪt'],
      ['cancelled', 'kˈænsəld'],
      ['organised', 'ˈɔɹɡənˌIzd'],
      ['centre', 'sˈɛntəɹ'],
    ])('%s', (words, phonemes) => {
      expect(pronounce(words)).toBe(phonemes)
    })
  })

  describe('names and marks', () => {
    it.each([
      ['Nguyen', 'nujˈɛn'],
      ['Kowalczyk', 'kˈWəlʧɪk'],
      ['Siobhan', 'ʃˈWbˌɑn'],
      ['Parley', 'pˈɑɹli'],
      ['PayPal', 'pˈApˌæl'],
      ['YouTube', 'jˈutˌub'],
      ['WhatsApp', 'wˈʌtsˌæp'],
      ['iPhone', 'ˈIfˌOn'],
      ['https', 'ˌAʧtˌitˌipˌiˈɛs'],
      ['hmm', 'hˈʌm'],
      ['state-of-the-art', 'stˈAt ʌv ði ˈɑɹt'],
      ['a check-in desk', 'ə ʧˈɛk ˌɪn dˈɛsk'],
      ['self-service', 'sˈɛlf sˈɜɹvəs'],
      ['thirteen', 'θˌɜɹtˈin'],
      ['fourteen', 'fˌɔɹtˈin'],
      ['nineteen', 'nˌIntˈin'],
      ['twenty', 'twˈɛnti'],
      ['thirty', 'θˈɜɹɾi'],
      ["o'clock", 'əklˈɑk'],
      ['five P M', 'fˈIv pˌiˈɛm'],
      ['ay M', 'ˌAˈɛm'],
      ['U S ay', 'jˌuˌɛsˈA'],
      ['Wednesday', 'wˈɛnzdˌA'],
      ['February', 'fˈɛbjəwˌɛɹi'],
      ['schedule', 'skˈɛʤˌul'],
      ['status', 'stˈAɾəs'],
      ['router', 'ɹˈWɾəɹ'],
      ['Missus Smith', 'mˈɪsɪz smˈɪθ'],
      ['Miz Jones', 'mˈɪz ʤˈOnz'],
      ['constructor', 'kənstɹˈʌktəɹ'],
    ])('%s', (words, phonemes) => {
      expect(pronounce(words)).toBe(phonemes)
    })
  })

  it('predicts names that no dictionary has', () => {
    for (const name of ['Zyxwari', 'Xiomara', 'Kubernetes', "D'Qeriq", 'Blorptang'])
      expect(pronounce(name)).toMatch(/ˈ/)
  })

  it('uses only phonemes that the network knows, whatever the text', () => {
    for (const text of [
      'constructor __proto__ hasOwnProperty',
      'x'.repeat(200),
      "''' a' 'tis",
      'Q.E.D.; A-B-C?!',
    ])
      expect([...pronounce(text)].filter((phoneme) => phonemeIds[phoneme] === undefined)).toEqual([])
  })
})
