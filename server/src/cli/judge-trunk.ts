// What a number and a call to itself through its trunk say about the trunk: each finding names the fault and its mend.
import type { CallDetail, NumberCheck, StoredPhoneNumber } from '@parley/contract'

export interface Finding {
  readonly step: string
  readonly ok: boolean
  readonly message: string
}

const finding = (step: string, ok: boolean, message: string): Finding => ({ step, ok, message })

/** The faults that are found before anything is sent. */
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
export interface SelfCall {
  readonly out: CallDetail
  readonly back: CallDetail | undefined
  /** The SIP messages of the part that went out. */
  readonly messages: readonly { readonly direction: 'in' | 'out'; readonly text: string }[]
}

export function judgeSelfCall({ out, back, messages }: SelfCall): Finding[] {
  if (!back) return [dialled(out), finding('comes back', false, notBack(out)), ...nat(messages, false)]
  const comesBack = finding('comes back', true, 'The call came back to us.')
  const codecs = [out, back].map(({ line }) => line?.codec ?? null)
  if (!codecs[0]) return [dialled(out), comesBack, ...nat(messages, false)]
  const sound = [
    heard('heard by us', out, 'What the trunk sends does not reach us'),
    heard('heard by them', back, 'What we send does not come out at the other end'),
  ]
  return [
    dialled(out),
    comesBack,
    finding(
      'codec',
      codecs[1] !== null,
      `Out by ${codecs[0]}, back by ${codecs[1] ?? 'none: it was not answered'}.`,
    ),
    ...sound,
    ...nat(
      messages,
      sound.every(({ ok }) => ok),
    ),
  ]
}

/** The address that our INVITE came from, as the trunk wrote it into our Via, if it differs from the one we gave. */
function nat(messages: SelfCall['messages'], isHeard: boolean): Finding[] {
  const answer = messages.find(({ direction, text }) => direction === 'in' && text.startsWith('SIP/2.0 '))
  const via = /^(?:Via|v):.*$/im.exec(answer?.text ?? '')?.[0] ?? ''
  const told = /SIP\/2\.0\/\w+\s+(\[[^\]]+\]|[^\s:;]+)/.exec(via)?.[1]
  if (told === undefined) return []
  const seen = /;received=([^;,\s]+)/i.exec(via)?.[1]
  if (seen === undefined || seen === told)
    return [finding('nat', true, `The trunk sees us at ${told}, the address that we give.`)]
  const sees = `The trunk sees us at ${seen}, and we give ${told}.`
  return isHeard
    ? [finding('nat', true, `${sees} It copes with that.`)]
    : [finding('nat', false, `${sees} Set PARLEY_SIP_ADDRESS to ${seen}.`)]
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

function heard(step: string, { transcript, line }: CallDetail, fault: string): Finding {
  const lines = (transcript ?? []) as readonly { readonly role: string; readonly content: string }[]
  const words = lines.find(({ role }) => role === 'user')?.content
  if (words) return finding(step, true, `“${words.slice(0, 80)}”`)
  const packets = line?.quality?.packets_received ?? 0
  if (packets > 0)
    return finding(
      step,
      false,
      `${packets} packets of sound came, and no word in them. Look whether the agent has a welcome message.`,
    )
  return finding(
    step,
    false,
    `No sound came. ${fault}: check PARLEY_SIP_ADDRESS (the address that the trunk sees), and that PARLEY_RTP_PORTS are open for UDP.`,
  )
}
