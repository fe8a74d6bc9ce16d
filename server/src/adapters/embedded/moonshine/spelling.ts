// Modernises spellings from Moonshine's training data, such as "to-morrow".
export const asWrittenToday = (text: string): string => text.replace(/\b(to)-(day|night|morrow)\b/gi, '$1$2')
