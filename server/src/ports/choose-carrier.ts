// The choice of the carrier that dials a number, or why none does: made when a call is created, and when it is dialled.

export interface DialRequest {
  /** A number in E.164 form, or a SIP address. */
  readonly to: string | null
  readonly from: string | null
  /** The telephone number of ours that the call goes out from; null: none is set. */
  readonly number: { readonly id: string; readonly provider: string } | null
  /** The carrier that the call was created for; null: it is being created. */
  readonly provider: string | null
}

export type DialDecision =
  | { readonly is: 'dialled'; readonly by: string }
  /** The refusal in sentences, with what to do about it. */
  | { readonly is: 'refused'; readonly reason: string }

export type ChooseCarrier = (call: DialRequest) => DialDecision
