// The words of turn-taking in Hindi, in Devanagari and Latin letters: transcribers write both, and people mix in English.
import type { TurnLanguage } from './turn-language.ts'

export const hindi: TurnLanguage = {
  stops:
    'रुको, रुकिए, रुकिये, ठहरिए, ठहरो, एक मिनट, एक सेकंड, एक सेकेंड, सुनिए, सुनो, बस, चुप, माफ़ कीजिए, नहीं नहीं, ' +
    'ruko, rukiye, rukiye zara, ek minute, ek minat, ek second, suniye, suno, bas, chup, nahi nahi, wait, stop, hold on',
  backchannels:
    'हाँ, हां, हा, जी, हाँ जी, जी हाँ, जी हां, अच्छा, ठीक, ठीक है, सही, सही है, हम्म, हूँ, ओके, बिल्कुल, समझ गया, समझ गई, ओह, ' +
    'haan, han, haa, ji, haan ji, ji haan, accha, acha, achha, theek hai, thik hai, theek, sahi, sahi hai, hmm, mhm, ' +
    'bilkul, samajh gaya, samajh gayi, ok, okay, yes, right',
  salutations:
    'हेलो, हैलो, नमस्ते, नमस्कार, हाँ, हां, जी, हाँ जी, जी बोलिए, बोलिए, कौन, hello, hallo, namaste, namaskar, haan, ji, ' +
    'haan ji, boliye, haan boliye, kaun',
  goodbyes:
    'अलविदा, नमस्ते, बाय, फिर मिलेंगे, फिर मिलते हैं, शुभ रात्रि, धन्यवाद नमस्ते, रखता हूँ, रखती हूँ, फोन रखता हूँ, ' +
    'alvida, bye, bye bye, phir milenge, phir milte hain, rakhta hoon, rakhti hoon, phone rakhta hoon, chalo bye',
  unfinished: {
    // Verbs end Hindi sentences, and postpositions never do.
    dangling:
      'का की के को से में पर ने तक और या लेकिन मगर क्योंकि कि अगर तो जब जो जिस मेरा मेरी मेरे आपका आपकी हमारा हमारी उसका ' +
      'इस उस यह वह वो एक कुछ बहुत मतलब यानी फिर उम अं मैं हम अपना अपनी अपने ' +
      'ka ki ke ko se mein me par pe ne tak aur ya lekin magar kyunki kyonki agar toh to jab jo jis mera meri mere aapka ' +
      'aapki hamara hamari uska is us yeh ye woh wo ek kuch bahut matlab yaani phir um uh main hum apna apni apne and but',
    complete:
      /(?:हो गया|ho gaya|नहीं तो|nahi to|nahi toh|हाँ तो|haan to|ये वो|बस यह|यही तो|kya ye|kya yeh|क्या यह|क्या है यह|kaun hai ye|kaun hai woh|kaun hai wo)$/u,
    open: /(?:नाम है|नंबर है|मेरा नाम|मेरा नंबर|पता है कि|mera naam|mera number|naam hai|number hai|mera naam hai|mera number hai)$/u,
  },
  dictation: {
    ones:
      'शून्य जीरो ज़ीरो एक दो तीन चार पाँच पांच छह छः छे सात आठ नौ डबल ट्रिपल वन टू थ्री फोर फाइव सिक्स सेवन एट नाइन ' +
      'zero shunya ek do teen char chaar paanch panch chhe che chah saat aath nau double triple one two three four five ' +
      'six seven eight nine oh',
    pairs: 'दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस तीस चालीस पचास साठ सत्तर अस्सी नब्बे',
    joins: '',
    wholeFigures: 10,
  },
  consent: {
    agrees:
      /^(?:(?:अरे|हेलो|हैलो|hello|are|oh) )*(?:हाँ|हां|हा|जी|ठीक(?: है)?|बिल्कुल|ज़रूर|जरूर|सही|ओके|चलेगा|haan|han|ji|theek|thik|bilkul|zaroor|zarur|ok|okay|yes|sure|chalega)(?![\p{L}\p{M}])/u,
    refuses: /(?<![\p{L}\p{M}])(?:नहीं|नही|मत|ना|मना|nahi|nahin|nahi|mat|mana|no|not)(?![\p{L}\p{M}])/u,
    agreesAnyway:
      /(?:कोई (?:बात|दिक्कत|समस्या|परेशानी|प्रॉब्लम) नहीं|koi (?:baat|dikkat|problem|pareshani) (?:nahi|nahin)|क्यों नहीं|kyun nahi|no problem)/u,
    stopsRecording: /(?:रिकॉर्ड(?:िंग)? (?:मत|बंद|न)|record(?:ing)? (?:mat|band|na)|stop (?:the )?recording)/u,
  },
  takesCall: {
    accepts:
      /^(?:(?:अरे|हेलो|हैलो|hello) )*(?:हाँ|हां|हा|जी|ठीक(?: है)?|बिल्कुल|जोड़|कनेक्ट|बात करा|haan|han|ji|theek|thik|bilkul|connect|baat kara|ok|okay|yes)(?:\p{L}|\p{M})*|^(?:एक|ek|one|1)$/u,
    declines:
      /(?<![\p{L}\p{M}])(?:नहीं|नही|व्यस्त|बाद में|मीटिंग|अभी नहीं|nahi|nahin|busy|baad mein|baad me|meeting|no)(?![\p{L}\p{M}])|^(?:दो|do|two|2)$/u,
  },
  machines: {
    screening: [
      '(?:अपना नाम|aapka naam|apna naam).{0,40}(?:कारण|वजह|क्यों|karan|vajah|kyun)',
      '(?:कौन बोल|kaun bol).{0,40}(?:क्यों|किस लिए|kyun|kis liye)',
    ],
    'out-of-service': [
      'यह नंबर (?:मौजूद|उपयोग में|सेवा में) नहीं|नंबर (?:अमान्य|गलत|मौजूद नहीं|अस्तित्व में नहीं)|yah number (?:maujood|upyog mein|seva mein) nahi',
    ],
    voicemail: [
      'बीप के बाद|संदेश छोड़|वॉइसमेल|वॉयसमेल|अपना संदेश (?:रिकॉर्ड|दें)|beep ke baad|sandesh chhod|message chhod',
    ],
    ivr: ['दबाएं|दबाएँ|दबाइए|dabaye|dabaiye|dabayein|हमारे सभी (?:प्रतिनिधि|एजेंट)|आपकी कॉल (?:हमारे लिए )?महत्वपूर्ण'],
    'not-reachable': [
      'पहुंच से बाहर|पहुँच से बाहर|स्विच ऑफ|स्विच्ड ऑफ|उपलब्ध नहीं|संपर्क नहीं हो|कुछ समय बाद (?:प्रयास|कोशिश)|pahunch se bahar|switched off|uplabdh nahi',
    ],
  },
  recorded:
    /(?:कॉल करने के लिए धन्यवाद|call karne ke liye dhanyavaad|आपने .{0,30}को कॉल किया|कार्यालय बंद|समय सुबह)/u,
  toPerson: /(?:कौन बोल|कौन है|कौन हैं|kaun bol|kaun hai|क्या मदद|kya madad|बोलिए|boliye|किससे बात|kisse baat)/u,
  waits:
    /(?:एक (?:मिनट|सेकंड|सेकेंड)|रुकिए|रुको|होल्ड|इंतज़ार|इंतजार|देखता हूँ|देखती हूँ|ek (?:minute|minat|second)|rukiye|ruko|hold|intezaar|dekhta hoon|dekhti hoon)/u,
}
