// Fills the `{placeholders}` of what an agent is told and says.

/** One pass: a value that looks like a placeholder is left as it is. One that nobody knows becomes nothing. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\s*([A-Za-z_]\w*)\s*\}/g, (_, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : '',
  )
