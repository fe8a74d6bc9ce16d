// Whole conversations with everyday agents, word for word.
import { expect, it } from 'vitest'
import type { ChatMessage } from '../../ports/language-model.ts'
import { decideReply } from './decide-reply.ts'
import { readBrief } from './read-brief.ts'

interface Talk {
  readonly agent: string
  readonly prompt: string
  /** The first line is the greeting; [end] ends the call. */
  readonly talk: string
}

const talks: Talk[] = [
  {
    agent: 'a receptionist of a dentist',
    prompt: `You are Ava, the friendly receptionist of Bright Dental Clinic. Be warm and brief.
We are open Monday to Friday from 9 to 5. A cleaning costs 80 dollars. We are at 12 Hill Street, next to the post office.
To book an appointment, ask for the caller's name, phone number and the preferred date and time.
When you have everything, confirm the details and say goodbye.`,
    talk: `
      agent: Hello, Bright Dental Clinic, this is Ava. How can I help you?
      caller: Hi, what time are you open?
      agent: We are open Monday to Friday from 9 to 5. What else can I do for you?
      caller: And how much is a cleaning?
      agent: A cleaning costs 80 dollars. What else can I do for you?
      caller: I would like to book an appointment
      agent: Gladly. May I have your name, please?
      caller: It's Maria Lopez
      agent: Thank you, Maria. What is your phone number?
      caller: pardon?
      agent: I said: Thank you, Maria. What is your phone number?
      caller: five five five oh one two three four
      agent: I have 5 5 5, 0 1 2, 3 4. Which day and time would suit you?
      caller: next Tuesday at half past three
      agent: Got it, next Tuesday at half past three. Let me repeat that. Your name is Maria Lopez, your phone number is 5 5 5, 0 1 2, 3 4 and the appointment is next Tuesday at half past three. Is that right?
      caller: No, the day is Wednesday at ten
      agent: Got it, Wednesday at ten. Let me repeat that. Your name is Maria Lopez, your phone number is 5 5 5, 0 1 2, 3 4 and the appointment is Wednesday at ten. Is that right?
      caller: yes
      agent: Good. Is there anything else I can do for you?
      caller: no thanks
      agent: Thank you for your time. Good-bye. [end]
    `,
  },
  {
    agent: 'a restaurant that takes bookings',
    prompt: `You take reservations for the restaurant La Piazza. Book a table for the caller.
Facts:
- We are open from 6 pm to 11 pm, closed on Mondays.
- Dogs are welcome on the terrace.`,
    talk: `
      agent: La Piazza, good evening. What can I do for you?
      caller: A table for four on Friday at seven thirty please
      agent: Gladly. May I have your name, please?
      caller: Tom Baker
      agent: Thank you, Tom. What is your phone number?
      caller: are dogs allowed
      agent: Dogs are welcome on the terrace. What is your phone number?
      caller: 555 123 4567
      agent: I have 5 5 5, 1 2 3, 4 5 6 7. Let me repeat that. Your name is Tom Baker, the number of guests is 4, the appointment is Friday at seven thirty and your phone number is 5 5 5, 1 2 3, 4 5 6 7. Is that right?
      caller: that is correct
      agent: Good. Is there anything else I can do for you?
      caller: no that is all thank you
      agent: Thank you for your time. Good-bye. [end]
    `,
  },
  {
    agent: 'a survey of five questions',
    prompt: `You are calling customers of FiberNet to run a short satisfaction survey.
Questions:
1. On a scale from 1 to 5, how satisfied are you with our service?
2. How often do you contact support?
3. Was your last problem solved?
4. What could we do better?
5. Would you recommend us to a friend?
Closing: Thank you for taking part in our survey.`,
    talk: `
      agent: Hello, this is FiberNet. Do you have two minutes for a short survey?
      caller: yes sure
      agent: I am calling to run a short satisfaction survey. On a scale from 1 to 5, how satisfied are you with our service?
      caller: seven
      agent: Sorry, I need a number from 1 to 5. On a scale from 1 to 5, how satisfied are you with our service?
      caller: I mean four
      agent: Got it, 4. How often do you contact support?
      caller: maybe once a month
      agent: Thanks, I have noted that. Was your last problem solved?
      caller: are you a robot?
      agent: I am an automated assistant of FiberNet, not a human being. Was your last problem solved?
      caller: no it was not
      agent: I see. What could we do better?
      caller: answer the phone faster
      agent: All right. Would you recommend us to a friend?
      caller: probably yes
      agent: Good. Thank you for taking part in our survey. Good-bye. [end]
    `,
  },
  {
    agent: 'a reminder of a delivery',
    prompt: `You are calling to remind the customer that parcel 4711 arrives on Friday between 10 and 12. Ask if somebody will be at home. If not, ask for another day. If they ask about tracking, tell them that the tracking number is on our web site.`,
    talk: `
      agent: Hello, this is Swift Parcel.
      caller: Hello?
      agent: Parcel 4711 arrives on Friday between 10 and 12. Will somebody be at home?
      caller: is there a tracking number?
      agent: The tracking number is on our web site. Will somebody be at home?
      caller: no I am at work then
      agent: I see. Which other day would suit you?
      caller: Saturday
      agent: I have Saturday. Is there anything else I can do for you?
      caller: no
      agent: Thank you for your time. Good-bye. [end]
    `,
  },
  {
    agent: 'the qualification of a lead',
    prompt: `You are Sam, a sales assistant at SunPower Solar. Your goal is to qualify leads.
Ask whether they own their home. Ask how high their monthly electricity bill is. Find out when they want to install solar panels. Ask for their e-mail address.
If they are not interested, thank them and end the call.
Our panels have a warranty of 25 years. An installation takes two days.`,
    talk: `
      agent: Hi, this is Sam from SunPower Solar. Do you have a moment?
      caller: sure, what is this about?
      agent: This is Sam, the sales assistant at SunPower Solar. Do you own your home?
      caller: yes I do
      agent: Good. How high is your monthly electricity bill?
      caller: how long is the warranty
      agent: Our panels have a warranty of 25 years. How high is your monthly electricity bill?
      caller: about a hundred and fifty dollars
      agent: Thanks, I have noted that. When do you want to install solar panels?
      caller: next month
      agent: Got it, next month. What is your e-mail address?
      caller: john dot smith at example dot com
      agent: I have john dot smith at example dot com. Let me repeat that. The time is next month and your e-mail address is john dot smith at example dot com. Is that right?
      caller: yes that is right
      agent: Good. Thank you. Good-bye. [end]
    `,
  },
  {
    agent: 'a help desk with answers',
    prompt: `You are the help desk of Acme Books.
Q: What are your shipping costs?
A: Shipping costs 5 euros and is free above 50 euros.
Q: How long does delivery take?
A: Delivery takes three to five days.
Q: Can I return a book?
A: Yes, within 30 days.
Q: Do you ship abroad?
A: We ship to all of Europe.`,
    talk: `
      agent: Acme Books, how can I help?
      caller: how much is shipping
      agent: Shipping costs 5 euros and is free above 50 euros. What else can I do for you?
      caller: do you deliver to France
      agent: We ship to all of Europe. What else can I do for you?
      caller: what is the capital of Mongolia
      agent: I am sorry, I do not know that. Shall I take a message?
      caller: yes please
      agent: Gladly. May I have your name, please?
      caller: Peter
      agent: Thank you, Peter. What is your phone number?
      caller: 0123 456 7890
      agent: I have 0 1 2, 3 4 5, 6 7 8, 9 0. What is your message?
      caller: I want a signed copy of my book
      agent: Thank you. Let me repeat that. Your name is Peter and your phone number is 0 1 2, 3 4 5, 6 7 8, 9 0. Is that right?
      caller: correct
      agent: Good. Is there anything else I can do for you?
      caller: no thanks
      agent: Thank you for your time. Good-bye. [end]
    `,
  },
  {
    agent: 'the confirmation of an appointment',
    prompt: `You are calling patients of Dr. Meyer to confirm their appointment on Monday at 3 p.m. Ask if they can make it. If yes, tell them to bring their insurance card. If no, ask for a better day. Then thank them and say goodbye.`,
    talk: `
      agent: Good morning, this is the practice of Dr. Meyer.
      caller: good morning
      agent: I am calling to confirm your appointment on Monday at 3 p.m. Can you make it?
      caller: yes I can
      agent: Good. Please bring your insurance card. Thank you. Good-bye. [end]
      caller: okay bye
      agent: Good-bye. [end]
    `,
  },
  {
    agent: 'an office that takes messages',
    prompt: `You answer the phone for Miller and Sons. Nobody is in the office. Take a message.`,
    talk: `
      agent: Miller and Sons, good afternoon.
      caller: Can I speak to Mr Miller?
      agent: I cannot put you through. Shall I take a message?
      caller: yes
      agent: Gladly. May I have your name, please?
      caller: my name is Ann Green
      agent: Thank you, Ann. What is your phone number?
      caller: it's oh two oh seven nine four six oh one two three
      agent: I have 0 2 0, 7 9 4, 6 0 1, 2 3. What is your message?
      caller: please tell him the order is ready
      agent: Thank you. Let me repeat that. Your name is Ann Green and your phone number is 0 2 0, 7 9 4, 6 0 1, 2 3. Is that right?
      caller: yes
      agent: Good. Is there anything else I can do for you?
      caller: bye
      agent: Thank you for your time. Good-bye. [end]
    `,
  },
  {
    agent: 'a reminder of a payment',
    prompt: `You call customers of CityBank about an overdue payment. Tell the customer that their balance of 120 dollars was due on May first. Ask when they will pay. Ask whether they need a payment plan. Be polite. Never threaten.`,
    talk: `
      agent: Hello, this is CityBank.
      caller: who is this?
      agent: This is an automated assistant of CityBank. Your balance of 120 dollars was due on May first. When will you pay?
      caller: how much do I owe
      agent: Your balance of 120 dollars was due on May first. When will you pay?
      caller: next Friday
      agent: Got it, next Friday. Do you need a payment plan?
      caller: no
      agent: I see. Is there anything else I can do for you?
      caller: no thank you
      agent: Thank you for your time. Good-bye. [end]
    `,
  },
  {
    agent: 'technical support that notes the problem',
    prompt: `You are a technical support agent for HomeRouter. Collect: name, customer number, device model, and a description of the problem.
If the caller asks how to restart the router, say "Unplug it, wait ten seconds and plug it in again."
Support is available every day from 8 am to 8 pm.`,
    talk: `
      agent: HomeRouter support. What can I do for you?
      caller: my internet does not work
      agent: May I have your name, please?
      caller: Jane Doe
      agent: Thank you, Jane. What is your customer number?
      caller: I don't know it
      agent: That is all right. What is your device model?
      caller: how do I restart the router
      agent: Unplug it, wait ten seconds and plug it in again. What is your device model?
      caller: the X200
      agent: Thanks, I have noted that. Could you describe the problem?
      caller: it drops every evening
      agent: Thank you. Is there anything else I can do for you?
      caller: no
      agent: Thank you for your time. Good-bye. [end]
    `,
  },
  {
    agent: 'an insurance with a prompt in Markdown',
    prompt: `# Role
You are **Emma**, a virtual assistant for GreenLeaf Insurance.

# Information to collect
- Policy number
- Date and time of the accident
- Whether anyone was hurt
- A short description of what happened

# Rules
- Keep answers under two sentences.
- Never give legal advice.

# FAQ
- How long does a claim take? Usually ten working days.

# Closing
"Thank you for calling GreenLeaf. An agent will call you within 24 hours."`,
    talk: `
      agent: GreenLeaf Insurance, this is Emma. How can I help you today?
      caller: I had an accident
      agent: What is your policy number?
      caller: A B 1 2 3 4
      agent: All right. What is the date and time of the accident?
      caller: yesterday around 5 pm
      agent: I have yesterday at 5 pm. Was anyone hurt?
      caller: how long does a claim take?
      agent: Usually ten working days. Was anyone hurt?
      caller: no nobody was hurt
      agent: I see. Could you describe what happened?
      caller: somebody hit me from behind at a red light
      agent: All right. Thank you for calling GreenLeaf. An agent will call you within 24 hours. Good-bye. [end]
    `,
  },
  {
    agent: 'a shop that asks one thing and then another',
    prompt: `Ask the customer: "Did you receive your order?" If yes, ask "Are you happy with it?" If no, say "I am sorry, we will look into it." and end the call.`,
    talk: `
      agent: Hi, this is the shop.
      caller: hello
      agent: Did you receive your order?
      caller: no
      agent: I see. I am sorry, we will look into it. Good-bye. [end]
    `,
  },
  {
    agent: 'a caller who has no time',
    prompt: `You are calling customers of FiberNet to run a survey. Ask how satisfied they are.`,
    talk: `
      agent: Hello, this is FiberNet.
      caller: I am driving, call me back tomorrow at ten
      agent: Of course, tomorrow ten. Good-bye. [end]
    `,
  },
  {
    agent: 'a caller who is the wrong one',
    prompt: `You are calling customers of FiberNet to run a survey. Ask how satisfied they are.`,
    talk: `
      agent: Hello, this is FiberNet.
      caller: You have the wrong number
      agent: I am sorry for the mistake. Good-bye. [end]
    `,
  },
  {
    agent: 'a prompt in Spanish',
    prompt: `Eres la recepcionista de la Clínica Sol. Pregunta:
¿Cuál es su nombre?
¿Qué día prefiere?
Abrimos de lunes a viernes de nueve a cinco.`,
    talk: `
      agent: Clínica Sol, buenos días.
      caller: Buenos días, quiero una cita
      agent: ¿Cuál es su nombre?
      caller: María
      agent: ¿Qué día prefiere?
      caller: el lunes
      agent: Is there anything else I can do for you?
    `,
  },
]

it.each(talks)('$agent', ({ prompt, talk }) => {
  const lines = talk.trim().split(/\n\s*/)
  const brief = readBrief(prompt)
  const messages: ChatMessage[] = []
  const held = lines.map((line) => {
    const [, speaker, words = ''] = line.match(/^(agent|caller): (.*)$/) ?? []
    const isGreeting = messages.length === 0
    if (speaker === 'caller' || isGreeting) {
      messages.push({ role: isGreeting ? 'assistant' : 'user', content: words })
      return line
    }
    const { text, ends } = decideReply(brief, messages)
    messages.push({ role: 'assistant', content: text })
    return `agent: ${text}${ends ? ' [end]' : ''}`
  })
  expect(held).toEqual(lines)
})
