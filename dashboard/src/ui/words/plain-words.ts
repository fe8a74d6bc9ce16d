// Names of fields as people read them.

/** appointment_day becomes Appointment day. */
export function plainWords(name: string): string {
  const plain = name.replaceAll('_', ' ').trim()
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}
