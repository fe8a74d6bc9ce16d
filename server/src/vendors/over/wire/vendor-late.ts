// A vendor that is out of time: it did not answer while somebody was waiting.

export class VendorLate extends Error {}
