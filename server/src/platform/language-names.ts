// Languages as people and vendors write them, English names or two- and three-letter codes, with or without a region,
// as codes of ISO 639-1.

import { BoundedMap } from './bounded-map.ts'

// The names are read when they are first needed: that takes 50 ms, which no start should wait for.
let names: Intl.DisplayNames | undefined
// Looking one up takes several microseconds, and to understand what a user has written the names of all languages are compared with it.
// A thousand hold all of ISO 639-1 and whatever else users write.
const known = new BoundedMap<string, string>(1_000)

/** The name of a language in English, or what was given if there is none. */
export function languageName(code: string): string {
  const told = known.get(code)
  if (told !== undefined) return told
  names ??= new Intl.DisplayNames('en', { type: 'language' })
  const name = names.of(code) ?? code
  known.set(code, name)
  return name
}

// All of ISO 639-1.
const codes =
  'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'

let codesByName: ReadonlyMap<string, string> | undefined
const codeNamed = (name: string): string | undefined => {
  codesByName ??= new Map(codes.split(' ').map((code) => [languageName(code).toLowerCase(), code]))
  return codesByName.get(name)
}

/** Null for an unknown language. */
export function codeOfLanguage(told: string): string | null {
  const word = told.trim().toLowerCase()
  const named = codeNamed(word)
  if (named) return named
  const [code] = word.match(/^[a-z]{2,3}(?![a-z])/) ?? []
  if (!code) return null
  // The canonical form of 'eng' is 'en'; a language without a two-letter code stays as it is.
  return code.length === 3 ? (Intl.getCanonicalLocales(code)[0] as string) : code
}
