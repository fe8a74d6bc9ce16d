// What one call cost, part by part.
import { z } from 'zod'
import { PricedPart } from '../usage/usage.ts'
import { Text } from '../words.ts'

const CostOfPart = z
  .strictObject({
    part: PricedPart.describe('What it did.'),
    name: Text.describe(
      'Who did it: a vendor or an offline engine; of a language model `provider/model`; of a line the carrier.',
    ),
    seconds: z
      .number()
      .min(0)
      .describe('Seconds of sound that a transcriber was given, or of a line; 0 of the others.'),
    characters: z.int().min(0).describe('Characters that a synthesizer was given; 0 of the others.'),
    input_tokens: z.int().min(0).describe('Tokens that a language model read; 0 of the others.'),
    cached_tokens: z
      .int()
      .min(0)
      .describe('Of these, how many its server had kept; they may have a price of their own.'),
    cache_write_tokens: z
      .int()
      .min(0)
      .describe('Of these, how many its server began to keep; they may have a price of their own.'),
    output_tokens: z.int().min(0).describe('Tokens that a language model wrote; 0 of the others.'),
    cost: z.number().min(0).nullable().describe('In `currency`. null: it has no price.'),
  })
  .describe('What one part of the call used and cost.')

export const CallCost = z
  .strictObject({
    currency: Text.nullable().describe('ISO 4217, such as EUR. null: the workspace had no prices.'),
    amount: z
      .number()
      .min(0)
      .nullable()
      .describe('All parts together, in `currency`. null: some part of it has no price.'),
    parts: z.array(CostOfPart).max(1_000).describe('Everything that somebody may charge for.'),
  })
  .meta({
    id: 'CallCost',
    description:
      'What the call cost by the prices of the workspace at its end, see `getUsagePrices`; its analysis included, once that is there.',
  })
export type CallCost = z.infer<typeof CallCost>
