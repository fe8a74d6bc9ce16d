// The form of a telephone number, and the sentence about anything else. Free of zod, so that a browser says the same as the
// server.

/** E.164: the country code without zeros before it, and at most 15 digits. */
export const telephoneNumberPattern = /^\+[1-9][0-9]{2,14}$/
export const sipAddressPattern = /^sips?:[A-Za-z0-9._~%+-]{1,64}@[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?$/

export const isCallable = (text: string): boolean =>
  telephoneNumberPattern.test(text) || sipAddressPattern.test(text)

// The sentence quotes this many characters, enough to recognize what was typed.
const mostShown = 40

const shown = (given: unknown): string => {
  const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : ''
  if (text === '') return 'Nothing'
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

export const noTelephoneNumber = (given: unknown): string =>
  `${shown(given)} is no telephone number with its country code, such as +15550100.`

/** The same check for places that accept SIP addresses as well. */
export const notCallable = (given: unknown): string =>
  /^sips?:/.test(shown(given))
    ? `${shown(given)} is no SIP address, such as sip:ada@example.com.`
    : noTelephoneNumber(given)
