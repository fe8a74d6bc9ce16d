// Decides when the caller has finished: by what a turn detection says, or else by the silence and by whether the words
// sound complete.
import type { TurnRules } from '../../ports/call-plan.ts'
import type { TurnLanguageCode } from './languages/index.ts'
import { type Act, type Concern, speaking, type Turn, type TurnStep, turnStep } from './turn-state.ts'
import { answered, lastHeardMs, nothingHeard, spokenSpan, wordsOfCaller } from './utterance.ts'
import { isGoodbye, perLanguage, sameWords, wordsOf } from './word-list.ts'

// Longer than a stop inside a word; a transcriber needs half a second from here, so that it finishes with the turn.
const askFinalAfterMs = 160
// The final has arrived within this time, or the words so far are used.
const finalWithinMs = 1_800
// A short "yes" arrives only as a final. A voice without words by this time was a noise.
const noiseAfterMs = 1_500
// Some vendors have a first word only when a short sentence is over. One that has none by this time may have failed.
const wordlessMs = 1_000
// A turn detection has said so within this time of its own limit, or our own wait decides.
const detectionLateMs = 1_000
// The voice of hold music or a street never ends; it is ignored once no word has come for this long.
const endlessVoiceMs = 3_000
// A word that is going to change does so within this time.
const stableMs = 150
const aheadAfterMs = 200
// This much is enough to recognise a machine; what people say later does not count.
const mostEarlier = 400

export const askForFinal: Concern = (turn, settings) => {
  const { caller, nowMs } = turn
  const heard = caller.startMs !== null || caller.partial !== ''
  if (!heard || caller.finalAsked || caller.voice.is === 'speaking') return undefined
  // A paused agent asks at once, to learn whether it was interrupted.
  const isPaused = turn.agent.is === 'speaking' && turn.agent.sound.is === 'paused'
  if (!isPaused && nowMs - lastHeardMs(caller) < silenceBeforeAsking(turn, settings)) return undefined
  return turnStep({ ...turn, caller: { ...caller, finalAsked: true } }, { do: 'ask-final' })
}

/** A final that we ask for ends the turn for a turn detection as well: only where nobody waits for what it says. */
function silenceBeforeAsking(
  { detection, caller, answerer }: Turn,
  { finalAfterMs = 0, endpointingMs }: TurnRules,
): number {
  const isOurs =
    detection === null || answerer.awaits !== null || caller.keys.pressed !== '' || caller.isTyped
  if (isOurs) return Math.max(askFinalAfterMs, Math.min(finalAfterMs, endpointingMs))
  return isBeingJudged({ detection, caller })
    ? detection.longestSilenceMs
    : Math.min(detection.longestSilenceMs, wordlessMs)
}

type Verdict = 'open' | 'noise' | 'ahead' | 'done'

/** Judges the caller's side only. */
export function judgeTurn(turn: Turn, rules: TurnRules): Verdict {
  const { caller, nowMs } = turn
  const { keys } = caller
  if (keys.pressed !== '')
    return keys.areComplete || nowMs - keys.atMs >= rules.keys.pauseMs ? 'done' : 'open'
  if (caller.isTyped) return 'done'
  const words = wordsOfCaller(caller)
  if (words === '') return caller.startMs !== null && silenceMs(turn) >= noiseAfterMs ? 'noise' : 'open'
  // A voice that began since is not part of what was judged.
  if (caller.end === 'certain' && !caller.wordsDue) return 'done'
  const bySilence = judgeSilence(turn, words, rules)
  if (bySilence === 'done') return 'done'
  if (caller.end === 'likely') return 'ahead'
  return turn.detection?.isEager && isBeingJudged(turn) ? 'open' : bySilence
}

const silenceMs = ({ caller, nowMs }: Turn): number =>
  caller.voice.is === 'speaking' ? 0 : nowMs - lastHeardMs(caller)

/** Whether a turn detection is still to say something: it does so at the latest with the final. */
const isBeingJudged = ({ detection, caller }: Pick<Turn, 'detection' | 'caller'>): boolean =>
  detection !== null && caller.partial !== ''

function judgeSilence(turn: Turn, words: string, rules: TurnRules): Verdict {
  const { caller, nowMs, language, detection } = turn
  const detectionMs = detection && isBeingJudged(turn) ? detection.longestSilenceMs + detectionLateMs : 0
  if (caller.voice.is === 'speaking') {
    const unchangedMs = nowMs - Math.max(caller.wordsMs, caller.voice.sinceMs)
    return unchangedMs >= Math.max(endlessVoiceMs, detectionMs) ? 'done' : 'open'
  }
  const quietMs = silenceMs(turn)
  const certain = caller.partial === '' && !caller.wordsDue
  const unfinished = looksUnfinished(words, language)
  const neededMs = Math.max(rules.endpointingMs + (unfinished ? rules.unfinishedMs : 0), detectionMs)
  if (quietMs >= neededMs && (certain || quietMs >= finalWithinMs)) return 'done'
  const stable = certain || nowMs - caller.wordsMs >= stableMs
  return stable && quietMs >= (unfinished ? rules.endpointingMs : aheadAfterMs) ? 'ahead' : 'open'
}

/** Discards a reply made ahead to words that have changed since. */
export const dropOutdated: Concern = (turn) => {
  const { agent, caller } = turn
  if (agent.is !== 'preparing' || sameWords(agent.words, wordsOfCaller(caller))) return undefined
  return turnStep({ ...turn, agent: { is: 'listening' } }, { do: 'discard', generation: agent.generation })
}

/** Gives the turn to the agent, or lets it prepare a reply ahead. */
export const endOfTurn: Concern = (turn, rules) => {
  const { caller, agent, nowMs } = turn
  if (agent.is === 'speaking') return undefined
  switch (judgeTurn(turn, rules)) {
    case 'open':
      return undefined
    case 'noise':
      return turnStep({
        ...turn,
        caller: { ...nothingHeard, voice: caller.voice, wordless: spokenSpan(caller) },
      })
    case 'ahead':
      return rules.thinkAhead && agent.is === 'listening' ? thinkAhead(turn) : undefined
    case 'done':
      return nowMs < turn.backoffUntilMs ? undefined : take(turn)
  }
}

function thinkAhead(turn: Turn): TurnStep {
  const words = wordsOfCaller(turn.caller)
  const generation = turn.generation + 1
  const agent = { is: 'preparing', generation, words, failed: false } as const
  return turnStep({ ...turn, generation, agent }, { do: 'think', generation, words, ahead: true })
}

function take(turn: Turn): TurnStep {
  const { caller, agent, nowMs } = turn
  const words = wordsOfCaller(caller)
  const { startMs, endMs } = spokenSpan(caller)
  const ready = agent.is === 'preparing' && !agent.failed
  const generation = ready ? agent.generation : turn.generation + 1
  const acts: readonly Act[] = [
    // Else the words of this turn would be the beginning of the next one.
    ...(isBeingJudged(turn) && !caller.finalAsked ? [{ do: 'ask-final' } as const] : []),
    { do: 'hear', generation, words, startMs, endMs, wordsMs: caller.wordsMs },
    ...(agent.is === 'preparing' && agent.failed
      ? [{ do: 'discard', generation: agent.generation } as const]
      : []),
    ready ? { do: 'confirm', generation } : { do: 'think', generation, words, ahead: false },
  ]
  const after = {
    ...turn,
    generation: Math.max(generation, turn.generation),
    caller: answered(caller, nowMs),
    turnsTaken: turn.turnsTaken + 1,
    hasParted: isGoodbye(words, turn.language),
    answerer: { ...turn.answerer, earlier: `${turn.answerer.earlier} ${words}`.trim().slice(0, mostEarlier) },
    agent: speaking('reply', generation, nowMs),
  }
  return turnStep(after, ...acts)
}

const listed = (words: string): ReadonlySet<string> => new Set(words.split(' ').filter(Boolean))

const rules = perLanguage(({ unfinished: { dangling, complete, open }, dictation }) => ({
  dangling: listed(dangling),
  complete,
  open,
  ones: listed(dictation.ones),
  pairs: listed(dictation.pairs),
  joins: listed(dictation.joins),
  wholeFigures: dictation.wholeFigures,
}))

type Rules = (typeof rules)[TurnLanguageCode]

// One or two figures are an answer ("two", "it's 42"); three in a row are the beginning of a number.
const beginsNumber = 3

const figuresIn = (word: string, { ones, pairs }: Rules): number => {
  if (/^\p{Nd}+$/u.test(word)) return word.length
  if (pairs.has(word)) return 2
  return ones.has(word) ? 1 : 0
}

/** How many dictated figures end the text. */
function trailingFigures(words: readonly string[], own: Rules): number {
  let figures = 0
  let later: 'one' | 'join' | undefined
  for (const word of words.toReversed()) {
    const count = figuresIn(word, own)
    if (count === 0 && !(own.joins.has(word) && later === 'one')) break
    // "treinta y cuatro": the figure before belongs to the pair.
    const isPair = own.pairs.has(word)
    figures += isPair && later !== undefined ? count - 1 : count
    if (count === 0) later = 'join'
    else later = !isPair && count === 1 ? 'one' : undefined
  }
  return figures
}

export function looksUnfinished(text: string, language: TurnLanguageCode): boolean {
  const words = wordsOf(text)
  const last = words.at(-1)
  if (last === undefined) return false
  const trimmed = text.trim()
  // The transcriber itself wrote a comma, a dash or an ellipsis.
  if (/(?:,|-|–|—|:|\.\.\.|…|、|，)$/.test(trimmed)) return true
  const own = rules[language]
  const figures = trailingFigures(words, own)
  if (figures > 0) return figures >= beginsNumber && figures < own.wholeFigures
  if (/[?!？！]$/.test(trimmed)) return false
  const plain = words.join(' ')
  if (own.open?.test(plain)) return true
  return own.dangling.has(last) && !own.complete?.test(plain)
}
