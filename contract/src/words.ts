// The primitive types of all messages.
import { z } from 'zod'
import { arrayItems, textCharacters } from './limits.ts'

/** Any 8-4-4-4-12 hexadecimal id. The version bits are not checked. */
export const Id = z.guid()

/** No NUL, because PostgreSQL text cannot hold it. It is refused while the body is read; the pattern documents it. */
export const Text = z.string().max(textCharacters).meta({ pattern: '^[^\\x00]*$' })

/** An object whose keys are the user's own. */
export const Open = z.looseObject({})

export const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(arrayItems)

export const Timestamp = z.iso.datetime({ offset: true }).max(35)

/** A whole number that arrives as text in a query string. */
export const wholeNumber = (inner: z.ZodType<number>) =>
  z.preprocess((raw) => (typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw), inner)
