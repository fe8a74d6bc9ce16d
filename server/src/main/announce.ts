// The message that the terminal shows when the service is up.
import { relative } from 'node:path'
import { mountPaths } from '@parley/contract'
import { kokoroVoiceNames } from '../engines/kokoro/languages.ts'
import { pickVoice } from '../engines/voice/voice-names.ts'
import { wrenVoiceNames } from '../engines/wren/voices.ts'
import { operatorModels } from '../mind/model/choose-server.ts'
import type { Config } from '../platform/config.ts'
import { addressOf } from './listen.ts'
import type { Service } from './service.ts'

export function announcement(
  { port, firstRun, signInToken, telephoneAddress }: Service,
  config: Config,
): string {
  const { host, dataDir, roles } = config
  const base = addressOf(host, port)
  const lines = ['', 'Parley is ready.', '']
  const runsCalls = roles.includes('media')
  if (roles.includes('api')) {
    lines.push(`  Voice AI API    ${base}${mountPaths.voice}`)
    lines.push(`  Documentation   ${base}/docs`)
    lines.push(`  Dashboard       ${base}/dashboard/`)
    lines.push(runsCalls ? `  Talk to it      ${base}/talk` : `  Calls           ${elsewhere}`)
  }
  if (runsCalls) {
    lines.push(`  Answers by      ${mindOf(config)}`)
    lines.push(`  Calls reach     ${reachOf[config.sandbox]}`)
    lines.push(`  Speaks as       ${voiceOf(config)}`)
  }
  if (telephoneAddress)
    lines.push(
      `  Telephones      ${telephoneAddress}   from ${config.sip?.allow.join(', ') || 'trunks only'}`,
    )
  if (roles.includes('speech')) lines.push(`  Speech-to-text  ${base}${mountPaths.transcripts}`)
  if (!roles.includes('api')) lines.push(`  Health          ${base}/healthz   (roles: ${roles.join(', ')})`)
  if (firstRun) {
    if (signInToken && roles.includes('api'))
      lines.push(
        '',
        `Begin here: this link signs you in, once, within 15 minutes.${runsCalls ? ' Speak.' : ''}`,
        '',
        `  ${base}/talk#sign-in=${signInToken}`,
      )
    const file = `${relative(process.cwd(), dataDir) || '.'}/first-run.json`
    lines.push('', `First start. Shown once, and kept in ${file}, which only you can read:`, '')
    lines.push(`  Workspace       ${firstRun.workspace_id}`)
    lines.push(`  API key         ${firstRun.workspace_api_key}   bound to the workspace`)
    lines.push(`  API key         ${firstRun.api_key}   unbound: send X-Workspace-Id with it`)
    lines.push(`  Dashboard       ${firstRun.dashboard_email} / ${firstRun.dashboard_password}`)
  }
  return `${lines.join('\n')}\n\n`
}

const elsewhere = 'run in processes with the role media; this one has none'

const reachOf: Readonly<Record<Config['sandbox'], string>> = {
  numbers: 'browsers, and simulated people at numbers that begin with +15550',
  all: 'browsers, and simulated people at every number',
  off: 'browsers',
}

function mindOf(config: Config): string {
  const { server } = operatorModels(config)
  return server && server.models.length > 0
    ? `${server.models.join(', then ')} at ${server.baseUrl}`
    : 'the built-in dialogue policy, not a language model: it follows simple prompts only. To connect one, set PARLEY_LLM_PROVIDER, PARLEY_LLM_MODEL and PARLEY_LLM_API_KEY (docs/guide/language-models.md)'
}

const voiceOf = ({ tts }: Config): string => {
  const names = tts === 'wren' ? wrenVoiceNames : kokoroVoiceNames
  return `${pickVoice(tts, {})} (${tts}); also ${names.filter((name) => name !== pickVoice(tts, {})).join(', ')}; hear them in the dashboard or with parley say`
}
