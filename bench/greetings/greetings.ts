// The words of people and machines that pick up a telephone: a set to tune the rules by, and one to report on, with
// texts of its own. No rule was made or changed because of the results of the second.

export interface Greeting {
  readonly text: string
  /** The tone after it; absent: none is heard. */
  readonly beep?: { readonly hz: number; readonly ms: number }
}

export interface GreetingSet {
  readonly people: readonly string[]
  readonly machines: readonly Greeting[]
}

const beep = (hz: number, ms: number) => ({ beep: { hz, ms } })

export const tuning: GreetingSet = {
  people: [
    'Hello?',
    'Yes?',
    'Hi, Sarah speaking.',
    'Good morning, Riverside Hotel, my name is Paul. How can I help you?',
    'Hello, who is this please?',
    'Yeah, hi. Sorry, I was just running to the phone. Who is calling?',
    'Miller residence.',
    'Thank you for calling Green Garage, this is Tom speaking, what can I do for you?',
    'Hello? Hello? Can you hear me?',
    'Oh hi, I was expecting your call.',
    'City library, information desk.',
    'Hi, this is Doctor Lee. I only have a minute, so please be quick.',
    'Sorry, she is not at her desk. Would you like to leave a message?',
    'Hey, what is up?',
    'Good afternoon, Baker and Sons, you are through to accounts, Linda speaking.',
    'Hello, did you get my message?',
    'Speaking.',
    'Yes, hello, it is a bad line, can you say that again?',
  ],
  machines: [
    {
      text: "Hi, you've reached Anna Miller. I can't take your call right now. Please leave a message after the tone.",
      ...beep(1_000, 500),
    },
    {
      text: 'Your call has been forwarded to an automated voice messaging system. At the tone, please record your message.',
      ...beep(850, 400),
    },
    {
      text: 'The person you are trying to reach is not available. At the tone, please record your message. When you have finished recording, you may hang up.',
      ...beep(1_400, 300),
    },
    { text: "Hey, it's Tom. You know what to do.", ...beep(950, 700) },
    {
      text: 'Thank you for calling Maple Dental. Our office is closed. Our office hours are Monday to Friday, nine to five.',
    },
    {
      text: 'Hello, this is Bob. I am not at home. Leave your name and number and I will call you back as soon as I can.',
      ...beep(480, 900),
    },
    {
      text: 'You have reached the voice mail box of five five five, zero one four two. Please leave your message.',
      ...beep(1_200, 250),
    },
    {
      text: "Hi, this is Laura. I'm either on the phone or away from my desk. Please leave me a brief message and I'll get back to you.",
      ...beep(1_000, 1_000),
    },
    { text: 'Sorry, nobody can come to the phone. Talk to the machine.', ...beep(1_100, 350) },
    { text: 'The mailbox is full and cannot accept any messages at this time. Goodbye.' },
    { text: 'Hello. Hi. Just kidding, I am not here. Leave a message.', ...beep(900, 500) },
    {
      text: 'Welcome to the voice mail service. Please record your message after the beep.',
      ...beep(700, 600),
    },
    { text: "Hi, you've reached the Johnson family. We are out enjoying the sun.", ...beep(1_050, 450) },
    {
      text: 'Good day. All our staff are busy with other customers. Please leave your details after the signal.',
      ...beep(1_300, 200),
    },
  ],
}

export const reporting: GreetingSet = {
  people: [
    'Hello.',
    'Hello, Peter here.',
    'Yeah?',
    'Hi there, this is Emily.',
    'Good evening, Luigi’s restaurant, how may I help you?',
    'Who is there?',
    'Jackson speaking, good morning.',
    'Hello, this is reception, one moment please. Okay, how can I help?',
    'Thanks for calling the Lakeside Clinic, you are speaking with Maria.',
    'Hi mom, I am still at work.',
    'Yes, this is he.',
    'Hello, I cannot hear you very well.',
    'Parker and Stone law office, who may I say is calling?',
    'Um, hello? Is anybody there?',
    'Good morning, you have reached the front desk, this is Alex.',
    'Hey, sorry, I just woke up. What time is it?',
    'He is out for lunch right now. Can I take a message?',
    'Hello, Doctor Patel’s office, please hold. Sorry about that, go ahead.',
    'Right, yes, I have been waiting for you to call back about the delivery.',
    'Hello and good afternoon, you are speaking with Daniel from customer care. May I have your name?',
    'Hi, is this about the apartment?',
    'I told you people to stop calling me.',
    'Hello, hello, yes I am here, I was looking for my glasses.',
    'Wilson.',
    'Garage, Mike speaking, the lifts are noisy so speak up please.',
    'Hi, I am driving, so I have you on the speaker.',
    'This is the Carter house, Susan speaking.',
    'Yes, good morning, I can talk now.',
    'Hello, I think you have the wrong number.',
    'Good afternoon, thank you for calling Brown Travel, my name is Olivia, how can I make your day better?',
    'What is it now?',
    'Hi, yes, I left you a voice message yesterday, thanks for getting back to me.',
  ],
  machines: [
    {
      text: "Hello, you've reached David. Sorry I missed your call. Please leave me a message and I will get back to you.",
      ...beep(1_000, 400),
    },
    {
      text: 'The customer you have called is not available. Please leave a message after the tone.',
      ...beep(1_400, 500),
    },
    {
      text: "Hi, this is Kate's phone. I'm probably in a meeting. Leave your name, your number and a short message.",
      ...beep(880, 600),
    },
    {
      text: 'This is the mailbox of seven seven three, two zero two, one one eight. To leave a message, wait for the tone.',
      ...beep(1_200, 300),
    },
    {
      text: 'We are unable to answer your call at the moment. Please record your message now.',
      ...beep(1_000, 800),
    },
    { text: "Yo, it's Mark. Do your thing after the beep.", ...beep(760, 500) },
    {
      text: 'You have reached Smith Plumbing. We are currently on another job. Leave your details and we will call you back as soon as possible.',
      ...beep(950, 400),
    },
    {
      text: 'Thanks for calling the Oakwood library. We are now closed. We open again on Monday at ten in the morning. For renewals please visit our website.',
    },
    { text: "Hi, it's Grandma. I never know how this works. Speak now, dear.", ...beep(1_020, 900) },
    { text: 'Please leave your message for Thomas Reed.', ...beep(1_350, 250) },
    {
      text: 'Hello, you are connected to the answering machine of the Fischer family. Please speak after the signal tone.',
      ...beep(640, 700),
    },
    {
      text: "I'm sorry, but the person you called has a voice mail box that has not been set up yet. Goodbye.",
    },
    { text: "Hey there, you've got Nina's voicemail. You know the drill.", ...beep(1_100, 350) },
    {
      text: 'Good day, this is the office of Walker and Partners. We are out of the office until the third of January. In urgent cases, send us an email.',
    },
    {
      text: 'The wireless customer is not available. At the tone, please record your message. When you are finished, hang up, or press one for more options.',
      ...beep(1_000, 300),
    },
    { text: 'Hi, Jim here, or rather not here. Leave a note.', ...beep(830, 450) },
    {
      text: "This is Claire. I can't make it to the phone right now, but your call matters to me, so please leave a detailed message.",
      ...beep(1_250, 500),
    },
    {
      text: 'Your call is being answered by an answering service. After the tone, please leave your name and the time of your call.',
      ...beep(900, 300),
    },
    { text: "Hello, this is Sam and Rita. We're walking the dog.", ...beep(1_000, 1_200) },
    {
      text: "You've reached the emergency maintenance line of Park Apartments. Nobody can take your call. Leave your apartment number and describe the problem.",
      ...beep(700, 500),
    },
    {
      text: 'Sorry, I am unable to take your call. If you leave a message I will return your call when I can.',
      ...beep(1_450, 400),
    },
    {
      text: 'The subscriber cannot take your call now. Please try again later or leave a message after the beep.',
      ...beep(1_600, 500),
    },
    {
      text: "Hi! Oh wait, this is a recording. I'm Ben, and you are about to hear a beep.",
      ...beep(980, 300),
    },
    {
      text: "Thank you for calling Sunrise Yoga. All of our teachers are in class. Please leave your name and number and we'll ring you back this evening.",
      ...beep(870, 600),
    },
    { text: 'Voice mail. Please record at the tone.', ...beep(1_000, 500) },
    {
      text: 'Hello, this is Doctor Nguyen. If this is an emergency, please hang up and call the hospital. Otherwise leave a message.',
      ...beep(1_150, 700),
    },
    {
      text: 'You are calling outside of our business hours. Our business hours are weekdays from eight until six.',
      ...beep(1_050, 400),
    },
    { text: "Hey, I'm away from my phone. Text me instead.", ...beep(920, 550) },
    { text: 'We cannot come to the telephone. After the beep it is your turn.', ...beep(790, 400) },
    {
      text: "Hi, you've reached Oscar. I'm on vacation until the twentieth and I'm not checking messages. Please contact my colleague Ruth.",
      ...beep(1_000, 350),
    },
    { text: 'Please wait for the beep and speak clearly.', ...beep(1_500, 200) },
    { text: 'Sorry we missed you. Tell us what you need and where we can reach you.', ...beep(860, 800) },
  ],
}
