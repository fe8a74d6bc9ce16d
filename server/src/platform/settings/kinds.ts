// Kinds of settings: how each is written in the environment, and what is said of one that does not fit.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'

export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `at least ${min}`).max(max, `at most ${max}`))

export const seconds = () =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'a number of seconds')
    .transform(Number)

export const minutes = () =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'a number of minutes')
    .transform(Number)
    // A timer cannot be set for more than 24 days.
    .pipe(z.number().max(30_000, 'at most 30000'))

export const wordList = () =>
  z.string().transform((words) =>
    words
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  )

export const headerList = () =>
  wordList()
    .pipe(z.array(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+=/, 'a comma-separated list of name=value')))
    .transform((pairs) =>
      Object.fromEntries(
        pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
      ),
    )

export const flag = () => z.enum(['true', 'false'], 'true or false').transform((word) => word === 'true')

export const whichProxies = 'true, false, a number of proxies, or a comma-separated list of their addresses'
export const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** How many proxies, or which. */
export const proxies = () =>
  z.union(
    [
      flag().transform((isTrue) => (isTrue ? 1 : (false as const))),
      whole(0, 100),
      wordList().pipe(z.array(network).min(1, whichProxies)),
    ],
    whichProxies,
  )

/** An address of one host: the client does not know which of several is the primary; HAProxy does. */
export const postgresUrl = () =>
  z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'an address that begins with postgres:// or postgresql://')
    .refine(
      (url) => !/^[^/]+\/\/([^@/]*@)?[^/?]*,/.test(url),
      'an address with one host; HAProxy in front of several finds the primary (docs/operations/database.md)',
    )

export const path = () => z.string().transform((file) => resolve(file))

export const portRange = () =>
  z
    .string()
    .regex(/^\d{1,5}-\d{1,5}$/, 'a range of ports, as in 10000-19999')
    .transform((range) => {
      const [from = 0, to = 0] = range.split('-').map(Number)
      return { from, to }
    })
    .refine(
      ({ from, to }) => from >= 1_024 && to <= 65_535 && to > from,
      'a range of at least two ports between 1024 and 65535',
    )

/** An IP address, with a port or without: 10.0.0.5:5060, [fd00::5]:5060. */
export const hostAndPort = () =>
  z
    .string()
    .transform((text) => /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text))
    .transform((found) => ({ address: found?.[1] ?? found?.[2] ?? '', port: Number(found?.[3] ?? 5_060) }))
    .refine(
      ({ address, port }) => isIP(address) !== 0 && port > 0 && port <= 65_535,
      'an IP address and a port, as in 10.0.0.5:5060',
    )

/** Must be valid in an HTTP header: visible ASCII, no spaces. */
export const key = () =>
  z.string().regex(/^[\x21-\x7e]{8,256}$/, 'at least 8 visible characters without spaces')

export const roles = ['api', 'worker', 'media', 'speech'] as const

export const roleList = z
  .string()
  .transform((words) => words.split(',').map((word) => word.trim()))
  .pipe(z.array(z.enum(roles, `a comma-separated list of ${roles.join(', ')}`)).min(1))

/** A setting with a default, written as in the environment. */
export const set = <Schema extends z.ZodType>(schema: Schema, preset: string, about: string) => ({
  schema: schema.prefault(preset as z.input<Schema>),
  preset,
  about,
})

/** An optional setting. */
export const free = <Schema extends z.ZodType>(schema: Schema, about: string) => ({
  schema: schema.optional(),
  preset: undefined,
  about,
})

/** A list of names in a description. */
export const inCode = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** Visible characters: it is sent in a header. */
export const vendorKey = () => z.string().regex(/^[\x21-\x7e]+$/, 'visible characters without spaces')
