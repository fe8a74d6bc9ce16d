// The kinds of personal data that can be found in what people say, and what is written in their place.

export const personalDataKinds = [
  'card_number',
  'email',
  'phone',
  'iban',
  'date_of_birth',
  'national_id',
] as const

export type PersonalDataKind = (typeof personalDataKinds)[number]

export const placeholders: Readonly<Record<PersonalDataKind, string>> = {
  card_number: '[card number]',
  email: '[e-mail]',
  phone: '[phone number]',
  iban: '[IBAN]',
  date_of_birth: '[date of birth]',
  national_id: '[ID number]',
}

/** Words after which the next digits, letters or dates are of this kind. */
export const topics: Readonly<Record<PersonalDataKind, RegExp>> = {
  card_number:
    /\b(?:(?:credit|debit|bank|payment) ?cards?|cards? (?:number|digits|details)|(?:number|digits) (?:of|on|from) (?:the|your|my) card|(?:my|your) card|visa|master ?card|amex|american express|security code|cvv|cvc|expir(?:y|ation)|kreditkarten?|kartennummer|tarjeta|carte (?:bancaire|de crédit)|carta di credito|cartão)\b/i,
  email: /\be-?mail\b|\bcorreo\b|\bcourriel\b/i,
  phone:
    /\b(?:(?:tele)?phone|mobile|cell(?:ular)?|callback|contact) ?(?:number)?\b|\breach you\b|\bcall you back\b|\b(?:telefon|handy|rückruf)\w*|\bteléfono\b|\btéléphone\b|\btelefono\b|\btelefone\b/i,
  iban: /\biban\b|\b(?:bank )?account number\b|\bkontonummer\b/i,
  date_of_birth:
    /\b(?:date of birth|birth ?date|birthday|born|d\.? ?o\.? ?b\.?|geburtsdatum|geboren|fecha de nacimiento|date de naissance|data di nascita|data de nascimento)\b/i,
  national_id:
    /\b(?:social security|s\.? ?s\.? ?n\.?|national insurance|tax(?:payer)? (?:id|number|identification)|passport|identity card|id (?:card|number)|driver'?s? licen[cs]e|aadhaar|sozialversicherungsnummer|steuer(?:nummer|-?id)|reisepass|pasaporte|numéro de sécurité sociale|codice fiscale)\b/i,
}
