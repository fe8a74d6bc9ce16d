// The author of a change, as answers name them.
import { z } from 'zod'
import { Id, Text } from './words.ts'

export const Author = z
  .strictObject({
    type: z
      .enum(['key', 'user', 'operator'])
      .describe('`key`: an API key; `user`: somebody in the dashboard; `operator`: the command line.'),
    id: Id.nullable().describe('The api_key_id or the user_id. null: the command line.'),
    name: Text.nullable().describe(
      'The label of the key, or the e-mail address of the user. null: the command line, or somebody who was removed.',
    ),
  })
  .meta({ id: 'Author', description: 'Who has changed something.' })
export type Author = z.infer<typeof Author>
