// Mends what Moonshine writes as nobody would: spellings of its training data, such as "to-morrow", and a comma twice.
export const asWrittenToday = (text: string): string =>
  text.replace(/\b(to)-(day|night|morrow)\b/gi, '$1$2').replace(/([,;:])\1+/g, '$1')
