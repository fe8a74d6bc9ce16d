// Agents of every shape that can be saved in an empty workspace.
import type fc from 'fast-check'
import type { z } from 'zod'
import { fitting, type Json } from './arbitrary.ts'

export type Tree = Record<string, Json>

/** Agents that the schema accepts, except those that are refused by rules that a schema cannot express. */
export const anyAgent = (schema: z.ZodType): fc.Arbitrary<Tree> =>
  fitting(schema).map((config) => inNoKnownLanguage(withoutReferences(config as Tree)))

/** References are left out, because what an agent refers to has to exist. */
function withoutReferences({ phone_number_id: _, ...config }: Tree): Tree {
  const { tool_definition_ids: _tools, repository_ids: _repositories, ...rest } = config
  return rest
}

/** A vendor has to speak a language that is known; an unknown language is left to the vendor. */
function inNoKnownLanguage(config: Tree): Tree {
  const named = { ...config, ...languageOf(config) }
  for (const part of ['synthesizer', 'transcriber'])
    if (isTree(config[part])) named[part] = { ...config[part], ...languageOf(config[part]) }
  return named
}

const languageOf = ({ language }: Tree): Tree =>
  typeof language === 'string' ? { language: `?${language}` } : {}

export const isTree = (value: Json | undefined): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
