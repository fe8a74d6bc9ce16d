// What an agent's calls are analysed for.
import { z } from 'zod'
import { listOf, Text } from '../words.ts'

const ExtractionField = z
  .looseObject({
    field_name: Text.describe('The key of the value in `analytics.data_extraction`.'),
    data_type: Text.optional().describe(
      'string, number, integer, float, boolean, date, time, amount, email, phone or name. Left out: a string.',
    ),
    description: Text.nullable()
      .optional()
      .describe('What to look for. Left out or null: the name of the field has to say it.'),
  })
  .describe('One value to find in the conversation.')

const DispositionField = z
  .looseObject({
    field_name: Text.describe('The key of the result in `analytics.disposition`.'),
    description: Text.nullable()
      .optional()
      .describe('When it counts as matched. Left out or null: the name of the field has to say it.'),
    action: z
      .looseObject({
        name: Text.describe('Yours; returned as it was written.'),
        metadata: z.unknown().optional().describe('Yours; returned as it was written. Left out: none.'),
      })
      .nullable()
      .optional()
      .describe(
        'What you want to do about a match; it is returned with the result, never performed. Left out or null: nothing.',
      ),
  })
  .describe('One question about how the call went.')

export const CallAnalysis = z
  .strictObject({
    summary: z.boolean().describe('Whether to summarise the call.'),
    data_extraction: z.boolean().describe('Whether to look for the values of `data_extraction_fields`.'),
    sentiment: z.boolean().describe("Whether to judge the caller's mood."),
    summary_prompt: Text.nullable()
      .optional()
      .describe('How to summarise; only a language model follows it. Left out or null: a few sentences.'),
    data_extraction_fields: listOf(ExtractionField)
      .nullable()
      .optional()
      .describe('The values to find, used if `data_extraction` is true. Left out or null: none.'),
    disposition_fields: listOf(DispositionField)
      .nullable()
      .optional()
      .describe('Outcomes to check for, such as an agreed appointment. Left out or null: none.'),
    sentiment_prompt: Text.nullable()
      .optional()
      .describe('How to judge the mood; only a language model follows it. Left out or null: as usual.'),
  })
  .describe(
    'What to find out after each call; the results are in `analytics` of the call. Left out: nothing.',
  )

export type CallAnalysis = z.infer<typeof CallAnalysis>
