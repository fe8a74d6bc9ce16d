// The words of turn-taking in Italian.
import type { TurnLanguage } from './turn-language.ts'

export const italian: TurnLanguage = {
  stops:
    'aspetti, aspetta, un attimo, un momento, un secondo, un minuto, solo un attimo, fermo, si fermi, basta, stop, ' +
    'scusi, mi scusi, scusa, no no, stia zitto, piano',
  backchannels:
    'mhm, mm, hm, ah, oh, eh, sì, si, sì sì, ok, okay, va bene, bene, certo, esatto, giusto, capisco, ho capito, ' +
    "d'accordo, perfetto, ecco, chiaro, già, benissimo, ottimo, vero",
  salutations:
    'pronto, sì, si, salve, ciao, buongiorno, buon giorno, buonasera, buona sera, chi è, sì pronto',
  goodbyes:
    'arrivederci, arrivederla, ciao, ciao ciao, a presto, a dopo, a domani, buona giornata, buona serata, addio, ' +
    'ci sentiamo, alla prossima, buonanotte',
  unfinished: {
    dangling:
      "il lo la i gli le l un uno una un' dello della dei degli delle del al allo alla ai agli alle dal dallo dalla " +
      'dai dalle nel nello nella nei nelle sul sullo sulla sui di a da in con su per tra fra senza verso fino e ed o ' +
      'oppure ma però perché che se quando mentre come dove cui anche mio mia miei mie tuo tua suo sua suoi sue nostro ' +
      "nostra questo questa questi quel quella è sono era c'è ho abbiamo vorrei voglio posso devo molto più tanto " +
      'ehm allora cioè tipo quindi poi insomma mi ti si ci vi non',
    complete:
      /\b(?:che|chi|come|dove|quanto|cosa|così|sì|no|non lo|ce|ci|non|quale|io) (?:è|sono|era|ho|posso|devo|voglio|c'è|abbiamo)$|\b(?:di|per|con|è|voglio|come|in|a|da) (?:questo|questa|quella|più|questi)$|\b(?:anche|non|di|niente|nulla|mai|un po'?|sempre|non ne|in|grazie) (?:più|tanto|poi|allora|molto)$|\b(?:grazie tante|e poi|ma sì|anzi no|perché no|perché sì|direi di sì)$|\b(?:lo|la|li|le|ne) (?:ho|voglio|vorrei|posso|abbiamo)$|\b(?:il|è il|sono|la) (?:mio|mia|suo|sua|nostro|nostra)$/u,
    open: /\b(?:mi chiamo|(?:il mio|mio|il) (?:nome|numero|indirizzo|telefono) è|abito (?:in|a)|vorrei|la mia (?:mail|email) è)$/u,
  },
  dictation: {
    ones: 'zero uno una due tre quattro cinque sei sette otto nove doppio',
    pairs:
      'dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti ventuno ventidue ' +
      'ventitré ventiquattro venticinque ventisei ventisette ventotto ventinove trenta quaranta cinquanta sessanta ' +
      'settanta ottanta novanta',
    joins: 'e',
    wholeFigures: 9,
  },
  consent: {
    agrees:
      /^(?:(?:ah|eh|beh|pronto|salve|allora) )*(?:s[iì]|certo|va bene|ok|okay|d'accordo|certamente|prego|volentieri|accetto|faccia pure|nessun problema|bene)(?![\p{L}\p{M}])/u,
    refuses: /(?<![\p{L}\p{M}])(?:no|non|mai|preferisco di no|rifiuto|senza)(?![\p{L}\p{M}])/u,
    agreesAnyway:
      /(?:non c'è (?:nessun )?problema|nessun problema|senza problemi|non mi (?:dispiace|importa|disturba)|perché no)/u,
    stopsRecording:
      /(?:(?:smetta|smettete) di registrare|non (?:mi )?registr(?:i|are|ate)|non voglio (?:essere registrat[oa]|la registrazione)|fermi la registrazione)/u,
  },
  takesCall: {
    accepts:
      /^(?:(?:ah|eh|beh|pronto|salve) )*(?:s[iì]|certo|va bene|ok|okay|d'accordo|certamente|me (?:lo|la) passi|passi pure|la prendo|rispondo io)(?![\p{L}\p{M}])|^(?:tasto )?uno$/u,
    declines: /(?<![\p{L}\p{M}])(?:no|non|occupat[oa]|più tardi|dopo|in riunione)(?![\p{L}\p{M}])|^due$/u,
  },
  machines: {
    screening: [
      '(?:dica|pronunci|lasci) il suo nome.{0,40}(?:motivo|chiama|perché)',
      'chi (?:parla|chiama).{0,30}(?:motivo|perché|ragione)',
    ],
    'out-of-service': [
      'numero (?:selezionato |chiamato |da lei selezionato |da lei chiamato )?(?:è inesistente|non è attivo|non è più attivo|non esiste|è errato)',
    ],
    voicemail: [
      'lasci(?:are|ate|a)? (?:un|il suo|il vostro) (?:messaggio|nome)|dopo il segnale|segreteria telefonica|casella vocale',
      'non (?:posso|possiamo) rispondere|(?:vi|la) richiamer(?:ò|emo) (?:appena|al più presto)',
    ],
    ivr: [
      '(?:prema|digiti|premere|digitare|prema il tasto)(?: il)? (?:uno|due|tre|zero|\\d|asterisco|cancelletto)',
      'menu principale|tutti i nostri (?:operatori|consulenti)|la sua chiamata è (?:molto )?importante|chiamata (?:può|potrebbe) essere registrata',
    ],
    'not-reachable': [
      'non (?:è |al momento )?(?:al momento )?raggiungibile|(?:spento|non raggiungibile)|utente .{0,20}(?:chiamat\\p{L}+|selezionat\\p{L}+) non|riprovi più tardi|la preghiamo di (?:richiamare|riprovare)',
    ],
  },
  recorded:
    /(?:avete chiamato|ha chiamato|risponde la segreteria|grazie per (?:aver(?:ci)? chiamato|la chiamata)|orari(?:o)? di (?:apertura|ufficio)|siamo chiusi|fuori ufficio|la richiameremo|visiti il nostro sito)/u,
  toPerson: /(?:come posso aiutar|in cosa posso|chi parla|con chi parlo|chi è al telefono|mi dica|desidera)/u,
  waits:
    /(?:un (?:attimo|momento|secondo|minuto)|attenda|aspetti|resti in linea|rimanga in linea|(?:la|le) passo|vedo (?:subito|se)|controllo)/u,
}
