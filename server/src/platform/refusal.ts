// Why a command of the operator is not carried out, in words for them.
export class Refusal extends Error {}
