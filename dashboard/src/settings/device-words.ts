// What a browser calls itself, in words for people.

// The order counts, because several browsers also name others.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/Firefox\/|FxiOS/, 'Firefox'],
  [/Chrom(e|ium)\/|CriOS/, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

const first = (from: typeof browsers, text: string) => from.find(([pattern]) => pattern.test(text))?.[1]

export function deviceWords(device: string | null): string {
  if (!device) return 'Unknown device'
  const browser = first(browsers, device)
  const system = first(systems, device)
  if (!browser) return device.split(' ', 1)[0] ?? device
  return system ? `${browser} on ${system}` : browser
}
