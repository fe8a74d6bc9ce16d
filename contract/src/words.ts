// The primitive types of all messages.
import { z } from 'zod'
import { arrayItems, textCharacters } from './limits.ts'

/** An id: 8-4-4-4-12 hexadecimal digits, read in lower case. The version bits are not checked. */
export const Id = z.guid().toLowerCase()

/** A text without NUL, because PostgreSQL text cannot hold it. NUL is refused while the body is read; the pattern documents it. */
export const Text = z.string().max(textCharacters).meta({ pattern: '^[^\\x00]*$' })

/** An object whose keys are the user's own. */
export const Open = z.looseObject({})

export const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(arrayItems)

const firstInstant = Date.parse('0001-01-01T00:00:00Z')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** A time with an offset. PostgreSQL accepts no year 0000 and no offset of 16 hours, and in UTC the year must still have four digits. */
function isStorable(time: string): boolean {
  const instant = Date.parse(time)
  // A text that is no time at all is reported by the check of its format.
  if (Number.isNaN(instant)) return true
  return instant >= firstInstant && instant <= lastInstant && !/^0000|[+-](1[6-9]|2\d):\d\d$/.test(time)
}

export const Timestamp = z.iso
  .datetime({ offset: true })
  .max(35)
  .refine(isStorable, 'Must be between the years 0001 and 9999, with an offset of less than 16 hours.')

/** A whole number that arrives as text in a query string. */
export const wholeNumber = (inner: z.ZodType<number>) =>
  z.preprocess((raw) => (typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw), inner)
