// Every key of an agent's task_config, in a call: what the caller notices of one value and not of another. The title of
// a test begins with its key, by which docs/agent-fields.md finds it.
import { expect, it } from 'vitest'
import { rehearse, type Scene } from '../../test/props/call/rehearsal.ts'
import { ScriptedModel, says, wants } from '../../test/props/call/scripted-model.ts'
import { openAmbience } from '../speech/ambience.ts'

const long = 'We are open from nine in the morning until six in the evening every day'

async function answered(task: Scene['task'], scene: Omit<Scene, 'task'> = {}) {
  const call = rehearse({ task, ...scene })
  await call.answer()
  return call
}

type Call = Awaited<ReturnType<typeof answered>>

/** How long from now until then, to the second. */
async function secondsUntil(call: Call, condition: () => boolean): Promise<number> {
  const fromMs = call.nowMs
  await call.until(condition)
  return Math.round((call.nowMs - fromMs) / 1_000)
}

/** How long after the caller's last words the reply is heard. */
async function replyMs(task: Scene['task'], words: string): Promise<number> {
  const call = await answered(task, { replies: ['Sure.', 'Sure.', 'Sure.'] })
  await call.says(words)
  const fromMs = call.nowMs
  await call.until(() => call.hears('Sure.'))
  return call.nowMs - fromMs
}

/** A caller who talks for this long without a pause, in words that keep coming. */
async function talks(call: Call, seconds: number) {
  call.detector.tell('speech-start')
  for (let n = 1; n <= seconds; n++) {
    call.ears.now.push({ type: 'partial', text: `and then${' this'.repeat(n)}` })
    await call.run(1_000)
  }
}

/** At which seconds of a long story the agent acknowledges it. */
async function acknowledgedAt(task: Scene['task']): Promise<number[]> {
  const call = await answered(task)
  const beforeFrames = call.line.sent.length
  await talks(call, 16)
  const starts = call.line.sent.flatMap((sample, n, sent) => (sample !== 0 && sent[n - 1] === 0 ? [n] : []))
  return starts.map((n) => Math.round((n - beforeFrames) / 50))
}

it('task_config.optimize_latency: the reply is thought of before the turn has ended', async () => {
  const asked = async (optimize_latency: boolean) => {
    const call = await answered({ optimize_latency })
    await call.says('hello there')
    await call.run(100)
    return call.model.requests.length
  }
  expect([await asked(true), await asked(false)]).toEqual([1, 0])
})

it('task_config.hangup_after_silence: the call ends after so many seconds without words', async () => {
  const lasts = async (hangup_after_silence: number) => {
    const call = await answered({ hangup_after_silence, check_if_user_online: false })
    const seconds = await secondsUntil(call, () => call.isOver)
    return [seconds, call.outcome.hangupReason]
  }
  expect(await lasts(4)).toEqual([4, 'inactivity_timeout'])
  expect(await lasts(9)).toEqual([9, 'inactivity_timeout'])
})

it('task_config.incremental_delay: so many milliseconds more for a sentence that sounds unfinished', async () => {
  const waited = async (incremental_delay: number) => replyMs({ incremental_delay }, 'my number is')
  expect((await waited(1_200)) - (await waited(400))).toBe(800)
  expect(await replyMs({ incremental_delay: 1_200 }, 'hello there')).toBe(
    await replyMs({ incremental_delay: 400 }, 'hello there'),
  )
})

it('task_config.number_of_words_for_interruption: fewer words than this do not stop the agent', async () => {
  const silenced = async (number_of_words_for_interruption: number) => {
    const call = await answered({ number_of_words_for_interruption }, { replies: [long] })
    await call.says('when are you open')
    await call.until(() => call.hears(long))
    await call.run(500)
    call.detector.tell('speech-start')
    call.ears.now.push({ type: 'partial', text: 'and Sundays then' })
    await call.run(100)
    return call.isSilent()
  }
  expect([await silenced(3), await silenced(4), await silenced(0)]).toEqual([true, false, false])
})

it('task_config.interruption_backoff_period: who was interrupted waits so many milliseconds before the next reply', async () => {
  const back = async (interruption_backoff_period: number) => {
    const call = await answered({ interruption_backoff_period }, { replies: [long, 'Sure.', 'Sure.'] })
    await call.says('when are you open')
    await call.until(() => call.hears(long))
    await call.run(500)
    const fromMs = call.nowMs
    await call.says('and on Sundays', 200)
    await call.until(() => call.hears('Sure.'))
    return call.nowMs - fromMs
  }
  expect(await back(100)).toBeLessThan(1_500)
  expect(await back(4_000)).toBeGreaterThanOrEqual(4_000)
})

it('task_config.hangup_after_LLMCall: the model is asked after each reply whether that was all', async () => {
  const ended = async (hangup_after_LLMCall: boolean) => {
    const call = await answered({ hangup_after_LLMCall }, { replies: ['You are welcome.', 'Yes.'] })
    await call.says('thank you very much')
    await call.run(4_000)
    return call.isOver && call.outcome.hangupReason
  }
  expect([await ended(true), await ended(false)]).toEqual(['agent_hangup', false])
})

it('task_config.call_cancellation_prompt: the words of that question', async () => {
  const model = new ScriptedModel(['You are welcome.', 'No.'])
  const call = await answered(
    { hangup_after_LLMCall: true, call_cancellation_prompt: 'Has {name} paid?' },
    { parts: { model }, variables: { name: 'Ann' } },
  )
  await call.says('thank you very much')
  await call.run(4_000)
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Has Ann paid?')
})

it('task_config.end_call_tool_mode: the model is given the tool that ends the call', async () => {
  const offered = async (end_call_tool_mode: string | null) => {
    const replies = [[says('Goodbye, Ann.'), wants('end_call')]]
    const call = await answered({ end_call_tool_mode }, { replies })
    await call.says('that was all')
    await call.until(() => call.isOver)
    return call.model.requests[0]?.tools.some(({ name }) => name === 'end_call')
  }
  expect([await offered('auto'), await offered(null)]).toEqual([true, false])
})

it('task_config.call_hangup_message: said before we hang up, in the language of the agent', async () => {
  const lastWords = async (call_hangup_message: string | Record<string, string> | null) => {
    const task = { call_hangup_message, hangup_after_silence: 3, check_if_user_online: false }
    const call = await answered(task, { agent: { language: 'de-DE' } })
    await call.until(() => call.isOver)
    return call.spoken()
  }
  expect(await lastWords('Bye now.')).toEqual(['agent: Bye now.'])
  expect(await lastWords({ en: 'Bye now.', de: 'Bis bald.' })).toEqual(['agent: Bis bald.'])
  expect(await lastWords(null)).toEqual([])
})

it('task_config.backchanneling: a caller who talks for long hears that somebody listens', async () => {
  expect(await acknowledgedAt({ backchanneling: true })).not.toEqual([])
  expect(await acknowledgedAt({ backchanneling: false })).toEqual([])
})

it('task_config.backchanneling_start_delay: after so many seconds for the first time', async () => {
  const first = async (backchanneling_start_delay: number) =>
    (await acknowledgedAt({ backchanneling: true, backchanneling_start_delay }))[0]
  expect([await first(3), await first(8)]).toEqual([3, 8])
})

it('task_config.backchanneling_message_gap: and so many seconds later again', async () => {
  const task = { backchanneling: true, backchanneling_start_delay: 2 }
  expect(await acknowledgedAt({ ...task, backchanneling_message_gap: 6 })).toEqual([2, 8, 14])
  expect(await acknowledgedAt({ ...task, backchanneling_message_gap: 12 })).toEqual([2, 14])
})

/** What the caller hears while nobody speaks, once the track is loaded. */
async function background(task: Scene['task']): Promise<readonly number[]> {
  const call = await answered(task)
  await call.run(1_000)
  return call.line.sent.slice(-20)
}

it('task_config.ambient_noise: is heard while nobody speaks', async () => {
  await openAmbience('convention_hall', 8_000)
  expect((await background({ ambient_noise: true })).some((sample) => sample !== 0)).toBe(true)
  expect((await background({ ambient_noise: false })).some((sample) => sample !== 0)).toBe(false)
})

it('task_config.ambient_noise_track: which noise that is', async () => {
  const cafe = await openAmbience('cafe', 8_000)
  const heard = await background({ ambient_noise: true, ambient_noise_track: 'cafe' })
  const loop = Array.from({ length: 60 }, (_, n) => cafe(n).samples[0] ?? 0)
  expect(loop.join(' ')).toContain(heard.join(' '))
  const other = await background({ ambient_noise: true, ambient_noise_track: 'convention_hall' })
  expect(loop.join(' ')).not.toContain(other.join(' '))
})

it('task_config.call_terminate: no call lasts longer than so many seconds', async () => {
  const lasts = async (call_terminate: number) => {
    const call = await answered({ call_terminate, hangup_after_silence: 0, check_if_user_online: false })
    return [await secondsUntil(call, () => call.isOver), call.outcome.hangupReason]
  }
  expect(await lasts(7)).toEqual([7, 'max_duration_reached'])
  expect(await lasts(12)).toEqual([12, 'max_duration_reached'])
})

it('task_config.use_fillers: a model that takes its time is covered by a few words', async () => {
  const covered = async (use_fillers: boolean) => {
    const late = Promise.withResolvers<void>()
    const call = await answered({ use_fillers }, { replies: [[late.promise, says('Here it is.')]] })
    await call.says('hello there')
    await call.run(2_000)
    return call.voice.texts.includes('One moment.')
  }
  expect([await covered(true), await covered(false)]).toEqual([true, false])
})

const asksAgain = 'Hey, are you still there'

it('task_config.trigger_user_online_message_after: after so many seconds of silence the caller is asked', async () => {
  const asked = async (trigger_user_online_message_after: number) => {
    const call = await answered({ trigger_user_online_message_after })
    return secondsUntil(call, () => call.hears(asksAgain))
  }
  expect([await asked(3), await asked(8)]).toEqual([3, 8])
})

it('task_config.check_user_online_message: with these words', async () => {
  const call = await answered({ check_user_online_message: 'Hello, {name}?' }, { variables: { name: 'Ann' } })
  await call.until(() => call.hears('Hello, Ann?'))
})

it('task_config.check_if_user_online: or not at all', async () => {
  const call = await answered({ check_if_user_online: false })
  await call.until(() => call.isOver)
  expect(call.spoken()).toEqual([])
})
