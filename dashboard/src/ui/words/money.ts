// Amounts of money in words.

/** An amount in words. A call costs fractions of a cent: it is shown with more `digits`, and as "less than" the least of them. */
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
