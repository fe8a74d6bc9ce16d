// Completes the embedded PostgreSQL of an installation whose folder will be read-only; otherwise its first start does.
import { findBinaries } from '../server/src/platform/db/embedded-postgres.ts'

await findBinaries()
