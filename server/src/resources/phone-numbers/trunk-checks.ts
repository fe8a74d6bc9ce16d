// Asks the process that has the SIP line to check a trunk, over notices of the database: the interface and the command
// line are often other processes than the one that holds the line.
//
//   trunk_checks          {"ask": <id>, "trunk": <id of the number>}      to every process
//   trunk_check_answers   {"ask": <id>, "is": "checking"}                 at once, by the process with the line
//                         {"ask": <id>, "is": "checked", "check": {…}}    when the trunk has answered or not
import { type Db, type Queries, statement } from '../../platform/db/db.ts'
import { newId } from '../../platform/ids.ts'
import type { CheckTrunk, TrunkCheck, Trunks } from '../../ports/trunk.ts'

const notify = statement('SELECT pg_notify($1, $2)')
const questions = 'trunk_checks'
const answers = 'trunk_check_answers'

const tell = (db: Queries, channel: string, message: object) =>
  db.rows(notify, [channel, JSON.stringify(message)])

// A process that has the line says so at once; a busy machine takes a moment.
const hearMs = 2_000
// Longer than a trunk may take to answer: half a minute, by the timers of SIP.
const answerMs = 40_000
// A notice holds 8000 bytes.
const longestMessage = 2_000

const checkResult = (ok: boolean, message: string): TrunkCheck => ({
  ok,
  registered: null,
  optionsMs: null,
  message,
})

export const noSipLine: TrunkCheck = checkResult(
  false,
  'PARLEY_SIP_PORT is not set, so no running process of this service has a SIP line. Set it where calls run, and restart.',
)
const noAnswer: TrunkCheck = checkResult(
  false,
  'The process with the SIP line began to check the trunk and did not come to an end. Try again; its log may say more.',
)

type CheckNotice =
  | { readonly ask: string; readonly is: 'checking' }
  | { readonly ask: string; readonly is: 'checked'; readonly check: TrunkCheck }

/** For a process without the line. Each check listens for itself: they are rare. */
export const checkElsewhere =
  (db: Db): CheckTrunk =>
  async ({ id: trunk }) => {
    const ask = newId()
    const heard = Promise.withResolvers<void>()
    const checked = Promise.withResolvers<TrunkCheck>()
    const subscription = await db.listen(answers, {
      notice(text = '') {
        const answer = JSON.parse(text) as CheckNotice
        if (answer.ask !== ask) return
        heard.resolve()
        if (answer.is === 'checked') checked.resolve(answer.check)
      },
    })
    try {
      await tell(db, questions, { ask, trunk })
      if (await isLate(heard.promise, hearMs)) return noSipLine
      return (await isLate(checked.promise, answerMs)) ? noAnswer : await checked.promise
    } finally {
      await subscription.close()
    }
  }

async function isLate(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, ms, true)
  try {
    return await Promise.race([promise.then(() => false), over])
  } finally {
    clearTimeout(timer)
  }
}

/** For the process with the line. */
export const answerTrunkChecks = (
  db: Db,
  trunks: Pick<Trunks, 'all'>,
  checkTrunk: CheckTrunk,
  onError: (error: unknown) => void,
): Promise<{ close(): Promise<void> }> => {
  const answer = async (ask: string, id: string): Promise<void> => {
    await tell(db, answers, { ask, is: 'checking' })
    const trunk = (await trunks.all()).find((one) => one.id === id)
    const check = trunk
      ? await checkTrunk(trunk)
      : checkResult(false, 'The number was changed meanwhile. Try again.')
    const message = check.message.slice(0, longestMessage)
    await tell(db, answers, { ask, is: 'checked', check: { ...check, message } })
  }
  return db.listen(questions, {
    notice(text = '') {
      const { ask, trunk } = JSON.parse(text) as { ask: string; trunk: string }
      answer(ask, trunk).catch(onError)
    },
  })
}
