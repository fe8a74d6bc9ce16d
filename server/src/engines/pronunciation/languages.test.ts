// What is written in other languages than English, and how it sounds.
import { describe, expect, it } from 'vitest'
import { modelsIfPresent } from '../../../test/props/engines/models-at-hand.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import { japaneseDictionary } from '../models/catalogue.ts'
import { fetchModel } from '../models/fetch-model.ts'
import { chineseForms } from '../spoken-form/chinese-numbers.ts'
import { japaneseForms } from '../spoken-form/japanese-numbers.ts'
import { pronounceChinese } from './chinese.ts'
import { spokenFrench } from './french.ts'
import { spokenHindi } from './hindi.ts'
import { spokenItalian } from './italian.ts'
import { loadJapanese, phonemesOfKana } from './japanese.ts'
import { spokenPortuguese } from './portuguese.ts'
import { spokenSpanish } from './spanish.ts'

describe('Spanish', () => {
  it.each([
    ['Buenos días', 'bwˈenos dˈias'],
    ['¿Podría decirme su número?', 'poðɾˈia desˈiɾme su nˈumeɾo?'],
    ['guitarra, guerra, pingüino', 'ɡitˈara, ɡˈera, piŋɡwˈino'],
    ['ciudad, universidad', 'sjuðˈað, uniβeɾsiðˈað'],
    ['llamo, yo, muy, hoy', 'ʝˈamo, ʝˈo, mˈuj, ˈoɪ'],
    ['hay, seis, causa', 'ˈI, sˈAs, kˈWsa'],
    ['jueves, gente, queso', 'xwˈeβes, xˈente, kˈeso'],
  ])('%s', (words, phonemes) => expect(spokenSpanish.pronounce(words)).toBe(phonemes.normalize('NFD')))

  it.each([
    ['Son 1.234,50 €.', 'Son mil doscientos treinta y cuatro euros con cincuenta.'],
    ['el 1/3/2025 a las 10:30', 'el primero de marzo de dos mil veinticinco a las diez y media'],
    ['21 días, 100 noches', 'veintiún días, cien noches'],
    ['el 50 %', 'el cincuenta por ciento'],
    ['al 555 123 456', 'al cinco cinco cinco, uno dos tres, cuatro cinco seis'],
    ['a ana.p@correo.es', 'a ana punto p arroba correo punto es'],
    ['el Sr. Ruiz', 'el señor Ruiz'],
  ])('%s', (written, said) => expect(spokenSpanish.normalise(written)).toBe(said))
})

describe('French', () => {
  it.each([
    ['les enfants, un homme', 'lez ɑ̃fˈɑ̃, œ̃n ˈɔm'],
    ['c’est important', 'sɛt ɛ̃pɔʁtˈɑ̃'],
    ['dix heures, dix minutes', 'dˈiz ˈœʁ, dˈi minˈyt'],
    ['ils parlent souvent', 'il pˈaʁl suvˈɑ̃'],
    ['nation, question', 'nasjˈɔ̃, kɛstjˈɔ̃'],
    ['famille, travail, soleil, feuille', 'famˈij, tʁavˈaj, sɔlˈɛj, fˈœj'],
    ['manger, mangez, chien, main', 'mɑ̃ʒˈe, mɑ̃ʒˈe, ʃjˈɛ̃, mˈɛ̃'],
    ['aujourd’hui', 'oʒuʁdɥˈi'],
    ['partie, pharmacies, pluie', 'paʁtˈi, faʁmasˈi, plɥˈi'],
    ['technique, recherche, électronique', 'tɛknˈik, ʁəʃˈɛʁʃ, elɛktʁɔnˈik'],
    ['ils voyagent, ils mangent, un agent urgent', 'il vwajˈaʒ, il mˈɑ̃ʒ, œ̃n aʒˈɑ̃ yʁʒˈɑ̃'],
    ['le parking, quelques amis', 'lə paʁkˈiŋ, kˈɛlkəz amˈi'],
  ])('%s', (words, phonemes) => expect(spokenFrench.pronounce(words)).toBe(phonemes.normalize('NFD')))

  it.each([
    ['71, 80, 91 et 1 200', 'soixante et onze, quatre-vingt, quatre-vingt onze et mille deux cent'],
    ['à 10h30', 'à dix heures trente'],
    ['12,50 €', 'douze euros cinquante'],
  ])('%s', (written, said) => expect(spokenFrench.normalise(written)).toBe(said))
})

describe('Italian', () => {
  it.each([
    ['Buongiorno, la chiamo', 'bwonʤˈorno, la kjˈamo'],
    ['figlio, gnocchi, scienza, ciao', 'fˈiʎo, ɲˈokːɪ, ʃˈɛnʦa, ʧˈao'],
    ['già, ciò, più, può', 'ʤˈa, ʧˈɔ, pjˈu, pwˈɔ'],
    ['oggi, faccio, pizza, mezza', 'ˈoʤːɪ, fˈaʧːo, pˈiʦːa, mˈeʣːa'],
    ['bello, terra, posso, numeri', 'bˈɛllo, tˈerɾa, pˈoSo, nˈumerɪ'],
    ['parola, tavola, non si preoccupi', 'parˈola, tˈavola, non sɪ preˈokːʊpɪ'],
    ['il suo, due, farmacia', 'il sˈuo, dˈue, farmaʧˈia'],
    ['telefono, possibile, sabato', 'telˈefono, poSˈibile, sˈabato'],
    ['l’ordine, perché', 'lˈordine, perkˈe'],
  ])('%s', (words, phonemes) => expect(spokenItalian.pronounce(words)).toBe(phonemes.normalize('NFD')))

  it.each([
    ['21, 28, 43', 'ventuno, ventotto, quarantatré'],
    ['alle 10:30', 'alle dieci e mezza'],
    ['2.500 €', 'due mila cinquecento euro'],
  ])('%s', (written, said) => expect(spokenItalian.normalise(written)).toBe(said))
})

describe('Portuguese', () => {
  it.each([
    ['não, mãe, lições', 'nˈɐ̃ʊ̃, mˈɐ̃ɪ̃, lisˈõɪ̃s'],
    ['gente, cidade, dia', 'ʒˈAŋʧɪ, sidˈaʤɪ, ʤˈiæ'],
    ['bem, também, jovens', 'bˈAŋ, tɐ̃ŋbˈAŋ, ʒˈovAŋs'],
    ['sair, saiu, raiz, mais', 'saˈiɾ, saˈiʊ, xaˈis, mˈIs'],
    ['vou, último, e-mail', 'vˈow, ˈuwʧimʊ, i mˈAʊ'],
    ['carro, caro, trabalho, senhor', 'kˈaxʊ, kˈaɾʊ, tɾabˈaʎʊ, seɲˈoɾ'],
    ['próximo, exato, caixa', 'pɾˈɔsimʊ, ezˈatʊ, kˈIʃæ'],
    ['água, quero, guerra', 'ˈaɡwæ, kˈeɾʊ, ɡˈexæ'],
  ])('%s', (words, phonemes) => expect(spokenPortuguese.pronounce(words)).toBe(phonemes.normalize('NFD')))

  it.each([
    ['R$ 1.250,50', 'mil duzentos e cinquenta reais e cinquenta centavos'],
    ['às 14:30', 'às quatorze e meia'],
    ['em 1/12/2025', 'em primeiro de dezembro de dois mil e vinte e cinco'],
  ])('%s', (written, said) => expect(spokenPortuguese.normalise(written)).toBe(said))
})

describe('Hindi', () => {
  it.each([
    ['नमस्ते', 'nəmˈʌsteː'],
    ['लड़का, चलना, कमल, समझना', 'lˈʌɽkˌaː, cˈʌlnˌaː, kˈʌməl, sˈʌməɟʰnaː'],
    ['हिंदी, नंबर, कंपनी, दाँत', 'hˈĩdi, nˈʌmbəɾ, kˈʌmpənˌi, dˈãnt'],
    ['मैं हूँ', 'mɛ̃ hũ'],
    ['ज़रूर फ़ोन', 'zəɾˈuːɾ fˈoːn'],
    ['राम के पास', 'ɾˈaːm keː pˈaːs'],
    ['आपको, मुझे, हमारा', 'ˌaːpkˌoː, mˌʊɟʰeː, həmˌaːɾaː'],
    ['पचास, महीना, मुलाकात, जानकारी', 'pəcˈaːs, məhˈiːnaː, mˌʊlaːkˈaːt, ɟˌaːnkˈaːɾi'],
    ['बताइए, रुकिए, बहुत', 'bətˈaːɪˌeː, ɾˈʊkɪˌeː, bˈʌhʊt'],
    ['चाहती, पहले, दोपहर', 'cˈaːhətˌi, pˈʌhəlˌeː, dˈoːpəhˌəɾ'],
    ['मित्र, राज्य, शब्द, धर्म', 'mˈɪtɾə, ɾˈaːɟjə, ʃˈʌbd, dʰˈʌrm'],
    ['क्या, प्यार, बच्चा, दिल्ली', 'kːjaː, pːjˈaːɾ, bˈʌcːaː, dˈɪlli'],
    ['कृपया, ज्ञान, क्षमा, समय', 'kɾˈɪpjˌaː, ɡjˈaːn, kʃˈʌmaː, sˈʌmˌɛj'],
    ['देंगे, जाएँगे, नहीं', 'dˈẽːɡeː, ɟaːˈẽːɡeː, nˈʌhĩ'],
  ])('%s', (words, phonemes) => expect(spokenHindi.pronounce(words)).toBe(phonemes.normalize('NFD')))

  it.each([
    ['₹ 1,250 है।', 'एक हज़ार दो सौ पचास रुपये है.'],
    ['१० बजे', 'दस बजे'],
  ])('%s', (written, said) => expect(spokenHindi.normalise(written)).toBe(said))
})

describe('Chinese', () => {
  it.each([
    ['您好', 'ni↗nxau↓'],
    ['预约, 银行.', 'y↘ɥe→, i↗nxa↗ŋ.'],
    ['诊所', 'ꭧə↓nswo↓'],
  ])('%s', (words, phonemes) => expect(pronounceChinese(words)).toBe(phonemes))

  it.each([
    ['1,205 元', '一千二百零五 元'],
    ['10:30', '十点半'],
    ['您好，再见。', '您好, 再见.'],
    ['50%', '百分之 五十'],
    ['2025-03-12', '二零二五年三月十二日'],
  ])('%s', (written, said) => expect(chineseForms(written)).toBe(said))
})

describe('Japanese kana', () => {
  it.each([
    ['キョー', 'kʲoː'],
    ['シャシン', 'ɕaɕiɴ'],
    ['チェックイン', 'ʨeʔkɯiɴ'],
    ['ファイル', 'ɸaiɾɯ'],
    ['コンニチワ', 'koɲɲiʨiβa'],
    ['シンブン', 'ɕimbɯɴ'],
    ['ゲンキ', 'ɡeŋkʲi'],
    ['ゼンリョク', 'ʣenɾʲokɯ'],
  ])('%s', (kana, phonemes) => expect(phonemesOfKana(kana)).toBe(phonemes))

  it.each([
    ['１，２５０円です。', '千二百五十 円です.'],
    ['10:30に', '十時半 に'],
  ])('%s', (written, said) => expect(japaneseForms(written)).toBe(said))
})

const { folder, absent } = await modelsIfPresent(process.env.PARLEY_MODELS_DIR, japaneseDictionary)

describeUnless(absent, 'Japanese words', () => {
  it('are found without spaces, and read as they are said', async () => {
    const pronounce = await loadJapanese(await fetchModel(japaneseDictionary, { folder }))
    expect(pronounce('東京の天気は今日もいいです.')).toBe('toːkʲoːno teŋkʲiβa kʲoːmo iidesɨ.')
    expect(pronounce('電話番号, ᚠ')).toBe('deɴβa baŋɡoː,')
  })
})
