// An agent's semantic routes, written by hand or by forms: read leniently; what cannot be used is reported.
import { measured } from '@parley/contract/measured'
import { z } from 'zod'
import type { Route } from '../../../ports/call-plan.ts'
import type { Fill } from './fill-variables.ts'

const RouteOnWire = measured(
  z.object({
    route_name: z.string().nullish(),
    utterances: z.array(z.string().min(1)).min(1),
    response: z.union([z.string().transform((text) => [text]), z.array(z.string()).min(1)]),
    score_threshold: z.coerce.number().min(0).max(1).nullish(),
  }),
)

const RoutesOnWire = measured(z.object({ routes: z.array(z.unknown()).min(1) }))

// Measured with MiniLM: paraphrases score above it, other questions on the same subject below.
const usualThreshold = 0.55

export interface RoutesReading {
  readonly routes: readonly Route[]
  readonly problems: readonly string[]
}

/** In `llm_agent`, or in its `llm_config`. */
export function readRoutes(llmAgent: Readonly<Record<string, unknown>>, fill: Fill): RoutesReading {
  const inner = z.record(z.string(), z.unknown()).safeParse(llmAgent.llm_config).data ?? {}
  const written = RoutesOnWire.safeParse(llmAgent.routes).data ?? RoutesOnWire.safeParse(inner.routes).data
  const problems: string[] = []
  const routes = (written?.routes ?? []).flatMap((one, place): Route[] => {
    const { data } = RouteOnWire.safeParse(one)
    if (!data) problems.push(`route ${place + 1} needs utterances and a response and was left out`)
    return data
      ? [
          {
            name: data.route_name ?? `route ${place + 1}`,
            utterances: data.utterances,
            answers: data.response.map(fill),
            threshold: data.score_threshold ?? usualThreshold,
          },
        ]
      : []
  })
  return { routes, problems }
}
