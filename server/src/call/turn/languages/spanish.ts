// The words of turn-taking in Spanish.
import type { TurnLanguage } from './turn-language.ts'

export const spanish: TurnLanguage = {
  stops:
    'espere, espera, espérese, espérame, un momento, un momentito, un segundo, un minuto, alto, pare, para para, ' +
    'perdone, disculpe, perdón, oiga, cállese, no no',
  backchannels:
    'mhm, mm, hm, ajá, aja, ah, oh, eh, sí, si, sip, ok, okay, vale, claro, bueno, bien, ya, ya veo, exacto, ' +
    'entiendo, de acuerdo, correcto, perfecto, muy bien, está bien, así es, órale',
  salutations: 'hola, aló, diga, dígame, bueno, sí, si, buenos días, buenas tardes, buenas noches, buenas',
  goodbyes:
    'adiós, adios, chao, chau, hasta luego, hasta pronto, hasta mañana, nos vemos, que le vaya bien, ' +
    'que tenga buen día, que tenga un buen día, buen día, cuídese',
  unfinished: {
    dangling:
      'el la los las un una unos unas lo al del de a en con por para sin sobre entre hasta desde según hacia y e o u ' +
      'pero porque que si cuando mientras aunque como donde cuyo mi mis tu tus su sus nuestro nuestra este esta estos ' +
      'estas ese esa es son era soy estoy está están fue muy más tan pues entonces eh este em mmm o sea digamos ' +
      'me te se nos le les yo hay tengo quiero quisiera necesito puedo',
    complete:
      /\b(?:qué|quién|cómo|cuánto|dónde|así|no|sí|ya|como|todo|eso|esto|ese|lo|la|los|las) (?:es|son|era|está|están|fue|hay|soy|tengo|quiero|puedo|necesito)$|\b(?:por|para|con|de|en|hay|quiero|eso|es) (?:esta|este|estos|estas|ese|esa|más)$|\b(?:nada|algo|uno|una|alguien|poco|qué|no) (?:más|como)$|\byo$/u,
    open: /\b(?:me llamo|mi (?:nombre|número|correo|dirección|teléfono) es|vivo en|el número es)$/u,
  },
  dictation: {
    ones: 'cero uno una dos tres cuatro cinco seis siete ocho nueve doble',
    pairs:
      'diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós ' +
      'veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve treinta cuarenta cincuenta ' +
      'sesenta setenta ochenta noventa',
    joins: 'y',
    wholeFigures: 9,
  },
  consent: {
    agrees:
      /^(?:(?:ah|bueno|pues|hola|eh) )*(?:s[ií]|claro|vale|ok|okay|de acuerdo|está bien|por supuesto|adelante|cómo no|desde luego|perfecto|acepto|correcto)(?![\p{L}\p{M}])/u,
    refuses:
      /(?<![\p{L}\p{M}])(?:no|nunca|jamás|prefiero que no|sin grabar|tampoco|me niego)(?![\p{L}\p{M}])/u,
    agreesAnyway:
      /(?:no hay (?:ningún )?(?:problema|inconveniente)|no me (?:importa|molesta)|sin problemas?|no pasa nada|cómo no)/u,
    stopsRecording:
      /(?:deje de grabar|no (?:me )?grabe|no quiero que (?:me )?graben?|pare la grabación|sin grabación)/u,
  },
  takesCall: {
    accepts:
      /^(?:(?:ah|bueno|hola|eh) )*(?:s[ií]|claro|vale|ok|okay|de acuerdo|por supuesto|adelante|páseme|pásemelo|pásemela|comuníqueme|lo tomo|la tomo)(?![\p{L}\p{M}])|^(?:marc[oó] |pulso )?uno$/u,
    declines:
      /(?<![\p{L}\p{M}])(?:no|ocupad[oa]|más tarde|después|en una reunión|ahora no)(?![\p{L}\p{M}])|^dos$/u,
  },
  machines: {
    screening: [
      'diga su nombre.{0,40}(?:motivo|llama)',
      '(?:indique|diga|grabe) (?:su nombre|quién (?:es|llama)).{0,40}(?:motivo|por qué|razón|asunto)',
    ],
    'out-of-service': [
      'número (?:marcado |que ha marcado |que usted marcó )?(?:no existe|está fuera de servicio|no está (?:asignado|en servicio))',
      'no (?:corresponde|pertenece) a ningún (?:cliente|abonado|número)',
    ],
    voicemail: [
      'dej(?:e|en|a|ar) (?:su|un|tu|el) (?:mensaje|recado|nombre)|después (?:de la señal|del tono)|tras (?:la señal|el tono)',
      'buzón de voz|correo de voz|contestador|grabe su mensaje|no (?:puedo|podemos) atender(?:le|te|lo)? (?:en este momento|ahora|su llamada)',
    ],
    ivr: [
      '(?:pulse|presione|marque|oprima) (?:el |la tecla )?(?:uno|dos|tres|cero|\\d|asterisco|almohadilla)',
      'para (?:espanol|español)|menú principal|todos nuestros (?:agentes|operadores|asesores)|su llamada es (?:muy )?importante|esta llamada (?:puede|podrá) ser grabada',
    ],
    'not-reachable': [
      'apagado o fuera de (?:cobertura|servicio)|no (?:está|se encuentra) disponible|intente(?:lo)? (?:más tarde|de nuevo)',
    ],
  },
  recorded:
    /(?:gracias por (?:llamar|su llamada)|ha llamado a|se ha comunicado con|horario de atención|estamos cerrados|fuera de la oficina|no estamos|le devolver(?:é|emos)|visite nuestra página)/u,
  toPerson:
    /(?:en qué (?:puedo|le puedo|podemos)|quién (?:habla|es|llama)|de parte de quién|con quién hablo)/u,
  waits:
    /(?:un (?:momento|momentito|segundo|minuto)|espere|no cuelgue|permítame|le (?:paso|comunico)|ahora (?:le|lo) (?:paso|comunico)|déjeme ver)/u,
}
