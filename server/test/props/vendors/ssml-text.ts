// What is said of a Speech Synthesis Markup document; throws if it is not well-formed.

const known = /^(speak|voice|lang|prosody|phoneme|sub|mstts:express-as|amazon:(effect|domain))$/

export function plainTextOf(ssml: string): string {
  const open: string[] = []
  let text = ''
  for (const [token, isEnd, name = '', isEmpty] of tokensOf(ssml)) {
    if (name === '') text += token
    else if (!known.test(name)) throw new Error(`there is no element ${name}`)
    else if (isEnd && open.pop() !== name) throw new Error(`${name} is not open`)
    else if (!isEnd && !isEmpty) open.push(name)
  }
  if (open.length > 0) throw new Error(`${open.join()} is not closed`)
  return text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? '')
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function* tokensOf(ssml: string): Generator<readonly [string, boolean, string | undefined, boolean]> {
  const element = /<(\/?)([a-z]+(?::[a-z-]+)?)((?:\s+[a-zA-Z:-]+=(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/g
  let at = 0
  for (const match of ssml.matchAll(element)) {
    yield [textOf(ssml.slice(at, match.index)), false, undefined, false]
    yield [match[0], match[1] === '/', match[2], match[4] === '/']
    at = match.index + match[0].length
  }
  yield [textOf(ssml.slice(at)), false, undefined, false]
}

function textOf(piece: string): string {
  if (/[<>]|&(?!(amp|lt|gt|quot|apos);)/.test(piece)) throw new Error(`this is not escaped: ${piece}`)
  return piece
}
