// A session with the client library, run by any Node. Used with require() and with import.
module.exports = async ({ sdk, webhooks, listen }) => {
  const [url, apiKey] = process.argv.slice(2)
  const parley = new sdk.Parley({ baseUrl: `${url}/agent/v1`, apiKey })
  const { agent_id } = await parley.agents.create({ agent_name: 'Ada', llm_agent: {} })
  const { data } = await parley.agents.list({ limit: 100 })
  const refusal = await parley.agents.create({ agent_name: '', llm_agent: {} }).catch((error) => error)

  const { session_id } = await parley.calls.place({ agent_id, to_phone_number: '+15550100' })
  const events = []
  for await (const { type } of parley.calls.watch(session_id)) {
    events.push(type)
    if (type === 'status') await parley.calls.stop(session_id)
  }

  const csv = 'to_phone_number,day\n+15550100,Monday\n'
  const batch = await parley.batches.createFromCsv({ name: 'One', agent_id }, csv)

  const { secret } = await parley.webhooks.create({
    url: 'https://hooks.example.com/x',
    events: ['call.completed'],
  })
  const body = JSON.stringify({ id: 'e-1', type: 'call.completed', data: { session_id: '\u001b[2J' } })
  const headers = webhooks.signWebhook({ body, secret })
  const event = webhooks.verifyWebhook({ body, headers, secret })
  const forged = () => webhooks.verifyWebhook({ body: `${body} `, headers, secret })

  const shown = []
  const flags = { secret: [secret], host: '127.0.0.1', port: '0', full: true }
  const receiver = await listen.listen(listen.readListenFlags(flags), (text) => shown.push(text))
  const answer = await fetch(receiver.url, { method: 'POST', headers, body })
  await receiver.close()

  const speech = new sdk.SpeechToText({ baseUrl: `${url}/v1`, apiKey })
  const { secret: callbackSecret } = await speech.callbackSecret()

  process.stdout.write(
    JSON.stringify({
      node: process.version,
      listed: data.some((agent) => agent.agent_id === agent_id),
      refused: refusal instanceof sdk.ParleyError && refusal.code,
      events,
      recipients: batch.recipient_count,
      verified: event.id,
      forged: reasonOf(forged, webhooks.WebhookVerificationError),
      received: answer.status,
      escaped: shown.join('').includes('session_id �[2J'),
      callbackSecret: callbackSecret.slice(0, 6),
    }),
  )
}

function reasonOf(attempt, type) {
  try {
    attempt()
  } catch (error) {
    return error instanceof type && error.reason
  }
}
