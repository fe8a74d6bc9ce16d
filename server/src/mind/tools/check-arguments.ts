// Validates a model's arguments against the part of JSON Schema that models get wrong. The schema is untrusted as
// well, so it is walked and never compiled.

export type Schema = Readonly<Record<string, unknown>>

/** The fault as a sentence for the model, or undefined. */
export function wrongIn(schema: Schema, value: unknown, name = 'the arguments'): string | undefined {
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  if (types.length > 0 && !types.some((type) => isOf(type, value))) {
    return `${name} must be ${types.map(article).join(' or ')}.`
  }
  const allowed = schema.enum
  if (Array.isArray(allowed) && !allowed.includes(value)) {
    return `${name} must be one of ${allowed.map((word) => JSON.stringify(word)).join(', ')}.`
  }
  if (Array.isArray(value))
    return firstWrong(value, (item) => wrongIn(objectIn(schema.items), item, `each of ${name}`))
  if (isObject(value)) return missingIn(schema, value) ?? wrongProperty(schema, value)
  return undefined
}

const missingIn = (schema: Schema, value: Schema): string | undefined => {
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = required.find((name) => value[String(name)] === undefined)
  return missing === undefined ? undefined : `"${missing}" is required.`
}

const wrongProperty = (schema: Schema, value: Schema): string | undefined =>
  firstWrong(Object.entries(objectIn(schema.properties)), ([name, property]) =>
    value[name] === undefined ? undefined : wrongIn(objectIn(property), value[name], `"${name}"`),
  )

function firstWrong<Item>(
  items: readonly Item[],
  wrong: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const sentence = wrong(item)
    if (sentence) return sentence
  }
  return undefined
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectIn = (value: unknown): Schema => (isObject(value) ? value : {})

function isOf(type: string, value: unknown): boolean {
  if (type === 'object') return isObject(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'integer') return Number.isInteger(value)
  // An unknown type forbids nothing.
  return !['string', 'number', 'boolean'].includes(type) || typeof value === type
}

const article = (type: string): string => `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`
