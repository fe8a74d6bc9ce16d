// Amounts of money in words.

/** A call costs fractions of a cent: with more digits, and "less than" what they can show. */
export function money(amount: number | null, currency: string | null, digits = 2): string {
  if (amount === null || currency === null) return '—'
  const words = (value: number) =>
    new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      minimumFractionDigits: 2,
      maximumFractionDigits: digits,
    }).format(value)
  const least = 10 ** -digits
  return amount > 0 && amount < least / 2 ? `< ${words(least)}` : words(amount)
}
