// The rest of the record of a call: its engines, its line, its usage, and the values that it was given.
import type { CallDetail } from '@parley/contract'
import type { ReactNode } from 'react'
import { Facts } from '../ui/layout/facts.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Table } from '../ui/lists/table.tsx'
import { ExactTime } from '../ui/words/when.tsx'
import { CallCosts } from './call-costs.tsx'

export function CallDetails({ call, notes }: { call: CallDetail; notes: readonly string[] }) {
  const given = Object.entries(call.variables)
  return (
    <div>
      {notes.length > 0 && (
        <Section title="Notes" lead="What the service noticed while the call ran.">
          <ul className="list-disc space-y-1 pl-5 wrap-anywhere">
            {notes.map((note, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: notes are only ever added
              <li key={at}>{note}</li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Engines" lead="Which engines were used, and why if not the one the agent names.">
        {call.engines.length > 0 ? <Engines call={call} /> : <Nothing>There was no conversation.</Nothing>}
      </Section>
      <Section title="Line" lead="What carried the sound, and how well.">
        <Line call={call} />
      </Section>
      {call.transfer && (
        <Section title="Transfer" lead="The last one that was tried.">
          <Facts
            facts={{
              To: call.transfer.destination ?? call.transfer.to,
              Outcome: call.transfer.outcome,
              Kind: `${call.transfer.mode}, ${call.transfer.method}`,
              Took: `${call.transfer.seconds.toFixed(1)} s`,
              ...(call.transfer.reason && { Why: call.transfer.reason }),
            }}
          />
        </Section>
      )}
      {call.cost && call.cost.parts.length > 0 ? (
        <Section title="Usage and cost" lead="By the prices at the time the call ended.">
          <CallCosts cost={call.cost} />
        </Section>
      ) : (
        call.usage && (
          <Section title="Usage" lead="How much of each engine the call used.">
            <Facts
              facts={{
                Heard: `${call.usage.stt_seconds.toFixed(1)} s`,
                'Tokens read': call.usage.llm_input_tokens.toLocaleString('en'),
                'Tokens written': call.usage.llm_output_tokens.toLocaleString('en'),
                'Characters spoken': call.usage.tts_characters.toLocaleString('en'),
              }}
            />
          </Section>
        )
      )}
      {call.listeners.length > 0 && (
        <Section title="Listeners" lead="Who listened in while the call ran.">
          <ul className="space-y-1">
            {call.listeners.map(({ listener, began_at, seconds }) => (
              <li key={`${listener} ${began_at}`}>
                {listener}, <ExactTime at={began_at} />, for {Math.round(seconds)} s
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Variables" lead="The values that the call was given.">
        {given.length > 0 ? (
          <Facts facts={Object.fromEntries(given.map(([name, value]) => [name, String(value)]))} />
        ) : (
          <Nothing>None.</Nothing>
        )}
      </Section>
      <Section title="Ids and times" lead="For support, and for your own systems.">
        <Facts
          facts={{
            'Session id': <Mono>{call.session_id}</Mono>,
            ...(call.call_sid && { 'Id of the carrier': <Mono>{call.call_sid}</Mono> }),
            ...(call.batch_id && { 'Batch id': <Mono>{call.batch_id}</Mono> }),
            ...(call.recipient_id && { Recipient: call.recipient_id }),
            Requested: <ExactTime at={call.created_at} />,
            ...(call.call_initiated_time && { Dialled: <ExactTime at={call.call_initiated_time} /> }),
            ...(call.call_completed_time && { Ended: <ExactTime at={call.call_completed_time} /> }),
          }}
        />
      </Section>
    </div>
  )
}

const parts: Record<string, string> = {
  transcriber: 'Transcriber',
  synthesizer: 'Voice',
  'language-model': 'Language model',
  analysis: 'Analysis',
}

function Engines({ call }: { call: CallDetail }) {
  return (
    <Table
      label="Engines"
      items={call.engines.map((engine, at) => ({ ...engine, at }))}
      keyOf={({ at }) => at}
      columns={[
        { head: 'Part', cell: ({ part }) => parts[part] ?? part },
        {
          head: 'Used',
          cell: ({ used, asked, why }) => (
            <div>
              <p className="font-medium">{used}</p>
              {why && (
                <p className="text-[0.8125rem] text-pretty text-muted">
                  {asked && `Asked for ${asked}. `}
                  {why}
                </p>
              )}
            </div>
          ),
        },
      ]}
    />
  )
}

function Line({ call: { line, provider } }: { call: CallDetail }) {
  const quality = line?.quality
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const sent = quality ? quality.packets_received + quality.packets_lost : 0
  return (
    <Facts
      facts={{
        Carrier: provider ?? '—',
        Codec: line?.codec ?? '—',
        ...(line?.cause && { 'Carrier’s reason': `${line.cause.code} ${line.cause.text}` }),
        ...(quality && {
          'Opinion score': `${quality.mos.toFixed(2)} of 4.5`,
          'Lost on the way to us':
            sent > 0
              ? `${quality.packets_lost} of ${sent.toLocaleString('en')} (${percent(quality.packets_lost / sent)})`
              : '—',
          'Lost on the way there': quality.far_loss === null ? 'not reported' : percent(quality.far_loss),
          Jitter: `${quality.jitter_ms.toFixed(1)} ms`,
          'Round trip':
            quality.round_trip_ms === null ? 'not reported' : `${quality.round_trip_ms.toFixed(0)} ms`,
          'Made up': `${Math.round(quality.concealed_ms)} ms`,
        }),
      }}
    />
  )
}

function Mono({ children }: { children: string }) {
  return <span className="font-mono text-xs">{children}</span>
}

function Nothing({ children }: { children: ReactNode }) {
  return <p className="text-muted">{children}</p>
}
