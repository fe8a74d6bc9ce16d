// Which carrier dials a number. Pure: the numbers and trunks of a workspace are arguments.
import type { CarrierName } from '@parley/contract'

export interface DialRequest {
  readonly to: string | null
  readonly from: string | null
}

export type ChooseCarrier = (call: DialRequest) => string

/** No trunk can be configured yet, so every number is simulated. */
export const chooseCarrier = (_call: DialRequest): CarrierName => 'sandbox'
