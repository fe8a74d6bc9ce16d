// What a process that has telephone lines knows of numbers and trunks.
export { openTelephones } from './telephones.ts'
export { answerTrunkChecks } from './trunk-checks.ts'
export { openTrunkLeases } from './trunk-leases.ts'
export { openTrunks } from './trunks.ts'
