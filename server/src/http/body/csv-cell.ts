// One value of a CSV file that people open in a spreadsheet.

/** RFC 4180. What a spreadsheet would take for a formula becomes text; a signed number is not a formula. */
export function csvCell(value: unknown): string {
  const text = String(value ?? '')
  const tame = /^[=@+\-\t\r]/.test(text) && !/^[+-]\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}
