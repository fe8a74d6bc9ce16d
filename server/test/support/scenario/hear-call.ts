// Analyses the recording of a scenario: when each side is heard, with which words, and clicks.
import { clicksMs } from '../recording/clicks.ts'
import { voiceIntervals, wordsIn } from '../recording/hear-back.ts'
import { backgroundDb, loudIntervals } from '../recording/intervals.ts'
import { readRecording } from '../recording/recording.ts'
import type { ScenarioSound } from './judge.ts'
import type { Scenario } from './scenario.ts'
import type { Fixture, PlayedCall } from './scenario-fixture.ts'

const nothing: ScenarioSound = {
  totalMs: 0,
  caller: [],
  agent: [],
  agentClicksMs: [],
  agentBackgroundDb: Number.NEGATIVE_INFINITY,
}

export async function hearCall(
  { wav }: PlayedCall,
  { hear_caller_by, hear_agent_by }: Scenario,
  fixture: Fixture,
): Promise<ScenarioSound> {
  if (!wav) return nothing
  const { rateHz, caller, agent } = readRecording(wav)
  const intervals = (samples: Int16Array, by: Scenario['hear_caller_by']) =>
    by === 'level' ? loudIntervals(samples, rateHz) : voiceIntervals(fixture.detector, samples, rateHz)
  return {
    totalMs: Math.round((agent.length * 1000) / rateHz),
    caller: await intervals(caller, hear_caller_by),
    agent: await wordsIn(fixture.transcriber, await intervals(agent, hear_agent_by), agent, rateHz),
    agentClicksMs: clicksMs(agent, rateHz),
    agentBackgroundDb: backgroundDb(agent, rateHz),
  }
}

/** A report of the call for a failed test. */
export function account({ caller, agent, totalMs }: ScenarioSound, { outcome, notes }: PlayedCall): string {
  const heard = [
    ...caller.map(({ fromMs, toMs }) => ({ fromMs, line: `${fromMs}–${toMs} caller` })),
    ...agent.map(({ fromMs, toMs, text }) => ({ fromMs, line: `${fromMs}–${toMs} agent: ${text}` })),
  ].sort((one, other) => one.fromMs - other.fromMs)
  return [
    `heard in ${totalMs} ms:`,
    ...heard.map(({ line }) => `  ${line}`),
    'transcript:',
    ...outcome.transcript.map(
      ({ role, content, startSeconds, endSeconds, interrupted }) =>
        `  ${startSeconds}–${endSeconds} ${role}${interrupted ? ' (interrupted)' : ''}: ${content}`,
    ),
    'latency:',
    ...outcome.latency.map((latency) => `  ${JSON.stringify(latency)}`),
    'notes:',
    ...notes.map((note) => `  ${note}`),
  ].join('\n')
}
