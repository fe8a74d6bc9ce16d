// A process that works on letters until it is stopped. Run as a child with DATABASE_URL.
import pino from 'pino'
import { openClaimant } from '../../../src/platform/db/claim.ts'
import { openDb } from '../../../src/platform/db/db.ts'
import { Jobs } from '../../../src/platform/jobs/jobs.ts'
import { letterJob, tracedReading } from './letters.ts'

const connection = { connectionString: process.env.DATABASE_URL ?? '' }
const db = openDb(connection, 4, () => {})
const claimant = await openClaimant(connection, () => {})
const jobs = new Jobs({ db, log: pino({ level: 'silent' }), claimant })
await jobs.start(letterJob(tracedReading(db, 20)))
process.on('SIGTERM', async () => {
  await jobs.stop()
  await claimant.close()
  await db.close()
})
console.log('reading')
