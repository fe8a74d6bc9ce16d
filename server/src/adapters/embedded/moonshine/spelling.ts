// Moonshine has read many old books: it writes "to-morrow".
export const asWrittenToday = (text: string): string => text.replace(/\b(to)-(day|night|morrow)\b/gi, '$1$2')
