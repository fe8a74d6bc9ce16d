// The carriers that exist. The server has a folder for each; a name without one does not compile.
import { z } from 'zod'

export const CarrierName = z.enum(['sandbox', 'browser', 'sip'])
export type CarrierName = z.infer<typeof CarrierName>
