// A page of results, one section for each script; a script that is run again replaces its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onExit } from './cleanup-on-exit.ts'

export interface ResultsPage {
  readonly file: URL
  readonly heading: string
  /** In the order of the page. */
  readonly scripts: readonly string[]
}

const [named, optionsGiven] = atDashes(process.argv.slice(2))

/** The scripts named on the command line, or all of them. */
export function scriptsAsked({ scripts }: ResultsPage): readonly string[] {
  const unknown = named.filter((name) => !scripts.includes(name))
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown.join(', ')}; there are ${scripts.join(', ')}.`)
  return named.length > 0 ? named : scripts
}

/** Arguments behind `--` are for the scripts themselves. */
function atDashes(args: readonly string[]): [readonly string[], readonly string[]] {
  const at = args.indexOf('--')
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)]
}

/** Runs a script and returns what it printed as its result; progress is on the standard error output. */
export async function runScript(script: URL): Promise<{ printed: string; kept: boolean }> {
  const child = spawn(process.execPath, [fileURLToPath(script), ...optionsGiven], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Not SIGKILL: the script must clean up its own children and folders.
  const cleanup = onExit(() => child.kill('SIGTERM'))
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  cleanup.cancel()
  return { printed, kept: code === 0 }
}

export async function writeSection(page: ResultsPage, script: string, printed: string): Promise<void> {
  const section = `${script}\n\n${circumstances()}\n\n${printed.trim()}\n`
  console.log(`## ${section}`)
  // The page is read only now: another run may have added to it meanwhile.
  const sections = (await sectionsSoFar(page.file)).set(script, section)
  // Sections of removed scripts are left out.
  const kept = page.scripts.flatMap((name) => sections.get(name) ?? [])
  await writeFile(page.file, [page.heading, ...kept.map((one) => `## ${one}`)].join('\n'))
}

function circumstances(): string {
  const on = new Date().toISOString().slice(0, 10)
  return `${on}, ${availableParallelism()} cores, ${process.arch}, Node ${process.version}.`
}

async function sectionsSoFar(page: URL): Promise<Map<string, string>> {
  const written = await readFile(page, 'utf8').catch(() => '')
  const found = written.split(/^## /m).slice(1)
  return new Map(found.map((section) => [section.split('\n', 1)[0] as string, `${section.trimEnd()}\n`]))
}
