// Who an agent is, according to its prompt.

const adjectives =
  /\b(?:friendly|helpful|polite|professional|warm|courteous|efficient|cheerful|kind|patient|ai|artificial|virtual|voice|phone|telephone|automated|digital|smart|intelligent|calm|concise|experienced|very|and)\b,?\s*/gi

export interface Identity {
  readonly name: string | undefined
  readonly role: string | undefined
  readonly company: string | undefined
}

export function readIdentity(written: string): Identity {
  const prompt = written.replace(/\*\*|__|`/g, '')
  const introduced = prompt.match(/\bYou(?: are|'re) ([^.\n]+)/)?.[1] ?? ''
  const named = introduced.match(/^(\p{Lu}[\p{Letter}'-]+)(?=[, ]|$)/u)?.[1]
  const name = named ?? prompt.match(/\b(?:[Yy]our name is|named|called) (\p{Lu}[\p{Letter}'-]+)/u)?.[1]
  const described = named ? introduced.slice(named.length).replace(/^[,\s]+/, '') : introduced
  const role = described
    .split(
      /\s*(?:,|;| who | that | which | whose | and you | answering | calling | responsible | here to )/,
    )[0]
    ?.replace(/\b(?:named|called) \p{Lu}[\p{Letter}'-]+/u, '')
    .replace(adjectives, '')
    .replace(/\s+/g, ' ')
    .replace(/^an?\s+/i, 'the ')
    .trim()
  const isRole = role && /^(?:the|from|of|at|with|working)\b/i.test(role) && role.split(' ').length > 1
  const company = prompt.match(
    /\b(?:on behalf of|(?:customers|clients|patients|members|guests|users) of|(?:phone|calls|line) (?:for|of)|restaurant|company|clinic|hotel|shop) (\p{Lu}[\p{Letter}&'-]*(?: (?:and )?(?:\p{Lu}[\p{Letter}&'-]*|[Dd]r\.))*)/u,
  )?.[1]
  return { name, role: isRole ? role : undefined, company }
}
