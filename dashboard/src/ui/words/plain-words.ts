// Names of fields as people read them.

/** The name of a field in words: appointment_day becomes Appointment day. */
export function plainWords(name: string): string {
  const plain = name.replaceAll('_', ' ').trim()
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}
