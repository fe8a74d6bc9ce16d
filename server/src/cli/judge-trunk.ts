// What a number and a call to itself through its trunk say about the trunk: each finding names the fault and its mend.
import type { CallDetail, NumberCheck, StoredPhoneNumber } from '@parley/contract'

export interface Finding {
  readonly step: string
  readonly ok: boolean
  readonly message: string
}

const finding = (step: string, ok: boolean, message: string): Finding => ({ step, ok, message })

/** Before anything is sent. */
export function judgeNumber(number: StoredPhoneNumber): Finding[] {
  const { credentials: trunk, status, provider, inbound_agent_id: agent } = number
  if (!trunk) return [finding('number', false, `It belongs to the ${provider}, which has no trunk.`)]
  const found: Finding[] = []
  if (status === 'active')
    found.push(finding('number', true, `${number.phone_number} is active, at ${trunk.host}.`))
  else found.push(finding('number', false, 'It is inactive. Set its status to active.'))
  found.push(
    agent === null
      ? finding('agent', false, 'No agent takes its calls. Set inbound_agent_id.')
      : finding('agent', true, `Agent ${agent} takes its calls.`),
  )
  if (trunk.srtp !== 'off' && trunk.transport !== 'tls')
    found.push(
      finding(
        'srtp',
        false,
        `The keys of the sound travel readable over ${trunk.transport}. Use transport tls.`,
      ),
    )
  if (!trunk.register && trunk.inbound_allow.length === 0)
    found.push(
      finding(
        'inbound',
        true,
        'Calls are taken from the addresses of the host alone. If the carrier calls from others, add them to inbound_allow.',
      ),
    )
  return found
}

export const judgeCheck = ({ ok, message }: NumberCheck): Finding => finding('trunk', ok, message)

/** A call from the number to itself: the part that went out, and the part that came back. */
export function judgeSelfCall(out: CallDetail, back: CallDetail | undefined): Finding[] {
  if (!back) return [dialled(out), finding('comes back', false, notBack(out))]
  const codecs = [out, back].map(({ line }) => line?.codec ?? null)
  if (!codecs[0]) return [dialled(out), finding('comes back', true, 'The call came back to us.')]
  return [
    dialled(out),
    finding('comes back', true, 'The call came back to us.'),
    finding(
      'codec',
      codecs[1] !== null,
      `Out by ${codecs[0]}, back by ${codecs[1] ?? 'none: it was not answered'}.`,
    ),
    heard('heard by us', out, 'What the trunk sends does not reach us'),
    heard('heard by them', back, 'What we send does not come out at the other end'),
  ]
}

const isAnswered = ({ line }: CallDetail): boolean => (line?.codec ?? null) !== null

function dialled(out: CallDetail): Finding {
  if (isAnswered(out)) return finding('dials', true, 'The trunk took the call and it was answered.')
  const cause = out.line?.cause
  const said = cause ? ` The trunk said: ${cause.code} ${cause.text}.` : ''
  return finding('dials', false, `${out.error_message ?? `The call ended as ${out.call_status}.`}${said}`)
}

const notBack = (out: CallDetail): string =>
  isAnswered(out)
    ? 'Somebody else answered the number. At the carrier, route it to this service.'
    : 'It did not come back. At the carrier, route the number to this service, or set register; look whether a firewall lets SIP in, and whether inbound_allow has the addresses of the carrier.'

function heard(step: string, { transcript }: CallDetail, fault: string): Finding {
  const lines = (transcript ?? []) as readonly { readonly role: string; readonly content: string }[]
  const words = lines.find(({ role }) => role === 'user')?.content
  if (words) return finding(step, true, `“${words.slice(0, 80)}”`)
  return finding(
    step,
    false,
    `Nothing was heard. ${fault}: check PARLEY_SIP_ADDRESS (the address that the trunk sees), that PARLEY_RTP_PORTS are open for UDP, and that the agent has a welcome message.`,
  )
}
