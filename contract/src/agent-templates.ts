// Agents to begin with: each works as it is, also offline with the built-in policy, and is made to be changed. Free of zod,
// so that a browser can have them without the schemas.

export interface AgentTemplate {
  readonly name: string
  /** What it is for, in one sentence. */
  readonly about: string
  /** Calls that it is made for. */
  readonly direction: 'inbound' | 'outbound'
  /** What to fill in before it is used. */
  readonly next: string
  /** The `agent_config` that it begins with. */
  readonly config: Readonly<Record<string, unknown>>
}

const mind = { agent_type: 'simple_llm_agent', llm_config: {} }
// With this setting the agent ends the call itself after the good-byes.
const task_config = { end_call_tool_mode: 'on' }

const analysed = (
  ...fields: readonly (readonly [field_name: string, data_type: string, description: string])[]
) => ({
  summary: true,
  sentiment: false,
  data_extraction: true,
  data_extraction_fields: fields.map(([field_name, data_type, description]) => ({
    field_name,
    data_type,
    description,
  })),
})

const agent = (
  agent_name: string,
  welcome: string,
  prompt: readonly string[],
  call_analysis_config: object,
) => ({
  agent_name,
  agent_type: 'simple_llm_agent',
  status: 'active',
  agent_welcome_message: welcome,
  agent_prompt: prompt.join('\n'),
  llm_agent: mind,
  task_config,
  call_analysis_config,
})

const voicemail = (message: string) => ({ telephone: { voicemail: { action: 'leave_message', message } } })

export const agentTemplates = {
  receptionist: {
    name: 'Receptionist',
    about: 'Answers the telephone, says opening hours and prices, and takes appointments.',
    direction: 'inbound',
    next: 'Replace the name, the hours and the prices by yours, then switch a number to it.',
    config: agent(
      'Receptionist',
      'Hello, this is Maple Dental. How can I help you?',
      [
        'You are Ava, the friendly receptionist of Maple Dental. Be warm and brief.',
        'We are open Monday to Friday from 9 to 5. A cleaning costs 80 dollars. We are at 12 Hill Street, next to the post office.',
        'To book an appointment, ask for the name of the caller and the day they would like to come.',
        'When you have everything, confirm the details and say goodbye.',
      ],
      analysed(['name', 'name', 'the name of the caller'], ['day', 'date', 'the day of the appointment']),
    ),
  },
  reminder: {
    name: 'Appointment reminder',
    about: 'Calls people before their appointment, and asks for another day if they cannot come.',
    direction: 'outbound',
    next: 'Give {name} and {appointment} with each call, or as columns of a batch.',
    config: {
      ...agent(
        'Appointment reminder',
        'Hello {name}, this is Ava from Maple Dental.',
        [
          'You are Ava, calling for Maple Dental.',
          'You are calling to remind the patient of their appointment on {appointment}.',
          'Ask if they can come. If not, ask for another day that suits them.',
          'The clinic is at 12 Hill Street. Parking is free behind the building.',
        ],
        analysed(
          ['can_come', 'boolean', 'whether the patient can come to the appointment'],
          ['other_day', 'date', 'another day that suits the patient'],
        ),
      ),
      api_tools: voicemail(
        'Hello {name}, this is Maple Dental about your appointment on {appointment}. Please call us back if you cannot come.',
      ),
    },
  },
  survey: {
    name: 'Survey',
    about: 'Asks a few questions one after the other, and thanks for the answers.',
    direction: 'outbound',
    next: 'Write your own questions; the values in the Analysis tab have their answers.',
    config: agent(
      'Survey',
      'Hello, this is FiberNet. Do you have a minute for three questions?',
      [
        'You are calling customers of FiberNet to run a short survey.',
        'Questions:',
        '1. On a scale from 1 to 5, how satisfied are you with our service?',
        '2. What could we do better?',
        '3. Would you recommend us to a friend?',
        'Closing: Thank you for taking part in our survey.',
      ],
      analysed(
        ['satisfaction', 'number', 'how satisfied they are, from 1 to 5'],
        ['improvement', 'string', 'what could be better'],
        ['would_recommend', 'boolean', 'whether they would recommend us'],
      ),
    ),
  },
  qualification: {
    name: 'Lead qualification',
    about: 'Finds out whether somebody who asked for an offer is ready for one.',
    direction: 'outbound',
    next: 'Replace the questions by what your sales team needs to know.',
    config: agent(
      'Lead qualification',
      'Hi {name}, this is Sam from SunPower Solar. You asked about solar panels. Is this a good time?',
      [
        'You are Sam, a sales assistant at SunPower Solar. Your goal is to qualify leads.',
        'Ask whether they own their home. Ask how high their monthly electricity bill is. Find out when they want to install solar panels.',
        'If they are not interested, thank them and end the call.',
        'Our panels have a warranty of 25 years. An installation takes two days. Prices start at 8000 dollars.',
      ],
      analysed(
        ['owns_home', 'boolean', 'whether the caller owns the home'],
        ['monthly_bill', 'amount', 'how high the monthly electricity bill is'],
        ['when', 'string', 'when they want to install solar panels'],
      ),
    ),
  },
  support: {
    name: 'Support with knowledge',
    about: 'Answers questions from what it knows, and takes a message where it does not know.',
    direction: 'inbound',
    next: 'Choose a repository with your documents in the Knowledge tab; the questions in the prompt are a beginning.',
    config: agent(
      'Support',
      'Acme Books, how can I help?',
      [
        'You are the help desk of Acme Books. Answer the questions of customers. If you do not know something, offer to take a message.',
        'Q: What are your shipping costs?',
        'A: Shipping costs 5 euros and is free above 50 euros.',
        'Q: How long does delivery take?',
        'A: Delivery takes three to five days.',
        'Q: Can I return a book?',
        'A: Yes, within 30 days.',
        'Q: Do you ship abroad?',
        'A: We ship to all of Europe.',
      ],
      analysed(['question', 'string', 'what the caller wanted to know']),
    ),
  },
  collections: {
    name: 'Payment reminder',
    about: 'Reminds of an invoice that is due, politely, and asks when it will be paid.',
    direction: 'outbound',
    next: 'Give {name}, {amount} and {due_date} with each call, or as columns of a batch. Check which calls your law allows.',
    config: {
      ...agent(
        'Payment reminder',
        'Hello {name}, this is CityBank.',
        [
          'You call customers of CityBank about an overdue payment.',
          'Tell the customer that their balance of {amount} was due on {due_date}.',
          'Ask when they will pay. Ask whether they need a payment plan. Be polite. Never threaten.',
        ],
        analysed(
          ['pays_on', 'date', 'when they will pay'],
          ['needs_plan', 'boolean', 'whether they need a payment plan'],
        ),
      ),
      api_tools: {
        ...voicemail('Hello {name}, this is CityBank. Please call us back.'),
        guard_rails: { never_say: ['lawsuit', 'debt collector', 'credit score'] },
      },
    },
  },
  orderStatus: {
    name: 'Order status',
    about: 'Says where orders are, what delivery costs and how to send something back.',
    direction: 'inbound',
    next: 'Replace the orders by a tool that asks your shop, with a language model; offline it answers from the prompt.',
    config: agent(
      'Order status',
      'Thank you for calling Pine Furniture. How can I help you?',
      [
        'You are the order desk of Pine Furniture. Answer questions about orders from these facts only.',
        'Facts:',
        '- Order 4711 was shipped on Monday and arrives on Thursday.',
        '- Order 5002 is delayed because the oak table is out of stock; it ships next week.',
        '- Delivery is free for orders over 50 dollars.',
        '- Returns are possible within 30 days with the original packaging.',
      ],
      analysed(['order', 'string', 'the number of the order']),
    ),
  },
  stepByStep: {
    name: 'Step by step',
    about: 'Goes from step to step of a graph that you draw: here it takes a reservation, or says good-bye.',
    direction: 'inbound',
    next: 'Create it, then open its graph: every node is a step, and its edges say when to go on to which.',
    config: {
      ...agent(
        'Reservations',
        'Hello, this is Roma.',
        ['You are Mia, the host of the restaurant Roma. Be brief and friendly.'],
        analysed(['name', 'name', 'the name of the caller'], ['guests', 'integer', 'how many come']),
      ),
      agent_type: 'graph_agent',
      llm_agent: {
        agent_type: 'graph_agent',
        llm_config: {},
        current_node_id: 'welcome',
        nodes: [
          {
            id: 'welcome',
            prompt: 'Ask if they want to book a table.',
            edges: [
              { to_node_id: 'booking', condition: 'the caller agrees' },
              { to_node_id: 'goodbye', condition: 'the caller declines' },
            ],
          },
          {
            id: 'booking',
            prompt: 'Ask for the name and the number of guests.',
            edges: [
              {
                to_node_id: 'booked',
                condition: 'the caller has given the name and the number of guests',
              },
            ],
          },
          {
            id: 'booked',
            static_message: 'Your table is reserved. We look forward to seeing you. Good-bye.',
          },
          { id: 'goodbye', static_message: 'Thank you for calling. Good-bye.' },
        ],
      },
    },
  },
} as const satisfies Record<string, AgentTemplate>

export type AgentTemplateName = keyof typeof agentTemplates
