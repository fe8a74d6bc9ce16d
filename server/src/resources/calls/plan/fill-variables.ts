// Fills the `{variables}` in an agent's prompts and messages. Where one has no value, the sentence still reads well:
//
//   Hello {name}, this is Ava.       → Hello, this is Ava.
//   {name}, are you there?           → Are you there?
//   We call you ({number}) today.    → We call you today.
//   I am calling from {company}.     → I am calling.

export type VariableValues = Readonly<Record<string, string>>
export type Fill = (text: string) => string

export const hasVariables = (text: string): boolean => placeholder.test(text)

const placeholder = /\{[^\S\n]*([A-Za-z_]\w*)[^\S\n]*\}/

export function variableFiller(values: VariableValues) {
  const missing = new Set<string>()
  /** One pass from left to right: a value that looks like a placeholder is not filled again. */
  const fill = (text: string): string => {
    let done = ''
    let rest = text
    for (let found = placeholder.exec(rest); found; found = placeholder.exec(rest)) {
      const [{ length }, name = ''] = found
      const value = Object.hasOwn(values, name) ? (values[name] ?? '') : ''
      const before = done + rest.slice(0, found.index)
      const after = rest.slice(found.index + length)
      if (value.trim() === '') {
        missing.add(name)
        const closed = closeGap(before, after)
        done = closed.before
        rest = closed.after
      } else {
        done = before + value
        rest = after
      }
    }
    return done + rest
  }
  return {
    fill,
    /** Every variable without a value found so far, once each. */
    get missing(): readonly string[] {
      return [...missing]
    },
  }
}

interface Gap {
  readonly before: string
  readonly after: string
}

const brackets: readonly (readonly [RegExp, RegExp])[] = [
  [/\([^\S\n]*$/, /^[^\S\n]*\)/],
  [/\[[^\S\n]*$/, /^[^\S\n]*\]/],
  [/"[^\S\n]*$/, /^[^\S\n]*"/],
  [/“[^\S\n]*$/, /^[^\S\n]*”/],
]

// A title without a name is removed too.
const title = /(?:^|(?<=\n)|(?<![^\S\n])[^\S\n]+)(?:mr|mrs|ms|dr|prof)\.?[^\S\n]+$/i
// Prepositions before a missing variable are removed with it if nothing follows in their clause.
const leadingWords = /(?<=\S)(?:[^\S\n]+(?:from|of|at|with|for|to|on|in|by))+[^\S\n]*$/i
const clauseEnd = /^[^\S\n]*(?:[,.;:!?)\]।。，！？]|\n|$)/
const sentenceStart = /(?:^|\n|[.!?…।。！？][^\S\n])[^\S\n]*$/

/** Tidies the text next to a variable without a value. Text further away is not touched. */
function closeGap(written: string, rest: string): Gap {
  const gap = unwrap({ before: written, after: rest })
  const { after } = gap
  // Text inside a word, a number or an address is not tidied.
  if (!/^\s/.test(after) && !clauseEnd.test(after)) return gap
  const before = gap.before.replace(title, (found) => (found.startsWith(' ') ? ' ' : ''))
  if (sentenceStart.test(before)) return { before, after: startOfSentence(after) }
  if (!clauseEnd.test(after)) return { before, after: /\s$/.test(before) ? after.trimStart() : after }
  const kept = before.replace(leadingWords, '').replace(/(?<![^\S\n])[^\S\n]+$/, '')
  const isOrphan = /[,;]$/.test(kept) && !/^[^\S\n]*[:)\]]/.test(after)
  return { before: isOrphan ? kept.slice(0, -1) : kept, after: after.replace(/^[^\S\n]+/, '') }
}

/** Removes brackets and quotation marks around nothing. */
function unwrap({ before, after }: Gap): Gap {
  const pair = brackets.find(([open, close]) => open.test(before) && close.test(after))
  if (!pair) return { before, after }
  return unwrap({ before: before.replace(pair[0], ''), after: after.replace(pair[1], '') })
}

/** Removes leading punctuation and capitalises the first letter. */
function startOfSentence(after: string): string {
  const bare = after.replace(/^[^\S\n]*[,;:.!?]*[^\S\n]*/, '')
  return bare.charAt(0).toUpperCase() + bare.slice(1)
}
