// One value of a model's answer, checked against the type that was asked for.

const longestValueChars = 4_000

export type ValueType = 'number' | 'boolean' | 'date' | 'text'

/** The type that the agent's own word for it means. */
export function typeOf(written: string): ValueType {
  const type = written.toLowerCase()
  if (/^(?:num|int|float|double|decimal|amount|currency|count|rating)/.test(type)) return 'number'
  if (/^(?:bool|yes)/.test(type)) return 'boolean'
  return type === 'date' ? 'date' : 'text'
}

export type TypedAnswer = { readonly value: unknown } | { readonly fault: string }

/**
 * Checks a value. Models write numbers as `"12.50"` and booleans as `"yes"`, so these are accepted; anything else of
 * another type is a fault.
 */
export function typed(written: string, value: unknown): TypedAnswer {
  if (value === undefined || value === null || value === '') return { value: null }
  switch (typeOf(written)) {
    case 'number': {
      const number = Number(typeof value === 'string' ? value.replace(/[$€£₹,\s]/g, '') : value)
      return Number.isFinite(number) && typeof value !== 'boolean'
        ? { value: number }
        : wrong(value, 'a number')
    }
    case 'boolean': {
      const truth = truthOf(value)
      return truth === undefined ? wrong(value, 'true or false') : { value: truth }
    }
    case 'date': {
      const day = /^\d{4}-\d\d-\d\d/.exec(String(value))?.[0]
      return day && !Number.isNaN(Date.parse(day)) ? { value: day } : wrong(value, 'a date as YYYY-MM-DD')
    }
    case 'text': {
      if (typeof value !== 'object') return { value: String(value).slice(0, longestValueChars) }
      return JSON.stringify(value).length <= longestValueChars ? { value } : wrong('too long', 'a short text')
    }
  }
}

function wrong(value: unknown, wanted: string): TypedAnswer {
  const shown = JSON.stringify(value)?.slice(0, 60) ?? String(value)
  return { fault: `is ${shown} and must be ${wanted} or null` }
}

export function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const word = String(value).trim().toLowerCase()
  if (/^(?:yes|true)$/.test(word)) return true
  return /^(?:no|false)$/.test(word) ? false : undefined
}
