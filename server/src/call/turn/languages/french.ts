// The words of turn-taking in French.
import type { TurnLanguage } from './turn-language.ts'

export const french: TurnLanguage = {
  stops:
    'attendez, attends, arrêtez, stop, un instant, une seconde, une minute, un moment, deux secondes, pardon, ' +
    'excusez moi, taisez vous, non non, minute',
  backchannels:
    "mhm, mm, hm, hum, ah, oh, euh, oui, ouais, ok, okay, d'accord, bien, très bien, bon, voilà, exact, entendu, " +
    "je vois, c'est ça, ça va, parfait, bien sûr, tout à fait, compris",
  salutations: 'allô, allo, bonjour, bonsoir, salut, oui, oui allô, bonjour oui',
  goodbyes:
    'au revoir, à bientôt, à plus, à plus tard, à demain, bonne journée, bonne soirée, salut, bonne fin de journée, ' +
    'adieu, bonne continuation',
  unfinished: {
    dangling:
      "le la les l un une des du de d au aux à en dans avec pour par sans sur sous entre chez vers depuis jusque jusqu'à " +
      'et ou mais donc car parce que qu quand si comme lorsque puisque qui dont où mon ma mes ton ta tes son sa ses ' +
      "notre nos votre vos leur leurs ce cet cette ces est sont était c'est j'ai je j tu il elle on nous vous ils " +
      "elles ne n me m te t se s très plus trop assez euh heu hum ben bah enfin alors puis ensuite genre c'était " +
      'suis ai voudrais veux peux dois faut parce',
    complete:
      /\b(?:c'est|là|chez|avec|pour|et|de|à|est|sans|moi et|comme) (?:vous|nous|elle|elles|moi|toi)$|\b(?:où|qui|que|quel|quelle|comment|ça) (?:est|sont|était|suis|ai|peux|veux|dois|faut)$|\b(?:comme ça|ça y est|en plus|de plus|non plus|pas plus|et alors|d'en plus)$|\b(?:oui|non|si|que|là|en) (?:je|j'en) (?:suis|veux|peux|dois|ai)$|\b(?:j'en|je le|je la|je les|on en|il en|je l|je vous) (?:veux|ai|peux|dois|voudrais|suis)$|-(?:vous|nous|il|elle|on|je|tu)$|\b(?:allez|avez|êtes|pouvez|voulez|savez|faites) vous$/u,
    open: /\b(?:je m'appelle|mon (?:nom|numéro|adresse|prénom|mail|code) (?:c'est|est)|j'habite|je voudrais)$/u,
  },
  dictation: {
    ones: 'zéro un une deux trois quatre cinq six sept huit neuf double',
    pairs:
      'dix onze douze treize quatorze quinze seize vingt vingts trente quarante cinquante soixante septante huitante ' +
      'octante nonante',
    joins: 'et',
    wholeFigures: 10,
  },
  consent: {
    agrees:
      /^(?:(?:ah|euh|bon|ben|bonjour|allô) )*(?:oui|ouais|d'accord|ok|okay|bien sûr|volontiers|entendu|allez y|pas de souci|si vous voulez|tout à fait|j'accepte|ça me va)(?![\p{L}\p{M}])/u,
    refuses: /(?<![\p{L}\p{M}'])(?:non|pas|jamais|je refuse|sans enregistre\p{L}*)(?![\p{L}\p{M}])/u,
    agreesAnyway:
      /(?:pas de (?:problème|souci)|aucun (?:problème|souci)|ça ne me (?:dérange|gêne) pas|ça me (?:dérange|gêne) pas|pourquoi pas|sans problème)/u,
    stopsRecording:
      /(?:arrêtez (?:l'enregistrement|d'enregistrer|de m'enregistrer)|ne m'enregistrez pas|(?:je ne veux|veux) pas être enregistrée?)/u,
  },
  takesCall: {
    accepts:
      /^(?:(?:ah|euh|bon|allô|bonjour) )*(?:oui|ouais|d'accord|ok|okay|bien sûr|volontiers|allez y|passez|je (?:le|la) prends|je prends)(?![\p{L}\p{M}])|^(?:touche )?un$/u,
    declines:
      /(?<![\p{L}\p{M}])(?:non|pas maintenant|occupée?|plus tard|en réunion|pas disponible)(?![\p{L}\p{M}])|^deux$/u,
  },
  machines: {
    screening: [
      '(?:dites|indiquez|donnez) votre nom.{0,40}(?:raison|motif|appel|objet)',
      '(?:qui vous êtes|qui appelle).{0,30}(?:pourquoi|motif|raison)',
    ],
    'out-of-service': [
      "numéro (?:que vous avez (?:demandé|composé) |composé |demandé )?n'est (?:pas|plus) (?:attribué|en service|valide)",
      'numéro (?:que vous avez composé )?(?:est inconnu|est incorrect)',
    ],
    voicemail: [
      'laisse[zr](?: moi| nous)? (?:un|votre|vos) (?:message|nom|coordonnées)|après le (?:bip|signal|top)',
      'messagerie|répondeur|boîte vocale|je ne (?:peux|suis) pas (?:vous répondre|disponible|joignable)|je vous rappelle(?:rai)? (?:dès|au plus)',
    ],
    ivr: [
      '(?:tapez|appuyez sur|faites)(?: le| la touche)? (?:un|deux|trois|zéro|\\d|étoile|dièse)',
      'menu principal|tous nos (?:conseillers|agents|opérateurs)|votre appel (?:est important|peut être enregistré|va être)',
    ],
    'not-reachable': [
      "n'est pas (?:joignable|disponible)|est (?:actuellement )?(?:injoignable|indisponible)|veuillez (?:rappeler|renouveler) (?:votre appel )?(?:plus tard|ultérieurement)",
    ],
  },
  recorded:
    /(?:vous êtes bien (?:chez|au|sur)|merci de votre appel|merci d'avoir appelé|horaires d'ouverture|nous sommes (?:fermés|absents)|actuellement (?:absent|fermé)|nous vous rappellerons|je vous rappellerai|consultez notre site)/u,
  toPerson:
    /(?:que puis je|comment puis je|je vous écoute|qui est à l'appareil|c'est de la part de qui|qui êtes vous|à qui ai je)/u,
  waits:
    /(?:un (?:instant|moment)|une (?:seconde|minute)|patientez|ne quittez pas|attendez|je vous (?:passe|mets)|je (?:regarde|vérifie|vais voir))/u,
}
