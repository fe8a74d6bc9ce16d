// The fields of a telephone number and of its trunk, with what each is for.
import type { StoredPhoneNumber } from '@parley/contract'
import { useAgentNames } from '../agents/agents.tsx'
import { CheckField, ChecksField, SelectField } from '../ui/forms/choice-fields.tsx'
import { headerLines, LinesField, listOfLines, NumberField, TextField } from '../ui/forms/fields.tsx'
import { Pair, Section } from '../ui/layout/section.tsx'

interface NumberFieldsProps {
  workspaceId: string
  /** The stored number. Undefined: a new one. */
  number: StoredPhoneNumber | undefined
  provider: unknown
}

export function NumberFields({ workspaceId, number, provider }: NumberFieldsProps) {
  return (
    <>
      <Section title="Number" lead="What callers dial and see.">
        {!number && (
          <Pair>
            <TextField
              path="phone_number"
              label="Telephone number"
              type="tel"
              placeholder="+4930901820"
              hint="With the country code, as in +4930901820."
              autoComplete="off"
            />
            <SelectField
              path="provider"
              label="Carried by"
              options={{ sip: 'A SIP trunk or PBX', sandbox: 'The sandbox (simulated)' }}
              hint="Twilio, Telnyx, Plivo, Vonage and Exotel are connected by their SIP trunks."
            />
          </Pair>
        )}
        <Pair>
          <TextField
            path="label"
            label="Label"
            blank={null}
            placeholder="Front desk"
            hint="Optional, for people."
          />
          <SelectField
            path="status"
            label="State"
            options={{ active: 'Active', inactive: 'Inactive' }}
            hint="An inactive number neither calls nor is answered."
          />
        </Pair>
      </Section>
      <Agents workspaceId={workspaceId} />
      {provider === 'sip' && <Trunk number={number} />}
    </>
  )
}

function Agents({ workspaceId }: { workspaceId: string }) {
  const agents = useAgentNames(workspaceId) ?? {}
  return (
    <Section title="Agents" lead="Who answers here, and who calls from here.">
      <Pair>
        <SelectField
          path="inbound_agent_id"
          label="Answered by"
          options={agents}
          none="Nobody: calls are refused"
          blank={null}
          hint="Takes the calls that come in."
        />
        <SelectField
          path="outbound_agent_id"
          label="Calls of"
          options={agents}
          none="No agent in particular"
          blank={null}
          hint="Calls from here when no number is named."
        />
      </Pair>
      <Pair>
        <NumberField
          path="max_concurrency"
          label="Calls at a time"
          unit="calls"
          min={1}
          hint="In both directions together. Empty: as many as the workspace may have."
        />
      </Pair>
    </Section>
  )
}

function Trunk({ number }: { number: StoredPhoneNumber | undefined }) {
  const stored = number?.credentials?.password
  return (
    <>
      <Section title="Trunk" lead="Where its calls are sent, and how we prove who we are.">
        <TextField
          path="credentials.host"
          label="Host"
          placeholder="sip.example.com"
          hint="A name or an address, without sip: and without a port."
          autoComplete="off"
          spellCheck={false}
        />
        <Pair>
          <NumberField
            path="credentials.port"
            label="Port"
            unit=""
            min={1}
            hint="Empty: found by DNS, else the usual one."
          />
          <SelectField
            path="credentials.transport"
            label="Transport"
            options={{ udp: 'UDP', tcp: 'TCP', tls: 'TLS (encrypted)' }}
          />
        </Pair>
        <Pair>
          <TextField
            path="credentials.username"
            label="User name"
            blank={null}
            hint="Empty: the trunk knows us by our address."
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            path="credentials.password"
            label="Password"
            type="password"
            autoComplete="new-password"
            placeholder={stored ? `Stored: ${stored}` : ''}
            hint={
              stored
                ? 'Leave empty to keep it. Another host needs it again.'
                : 'Stored encrypted. It cannot be read back.'
            }
          />
        </Pair>
        <CheckField
          path="credentials.register"
          label="Register at the trunk"
          hint="As a telephone does, so that calls to the number come to us. Needs a user name."
        />
        <TextField
          path="credentials.from_user"
          label="User in From"
          blank={null}
          hint="For trunks that want the account there. Empty: the number."
          autoComplete="off"
          spellCheck={false}
        />
        <SelectField
          path="credentials.identity_header"
          label="Our number beside From"
          options={{
            'P-Asserted-Identity': 'P-Asserted-Identity (the trunk trusts us)',
            'P-Preferred-Identity': 'P-Preferred-Identity (it checks the number)',
          }}
          hint="Sent where From has the account, or is anonymous."
        />
        <SelectField
          path="credentials.number_format"
          label="Numbers are dialled as"
          options={{
            e164: '+4930901820 (E.164)',
            digits: '4930901820 (without the plus)',
            national: '030901820 (national)',
          }}
          hint="As the trunk wants them."
        />
      </Section>
      <Section title="Sound" lead="How voices are encoded on this trunk.">
        <ChecksField
          path="credentials.codecs"
          label="Codecs"
          options={{ opus: 'Opus', G722: 'G.722 (wideband)', PCMU: 'G.711 µ-law', PCMA: 'G.711 A-law' }}
          hint="Offered in the order in which you tick them. None: all, in this order."
        />
        <SelectField
          path="credentials.srtp"
          label="Encryption of the sound"
          options={{ off: 'Never', optional: 'If the other side can', required: 'Always' }}
          hint="SRTP with keys in the signalling (SDES). Use it with TLS."
        />
        <CheckField
          path="credentials.symmetric_rtp"
          label="Sound goes to where it comes from"
          hint="Symmetric RTP, for a trunk or a PBX behind a NAT. Off: to and from the announced address only."
        />
      </Section>
      <Section title="Routing" lead="Whose calls are taken, and what is sent along.">
        <LinesField
          {...listOfLines}
          path="credentials.inbound_allow"
          label="Also accept calls from"
          rows={3}
          placeholder={'203.0.113.7\n203.0.113.0/24'}
          hint="Addresses and blocks, one per line, in addition to those of the host itself."
        />
        <SelectField
          path="credentials.caller_verification"
          label="Callers whose number nobody verified"
          options={{
            off: 'Are taken',
            refuse_failed: 'Are refused if the signature is false',
            require: 'Are always refused',
          }}
          hint="By STIR/SHAKEN. Telephones that log in here are always taken."
        />
        <LinesField
          {...listOfLines}
          path="credentials.prefixes"
          label="Preferred for numbers that begin with"
          rows={2}
          placeholder="+44"
          hint="One per line. Empty: all destinations."
        />
        <LinesField
          {...headerLines}
          path="credentials.headers"
          label="Headers of every call"
          rows={2}
          placeholder="X-Account: 4711"
          hint="Name: value, one per line. Values are stored encrypted; only their first and last characters are shown."
        />
      </Section>
    </>
  )
}
