// Passwords: scrypt with a salt each, compared in constant time.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

// A guess costs 16 MB and about 50 ms: expensive for a thief of the table, cheap for a login.
const cost: ScryptOptions = { N: 16_384, r: 8, p: 1 }
const keyBytes = 32

const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )

/** scrypt$salt$key */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return `scrypt$${salt.toString('base64')}$${(await derive(password, salt)).toString('base64')}`
}

// Verified against when the user does not exist, so that the response takes equally long.
const nobody = `scrypt$${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(keyBytes).toString('base64')}`

export async function checkPassword(password: string, stored = nobody): Promise<boolean> {
  const [, salt = '', key = ''] = stored.split('$')
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64')), Buffer.from(key, 'base64'))
}
