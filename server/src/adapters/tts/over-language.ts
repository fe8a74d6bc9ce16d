// What vendors take as a language, from what an agent says: "en", "en-IN", "pt_BR".

const tag = /^([a-z]{2,3})(?:[-_]([a-z]{2}|[0-9]{3}))?$/i

/** As in `en`; undefined: none was given, or not as a tag. */
export const primaryLanguage = (language: string | undefined): string | undefined =>
  tag.exec(language?.trim() ?? '')?.[1]?.toLowerCase()

/** As in `en-IN`; `usual` names the region of those that come without one. */
export function languageWithRegion(
  language: string | undefined,
  usual: Readonly<Record<string, string>>,
): string | undefined {
  const primary = primaryLanguage(language)
  if (primary === undefined) return undefined
  const region = tag.exec(language?.trim() ?? '')?.[2]?.toUpperCase() ?? usual[primary]
  return region === undefined ? primary : `${primary}-${region}`
}

/** Where a language is mostly spoken, for vendors that want it with a region. */
export const usualRegions: Readonly<Record<string, string>> = {
  ...{ ar: 'XA', bn: 'IN', cs: 'CZ', da: 'DK', de: 'DE', el: 'GR', en: 'US', es: 'ES', fi: 'FI', fr: 'FR' },
  ...{ gu: 'IN', he: 'IL', hi: 'IN', hu: 'HU', id: 'ID', it: 'IT', ja: 'JP', kn: 'IN', ko: 'KR', ml: 'IN' },
  ...{ mr: 'IN', nl: 'NL', no: 'NO', nb: 'NO', pa: 'IN', pl: 'PL', pt: 'BR', ro: 'RO', ru: 'RU', sv: 'SE' },
  ...{ ta: 'IN', te: 'IN', th: 'TH', tr: 'TR', uk: 'UA', ur: 'IN', vi: 'VN' },
}
